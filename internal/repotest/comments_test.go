package repotest

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestCommentsWrapAtOneWidth looks at the lines of hand-written Go files that are comments.
func TestCommentsWrapAtOneWidth(t *testing.T) {
	const width = 100
	out, err := exec.Command("go", "list", "-f", `{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}
{{end}}{{range .TestGoFiles}}{{$d}}/{{.}}
{{end}}{{range .XTestGoFiles}}{{$d}}/{{.}}
{{end}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, name := range strings.Fields(string(out)) {
		if strings.Contains(name, "_gen") || strings.HasSuffix(name, "example_test.go") { // output is as it is
			continue
		}
		seen++
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for s, line := bufio.NewScanner(f), 1; s.Scan(); line++ {
			comment, ok := strings.CutPrefix(strings.TrimLeft(s.Text(), "\t"), "// ") // code has a tab there
			n := utf8.RuneCountInString(strings.ReplaceAll(s.Text(), "\t", "    "))
			if ok && n > width && strings.Contains(comment, " ") {
				t.Errorf("%s:%d is a comment of %d columns", name, line, n)
			}
		}
		f.Close()
	}
	if seen < 200 {
		t.Errorf("only %d files", seen)
	}
}
