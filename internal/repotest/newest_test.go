package repotest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/npm"
)

// newestHere finds the places where a document names a version and means the newest one: a single
// version to install, the newer one of a comparison, the end of a range.
var newestHere = regexp.MustCompile(`(?:--npm|--to|\bup to) (\d+\.\d+\.\d+)(,?)`)

// lastColumn finds the newest version in the head of a table with a column per version.
var lastColumn = regexp.MustCompile(`(?m)^\|.*\| \d+\.\d+\.\d+ \| (\d+\.\d+\.\d+) \|$`)

func TestDocumentsNameTheNewestCLIVersionThatIsVerified(t *testing.T) {
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range append(files, "README.md", "CONTRIBUTING.md", "CHANGELOG.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for number, line := range strings.Split(string(text), "\n") {
			for _, m := range append(newestHere.FindAllStringSubmatch(line, -1), lastColumn.FindAllStringSubmatch(line, -1)...) {
				if len(m) > 2 && m[2] == "," {
					continue // a list of versions
				}
				found++
				if m[1] != npm.Pinned() {
					t.Errorf("%s:%d: %q is not about %s, the newest version verified (internal/npm/cli-version)",
						file, number+1, m[0], npm.Pinned())
				}
			}
		}
	}
	if found < 8 {
		t.Errorf("only %d places found", found)
	}
}
