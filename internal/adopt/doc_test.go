package adopt

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const document = "../../docs/replace-your-parser.md"

// snippet finds a place for code: a comment with the file and the name of the region, then the
// code.
var snippet = regexp.MustCompile("(?m)^<!-- code: (\\S+) (\\S+) -->\n```go\n((?s:.*?))^```$")

// TestTheDocumentHasTheCodeOfTheTwins compares the code in the document with the packages; -update
// writes it.
func TestTheDocumentHasTheCodeOfTheTwins(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	want := snippet.ReplaceAllStringFunc(string(text), func(place string) string {
		m := snippet.FindStringSubmatch(place)
		used[m[1]+" "+m[2]] = true
		return fmt.Sprintf("<!-- code: %s %s -->\n```go\n%s```", m[1], m[2], region(t, m[1], m[2]))
	})
	if n := strings.Count(want, "```go"); n != len(used) || n < 15 {
		t.Errorf("%d pieces of code, and %d of the packages", n, len(used))
	}
	for _, name := range regions(t) {
		if !used[name] {
			t.Errorf("the document does not show %s", name)
		}
	}
	if *update {
		if err := os.WriteFile(document, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("the document has other code; -update writes it: %s", diff)
	}
}

// region returns the lines of a file between the comments that name it.
func region(t *testing.T, file, name string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "\n//doc:"+name+"\n")
	code, _, closed := strings.Cut(rest, "\n//doc:end\n")
	if !ok || !closed {
		t.Fatalf("%s has no region %s", file, name)
	}
	return strings.TrimSpace(code) + "\n"
}

// regions lists the regions of both packages.
func regions(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^//doc:(\w+)$`).FindAllStringSubmatch(string(text), -1) {
			if m[1] != "end" {
				names = append(names, filepath.ToSlash(file)+" "+m[1])
			}
		}
	}
	return names
}
