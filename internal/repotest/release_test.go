package repotest

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/shipped"
	"github.com/ccwire/ccwire/schema"
)

func TestAReleaseHasThePackagesTheNotesTheManualTheSchemasAndTheVectors(t *testing.T) {
	if testing.Short() {
		t.Skip("runs five verbs, which are built for it: make test-all")
	}
	dir := filepath.Join(t.TempDir(), "dist")
	if out, err := exec.CommandContext(t.Context(), "make", "release", "PLATFORMS=", "DIST="+dir, "VERSION=0.1.0").CombinedOutput(); err != nil {
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
	if want := []string{"SHA256SUMS", "ccwire-0.1.0.crate", "ccwire-0.1.0.tgz", "ccwire.codegen.json", "ccwire.schema.json", "manual.html", "release-notes.md", "vectors.ndjson"}; !slices.Equal(names, want) {
		t.Errorf("a release has %q", names)
	}
	if notes, err := os.ReadFile(filepath.Join(dir, "release-notes.md")); err != nil || !strings.Contains(string(notes), "JSON Schemas") {
		t.Errorf("the notes of the first release are %.200q, %v", notes, err)
	}
	sums, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(sums), "\n"); n != len(names)-1 {
		t.Errorf("%d files have a checksum", n)
	}
}

// mostBytes is how large a binary of a release may be.
const mostBytes = 33_000_000

func TestTheBinaryOfAReleaseIsSmallAndRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a binary as a release has it: make test-all")
	}
	dir := filepath.Join(t.TempDir(), "dist")
	platform := runtime.GOOS + "/" + runtime.GOARCH
	if out, err := exec.CommandContext(t.Context(), "make", "binaries", "PLATFORMS="+platform, "DIST="+dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(dir, "protogen-*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	info, err := os.Stat(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > mostBytes {
		t.Errorf("it has %d bytes, want at most %d: go tool nm -size -sort size bin/protogen says what is large", info.Size(), mostBytes)
	}
	bundle, err := schema.Default().Bundle(schema.BundleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), files[0], "bundle").Output(); err != nil || string(out) != string(bundle) {
		t.Errorf("its schemas are others: %d bytes of a bundle, not %d, %v", len(out), len(bundle), err)
	}
	scenario, err := fs.ReadFile(shipped.Scenarios(), "conformance/scenarios/turn/text.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), files[0], "show", "scenario", "turn/text").Output(); err != nil || !strings.Contains(string(out), strings.TrimSpace(string(scenario))) {
		t.Errorf("it shows %q, %v", out, err)
	}
	out, err := exec.CommandContext(t.Context(), files[0], "version").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "\n"+runtime.Version()+"\n") {
		t.Errorf("its version is %s, %v", out, err)
	}
}
