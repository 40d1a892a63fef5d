package repotest

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// shortSkip finds what a test leaves out with -short: whole tests in Go, the rest of a script.
var shortSkip = regexp.MustCompile(`(?m)testing\.Short\(\).*\n\s*t\.Skip.*|^\[short\] (skip|stop).*`)

func TestWhatIsLeftOutWithShortSaysWhichTargetRunsIt(t *testing.T) {
	found := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".txtar") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, skip := range shortSkip.FindAllString(string(text), -1) {
			found++
			if !strings.Contains(skip, "make test-all") {
				t.Errorf("%s: does not name make test-all: %s", path, skip)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 5 {
		t.Errorf("only %d found", found)
	}
}
