package npm_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/packages"
	"github.com/ccwire/ccwire/internal/packages/npm"
	"github.com/ccwire/ccwire/internal/packages/packagestest"
)

// unpack returns the files in a tarball, and which of them are executable.
func unpack(t *testing.T, data []byte) (files map[string]string, executable []string) {
	t.Helper()
	plain, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	for r := tar.NewReader(plain); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files, executable
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[h.Name] = string(text)
		if h.Mode&0o111 != 0 {
			executable = append(executable, h.Name)
		}
	}
}

func TestEachPackageHasWhatARegistryAsksFor(t *testing.T) {
	s := packagestest.Source(t, "0.1.0")
	made, err := npm.Target{}.Packages(s)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{
		"ccwire-0.1.0.tgz":             "ccwire",
		"ccwire-linux-x64-0.1.0.tgz":   "@ccwire/linux-x64",
		"ccwire-win32-arm64-0.1.0.tgz": "@ccwire/win32-arm64",
	}
	for _, f := range made {
		files, executable := unpack(t, f.Data)
		var manifest struct{ Name, Version, License, Description string }
		if err := json.Unmarshal([]byte(files["package/package.json"]), &manifest); err != nil {
			t.Fatal(err)
		}
		if manifest.Name != names[f.Name] || manifest.Version != "0.1.0" || manifest.License != "MIT" || manifest.Description == "" {
			t.Errorf("%s: %+v", f.Name, manifest)
		}
		delete(names, f.Name)
		var from packages.Info
		if err := json.Unmarshal([]byte(files["package/provenance.json"]), &from); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s.Info, from); diff != "" {
			t.Errorf("%s: %s", f.Name, diff)
		}
		if !strings.Contains(files["package/README.md"], "# "+manifest.Name+"\n") || files["package/LICENSE"] == "" {
			t.Errorf("%s: no README of its own, or no licence", f.Name)
		}
		if len(executable) != 1 {
			t.Errorf("%s: executable are %q", f.Name, executable)
		}
	}
	if len(names) > 0 {
		t.Errorf("not made: %q", slices.Sorted(maps.Keys(names)))
	}
}

func TestTheSameSourceMakesTheSameBytes(t *testing.T) {
	one, err := npm.Target{}.Packages(packagestest.Source(t, "0.1.0"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := npm.Target{}.Packages(packagestest.Source(t, "0.1.0"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range one {
		if !bytes.Equal(one[i].Data, other[i].Data) {
			t.Errorf("%s differs", one[i].Name)
		}
	}
}

func TestAPlatformWithoutAnNPMPackageIsAnError(t *testing.T) {
	s := packagestest.Source(t, "0.1.0")
	s.Programs = []packages.Program{{OS: "plan9", Arch: "amd64"}}
	if _, err := (npm.Target{}).Packages(s); err == nil || !strings.Contains(err.Error(), "plan9/amd64") {
		t.Errorf("got %v", err)
	}
}
