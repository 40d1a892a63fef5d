package repotest

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire"
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
	err := fs.WalkDir(ccwire.Sources, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			got = append(got, name)
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
