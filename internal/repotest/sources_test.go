package repotest

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire"
	"github.com/ccwire/ccwire/internal/vendoring"
)

func TestTheSourcesToVendorAreAllFilesOfTheirPackagesButTests(t *testing.T) {
	want := []string{"LICENSE"}
	for _, folder := range vendored {
		names, err := fs.Glob(os.DirFS("."), path.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "_test.go") })...)
	}
	slices.Sort(want)
	var got []string
	sources, err := vendoring.Sources(ccwire.Sources)
	if err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(sources, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			got = append(got, name)
			checkSame(t, sources, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the patterns in embed.go take other files (- missing, + too many):\n%s", diff)
	}
}

// checkSame holds that a file to vendor is as in the repository.
func checkSame(t *testing.T, sources fs.FS, name string) {
	t.Helper()
	got, err := fs.ReadFile(sources, name)
	if err != nil {
		t.Error(err)
		return
	}
	if want, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not as in the repository: %v", name, err)
	}
}
