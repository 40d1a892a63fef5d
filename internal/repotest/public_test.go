package repotest

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// promised returns the packages that docs/versions.md lists, sorted.
func promised(t *testing.T) (names []string) {
	t.Helper()
	text, err := os.ReadFile("docs/versions.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, ok := strings.Cut(string(text), "\nThe packages: ")
	list, _, end := strings.Cut(list, ". ")
	if !ok || !end {
		t.Fatal("docs/versions.md has no list of packages")
	}
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(list, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return names
}

// TestOnlyPromisedPackagesCanBeImported checks that what docs/versions.md promises is all that
// another module can import, besides the root, which holds data.
func TestOnlyPromisedPackagesCanBeImported(t *testing.T) {
	var got []string
	for _, p := range packages(t) {
		parts := strings.Split(p.name(), "/")
		if p.name() != "." && !slices.Contains(parts, "internal") && parts[0] != "cmd" && parts[0] != "examples" {
			got = append(got, p.name())
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(promised(t), got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestNoPromisedPackageShowsATypeThatCannotBeImported looks at the declarations that go doc shows
// of each, for names of internal packages that it imports.
func TestNoPromisedPackageShowsATypeThatCannotBeImported(t *testing.T) {
	names := promised(t)
	for _, p := range packages(t) {
		if !slices.Contains(names, p.name()) {
			continue
		}
		var hidden []string
		for _, path := range p.Imports {
			if strings.Contains(path, "/internal/") {
				hidden = append(hidden, path[strings.LastIndexByte(path, '/')+1:])
			}
		}
		if hidden == nil {
			continue
		}
		out, err := exec.Command("go", "doc", "-all", "./"+p.name()).Output()
		if err != nil {
			t.Fatal(err)
		}
		qualified := regexp.MustCompile(`\b(` + strings.Join(hidden, "|") + `)\.[A-Z]`)
		for line := range strings.Lines(string(out)) {
			code, _, _ := strings.Cut(line, "//")
			if !strings.HasPrefix(line, "    ") && qualified.MatchString(code) { // the others are prose
				t.Errorf("%s: %s", p.name(), strings.TrimSpace(line))
			}
		}
	}
}
