//go:build packages

package npm_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/ccwire/ccwire/internal/packages/packagestest"
	"github.com/ccwire/ccwire/internal/workshop"
)

func TestMain(m *testing.M) {
	code := m.Run()
	packagestest.Clean()
	os.RemoveAll(shared.dir)
	os.Exit(code)
}

// shared is the project that most tests use.
var shared struct {
	once sync.Once
	dir  string
}

// project returns the folder of a project that has the packed packages and the tools that the
// folder node pins, with the programs there.
func project(t *testing.T) string {
	t.Helper()
	shared.once.Do(func() {
		dir, err := os.MkdirTemp("", "project")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(dir, os.DirFS("node")); err != nil {
			t.Fatal(err)
		}
		run(t, dir, "npm", "ci", "--no-fund", "--no-audit", "--ignore-scripts", "--omit=optional")
		add(t, dir, "--no-save", "--ignore-scripts")
		shared.dir = dir
	})
	if shared.dir == "" {
		t.Fatal("the packages are not installed")
	}
	return shared.dir
}

// add installs the packed packages in a folder.
func add(t *testing.T, dir string, flags ...string) {
	t.Helper()
	run(t, dir, "npm", append(append([]string{"install", "--no-audit", "--no-fund"}, flags...), packagestest.Pack(t, "npm")...)...)
}

// run runs a command without Go on its PATH, and returns what it prints.
func run(t *testing.T, dir, name string, args ...string) []byte {
	t.Helper()
	cmd := packagestest.Command(t, dir, name, args...)
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%q: %v\n%s", cmd.Args, err, out[:min(len(out), 8000)])
	}
	return out
}

// compile runs the TypeScript compiler with the strictest options.
func compile(t *testing.T, dir string, args ...string) {
	t.Helper()
	run(t, dir, "node", append([]string{"node_modules/typescript/bin/tsc", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess",
		"--target", "es2022", "--module", "nodenext"}, args...)...)
}

func write(t *testing.T, dir, name string, text []byte) {
	t.Helper()
	workshop.Write(t, filepath.Join(dir, name), text)
}

func readNames(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
