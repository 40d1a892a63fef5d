package repotest

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOnlyPromisedPackagesCanBeImported checks that what docs/versions.md promises is all that
// another module can import, besides the root, which holds what protogen vendors.
func TestOnlyPromisedPackagesCanBeImported(t *testing.T) {
	want := []string{".", "codec", "conformance/fakeapi", "conformance/sim", "fuzz", "gen/wire", "schema", "transport", "transport/cli", "transport/mcpserver"}
	var got []string
	for _, p := range packages(t) {
		parts := strings.Split(p.name(), "/")
		if !slices.Contains(parts, "internal") && parts[0] != "cmd" && parts[0] != "examples" {
			got = append(got, p.name())
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
