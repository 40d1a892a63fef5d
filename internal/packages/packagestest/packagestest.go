// Package packagestest helps tests to install packed packages as a user does: from files, and on a
// machine without Go.
package packagestest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/ccwire/ccwire/internal/packages"
	"github.com/ccwire/ccwire/internal/packages/model"
	"github.com/ccwire/ccwire/schema"
)

// Version is the version of what Pack makes.
const Version = "0.1.0"

var built struct {
	once sync.Once
	dir  string
	err  error
	out  []byte
}

// Pack makes the packages for a registry, with the command for this platform, as a release does. It
// returns their paths.
func Pack(t testing.TB, registry string) []string {
	t.Helper()
	program := programs(t)
	out := t.TempDir()
	printed, err := exec.CommandContext(t.Context(), program, "package", registry,
		"--programs", filepath.Dir(program), "--out", out, "--version", Version).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	files, err := filepath.Glob(filepath.Join(out, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("nothing was made, %v", err)
	}
	return files
}

// programs builds the command once for all tests of a process, and returns its path.
func programs(t testing.TB) string {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "packages"); built.err != nil {
			return
		}
		cmd := exec.Command("make", "binaries", "PLATFORMS="+runtime.GOOS+"/"+runtime.GOARCH, "DIST="+filepath.Join(built.dir, "dist"))
		cmd.Dir = root()
		built.out, built.err = cmd.CombinedOutput()
	})
	if built.err != nil {
		t.Fatalf("%v\n%s", built.err, built.out)
	}
	name := "protogen-" + runtime.GOOS + "-" + runtime.GOARCH
	return filepath.Join(built.dir, "dist", name)
}

// Source returns a source with small programs, as the tests of targets have it.
func Source(t testing.TB, version string) *packages.Source {
	t.Helper()
	m, err := model.New(schema.Default())
	if err != nil {
		t.Fatal(err)
	}
	return &packages.Source{
		Model:   m,
		Info:    packages.Info{Version: version, SchemaRevision: m.Revision, NewestCLI: "2.1.328", Repository: packages.Repository},
		Licence: []byte("MIT\n"),
		Programs: []packages.Program{
			{OS: "linux", Arch: "amd64", Data: []byte("elf")},
			{OS: "windows", Arch: "arm64", Data: []byte("exe")},
		},
	}
}

// Clean removes what Pack has built. TestMain calls it at the end.
func Clean() { os.RemoveAll(built.dir) }

// root is the folder of the module.
func root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "..")
}

// Command returns a command that runs in a folder, with no Go on its PATH.
func Command(t testing.TB, dir, name string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+withoutGo(t))
	return cmd
}

// withoutGo returns the PATH without Go. In the place of a folder with go there is one with links
// to the other commands.
func withoutGo(t testing.TB) string {
	t.Helper()
	list := filepath.SplitList(os.Getenv("PATH"))
	for i, dir := range list {
		if _, err := os.Stat(filepath.Join(dir, "go")); err != nil {
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		list[i] = t.TempDir()
		for _, e := range entries {
			if e.Name() == "go" || e.Name() == "gofmt" {
				continue
			}
			if err := os.Symlink(filepath.Join(dir, e.Name()), filepath.Join(list[i], e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	return strings.Join(list, string(os.PathListSeparator))
}
