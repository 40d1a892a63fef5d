//go:build packages

package pypi_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ccwire/ccwire/internal/packages/packagestest"
	"github.com/ccwire/ccwire/internal/workshop"
)

// environment is a virtual environment with the packed wheel, made once for all tests.
var environment struct {
	once       sync.Once
	dir, wheel string
}

// install returns the folder of the environment. It has what the wheel brings, and sees the
// packages that requirements.txt pins.
func install(t *testing.T) string {
	t.Helper()
	environment.once.Do(func() {
		pinned := workshop.Python(t, "testdata/python")
		dir, err := os.MkdirTemp("", "environment")
		if err != nil {
			t.Fatal(err)
		}
		run(t, ".", "python3", "-m", "venv", dir)
		site := strings.TrimSpace(run(t, ".", filepath.Join(pinned, "bin/python"), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"))
		own := strings.TrimSpace(run(t, ".", filepath.Join(dir, "bin/python"), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"))
		if err := os.WriteFile(filepath.Join(own, "pinned.pth"), []byte(site+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		wheels := packagestest.Pack(t, "pypi")
		environment.wheel = filepath.Join(dir, filepath.Base(wheels[0]))
		if err := os.Rename(wheels[0], environment.wheel); err != nil {
			t.Fatal(err)
		}
		run(t, ".", filepath.Join(dir, "bin/pip"), "install", "--quiet", "--no-index", environment.wheel)
		environment.dir = dir
	})
	if environment.dir == "" {
		t.Fatal("the wheel could not be installed")
	}
	return environment.dir
}

// run runs a command without Go, and returns what it writes to its standard output.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := packagestest.Command(t, dir, name, args...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s%s", args, err, out, stderr(err))
	}
	return string(out)
}

// python runs a module, or a program of testdata, in the environment.
func python(t *testing.T, dir string, args ...string) string {
	t.Helper()
	return run(t, dir, filepath.Join(install(t), "bin/python"), args...)
}
