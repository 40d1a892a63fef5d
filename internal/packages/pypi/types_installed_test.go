//go:build packages

package pypi_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/packages/packagestest"
	"github.com/ccwire/ccwire/internal/workshop"
)

// checkers find the lines of a folder's files in which something is wrong, "file:line".
var checkers = map[string]func(t *testing.T, dir string) []string{"mypy": mypy, "pyright": pyright}

func TestInstalledPackageIsCleanForStrictCheckers(t *testing.T) {
	installed := strings.TrimSpace(python(t, t.TempDir(), "-c", "import ccwire, os; print(os.path.dirname(ccwire.__file__))"))
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "ccwire"), os.DirFS(installed)); err != nil {
		t.Fatal(err)
	}
	for name, check := range checkers {
		if found := check(t, dir); found != nil {
			t.Errorf("%s: %q", name, found)
		}
	}
}

func TestInstalledTypesFindMistakesAndNothingElse(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/types")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/types/wrong.py")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasSuffix(line, "# wrong") {
			want = append(want, "wrong.py:"+strconv.Itoa(i+1))
		}
	}
	slices.Sort(want)
	for name, check := range checkers {
		if diff := cmp.Diff(want, check(t, dir)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

func TestInstalledPageAndREADMEHaveNoMistakesForCheckers(t *testing.T) {
	page, err := os.ReadFile("../../../docs/python.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, b := range block.FindAllStringSubmatch(string(page), -1) {
		if b[1] == "read.py" || b[1] == "agent.py" || b[1] == "broken.py" {
			workshop.Write(t, filepath.Join(dir, b[1]), []byte(b[3]))
		}
	}
	readme, err := os.ReadFile("wheel/README.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(readme), "```python\n")
	code, _, _ = strings.Cut(code, "```")
	workshop.Write(t, filepath.Join(dir, "readme.py"), []byte(code))
	for name, check := range checkers {
		if found := check(t, dir); found != nil {
			t.Errorf("%s: %q", name, found)
		}
	}
}

var mypyError = regexp.MustCompile(`(?m)^(\S+?\.pyi?:\d+): error:`)

func mypy(t *testing.T, dir string) (found []string) {
	t.Helper()
	cmd := packagestest.Command(t, dir, filepath.Join(workshop.Python(t, "testdata/python"), "bin/mypy"),
		"--strict", "--python-executable", filepath.Join(install(t), "bin/python"), ".")
	out, err := cmd.CombinedOutput()
	for _, m := range mypyError.FindAllSubmatch(out, -1) {
		found = append(found, string(m[1]))
	}
	if (err == nil) != (found == nil) {
		t.Fatalf("mypy: %v\n%s", err, out)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func pyright(t *testing.T, dir string) (found []string) {
	t.Helper()
	workshop.Write(t, filepath.Join(dir, "pyrightconfig.json"), []byte(`{"typeCheckingMode": "strict", "pythonVersion": "3.11"}`))
	cmd := packagestest.Command(t, dir, filepath.Join(workshop.Python(t, "testdata/python"), "bin/pyright"),
		"--outputjson", "--pythonpath", filepath.Join(install(t), "bin/python"))
	out, err := cmd.Output()
	var report struct {
		GeneralDiagnostics []struct {
			File  string
			Range struct{ Start struct{ Line int } }
		}
	}
	if wrong := json.Unmarshal(out, &report); wrong != nil {
		t.Fatalf("pyright: %v, %v\n%s", err, wrong, out)
	}
	for _, d := range report.GeneralDiagnostics {
		found = append(found, filepath.Base(d.File)+":"+strconv.Itoa(d.Range.Start.Line+1))
	}
	slices.Sort(found)
	return slices.Compact(found)
}
