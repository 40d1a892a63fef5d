package pypi_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/packages"
	"github.com/ccwire/ccwire/internal/packages/packagestest"
	"github.com/ccwire/ccwire/internal/packages/pypi"
)

// unpack returns the files of a wheel, and which of them are executable.
func unpack(t *testing.T, data []byte) (files map[string]string, executable []string) {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
		if f.Mode()&0o111 != 0 {
			executable = append(executable, f.Name)
		}
	}
	return files, executable
}

func TestEachWheelHasWhatPyPIAsksFor(t *testing.T) {
	made, err := pypi.Target{}.Packages(packagestest.Source(t, "0.1.0"))
	if err != nil {
		t.Fatal(err)
	}
	want := []struct{ name, script string }{
		{"ccwire-0.1.0-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64.whl", "ccwire"},
		{"ccwire-0.1.0-py3-none-win_arm64.whl", "ccwire.exe"},
	}
	if len(made) != len(want) {
		t.Fatalf("%d wheels were made", len(made))
	}
	for i, f := range made {
		if f.Name != want[i].name {
			t.Errorf("got %s, want %s", f.Name, want[i].name)
		}
		files, executable := unpack(t, f.Data)
		if script := "ccwire-0.1.0.data/scripts/" + want[i].script; !slices.Equal(executable, []string{script}) {
			t.Errorf("%s: executable are %q, want %s", f.Name, executable, script)
		}
		info := "ccwire-0.1.0.dist-info/"
		for _, line := range []string{"\nName: ccwire\n", "\nVersion: 0.1.0\n", "\nLicense-Expression: MIT\n", "\nRequires-Python: >=3.11\n", "\n\n# ccwire\n"} {
			if !strings.Contains(files[info+"METADATA"], line) {
				t.Errorf("%s: METADATA lacks %q", f.Name, line)
			}
		}
		for _, name := range []string{info + "licenses/LICENSE", "ccwire/provenance.json", "ccwire/__init__.py", "ccwire/types.py"} {
			if files[name] == "" {
				t.Errorf("%s has no %s", f.Name, name)
			}
		}
		if _, ok := files["ccwire/py.typed"]; !ok {
			t.Errorf("%s does not say that it is typed", f.Name)
		}
	}
}

func TestTheRecordListsEveryFileOfAWheel(t *testing.T) {
	made, err := pypi.Target{}.Packages(packagestest.Source(t, "0.1.0"))
	if err != nil {
		t.Fatal(err)
	}
	files, _ := unpack(t, made[0].Data)
	const record = "ccwire-0.1.0.dist-info/RECORD"
	var want []string
	for name, text := range files {
		sum := sha256.Sum256([]byte(text))
		row := fmt.Sprintf("%s,sha256=%s,%d", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(text))
		if name == record {
			row = record + ",,"
		}
		want = append(want, row)
	}
	got := strings.Split(strings.TrimSuffix(files[record], "\n"), "\n")
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTheTagsOfAWheelAreThoseOfItsName(t *testing.T) {
	made, err := pypi.Target{}.Packages(packagestest.Source(t, "0.1.0"))
	if err != nil {
		t.Fatal(err)
	}
	files, _ := unpack(t, made[0].Data)
	_, platforms, _ := strings.Cut(strings.TrimSuffix(made[0].Name, ".whl"), "-none-")
	for p := range strings.SplitSeq(platforms, ".") {
		if !strings.Contains(files["ccwire-0.1.0.dist-info/WHEEL"], "\nTag: py3-none-"+p+"\n") {
			t.Errorf("WHEEL lacks the tag of %s", p)
		}
	}
}

func TestTheSameSourceMakesTheSameBytes(t *testing.T) {
	one, err := pypi.Target{}.Packages(packagestest.Source(t, "0.1.0"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := pypi.Target{}.Packages(packagestest.Source(t, "0.1.0"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range one {
		if !bytes.Equal(one[i].Data, other[i].Data) {
			t.Errorf("%s differs", one[i].Name)
		}
	}
}

func TestAVersionIsSpelledAsPythonDoes(t *testing.T) {
	for version, want := range map[string]string{
		"0.1.0":                               "0.1.0",
		"0.2.0-rc.1":                          "0.2.0rc1",
		"1.0.0-beta.12":                       "1.0.0b12",
		"0.0.0-devel":                         "0.0.0.dev0",
		"0.0.0-20261118235248-6c47bec87520":   "0.0.0.dev20261118235248+6c47bec87520",
		"0.1.1-0.20261118235248-6c47bec87520": "0.1.1.dev20261118235248+6c47bec87520",
	} {
		made, err := pypi.Target{}.Packages(packagestest.Source(t, version))
		if err != nil {
			t.Error(err)
		} else if got := made[0].Name; !strings.HasPrefix(got, "ccwire-"+want+"-py3-") {
			t.Errorf("the wheel of %s is %s", version, got)
		}
	}
	if _, err := (pypi.Target{}).Packages(packagestest.Source(t, "0.1.0-friday")); err == nil || !strings.Contains(err.Error(), "0.1.0-friday") {
		t.Errorf("a version that Python does not have: %v", err)
	}
}

func TestAPlatformWithoutAWheelIsAnError(t *testing.T) {
	s := packagestest.Source(t, "0.1.0")
	s.Programs = []packages.Program{{OS: "plan9", Arch: "amd64"}}
	if _, err := (pypi.Target{}).Packages(s); err == nil || !strings.Contains(err.Error(), "plan9/amd64") {
		t.Errorf("got %v", err)
	}
}
