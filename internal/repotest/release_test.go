package repotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestAReleaseHasTheManualTheSchemasAndTheVectors(t *testing.T) {
	if testing.Short() {
		t.Skip("runs four verbs, which are built for it: make test-all")
	}
	dir := filepath.Join(t.TempDir(), "dist")
	if out, err := exec.CommandContext(t.Context(), "make", "release", "PLATFORMS=", "DIST="+dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"SHA256SUMS", "ccwire.codegen.json", "ccwire.schema.json", "manual.html", "vectors.ndjson"}; !slices.Equal(names, want) {
		t.Errorf("a release has %q", names)
	}
	sums, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(sums), "\n"); n != len(names)-1 {
		t.Errorf("%d files have a checksum", n)
	}
}
