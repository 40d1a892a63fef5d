package repotest

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTheRootHasWhatItMayHave looks at what is tracked, dot files aside.
func TestTheRootHasWhatItMayHave(t *testing.T) {
	want := []string{
		"CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "SECURITY.md",
		"cmd", "codec", "conformance", "docs", "embed.go", "examples", "fuzz", "gen", "go.mod", "go.sum", "internal", "schema", "transport",
	}
	out, err := exec.Command("git", "ls-files").Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, file := range strings.Fields(string(out)) {
		if name, _, _ := strings.Cut(file, "/"); !strings.HasPrefix(name, ".") {
			got = append(got, name)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
