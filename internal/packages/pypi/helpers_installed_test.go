//go:build packages

package pypi_test

import (
	"path/filepath"
	"testing"

	"github.com/ccwire/ccwire/internal/workshop"
)

func TestInstalledHelpersForTestsHoldWhatTheySay(t *testing.T) {
	install(t)
	dir := t.TempDir()
	file, err := filepath.Abs("testdata/test_helpers.py")
	if err != nil {
		t.Fatal(err)
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	workshop.Write(t, filepath.Join(dir, "pytest.ini"), []byte("[pytest]\n"))
	t.Log(python(t, dir, "-m", "pytest", "-q", "-n", "8", "-p", "no:cacheprovider", "-c", "pytest.ini", "--rootdir", dir, "--basetemp", filepath.Join(dir, "tests"), file))
	left, err := filepath.Glob(filepath.Join(temporary, "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}
