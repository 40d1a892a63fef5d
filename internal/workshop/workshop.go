// Package workshop installs programs in other languages for tests, with the packages that their
// lock files pin, and runs them. They are in the folder ccwire/languages of the user's cache, or in
// LANGUAGES_CACHE.
package workshop

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Cache returns the folder that all is installed in.
func Cache(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("LANGUAGES_CACHE"); dir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			t.Fatal(err)
		}
		return abs
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "ccwire", "languages")
}

// Node returns a folder with the programs of another one, for Node.js, and their packages.
func Node(t testing.TB, source string) string {
	t.Helper()
	dir, fresh := install(t, source, "package-lock.json")
	if fresh {
		Run(t, dir, "npm", "ci", "--no-fund", "--no-audit", "--ignore-scripts")
		done(t, dir)
	}
	return dir
}

// Python returns a virtual environment with programs for Python and their packages.
func Python(t testing.TB, source string) string {
	t.Helper()
	dir, fresh := install(t, source, "requirements.txt")
	if fresh {
		Run(t, dir, "python3", "-m", "venv", ".")
		Run(t, dir, "bin/pip", "install", "--quiet", "--no-deps", "--requirement", "requirements.txt")
		done(t, dir)
	}
	return dir
}

// Rust returns a folder with programs for Rust; cargo itself fetches what they need.
func Rust(t testing.TB, source string) string {
	t.Helper()
	dir, _ := install(t, source, "Cargo.lock")
	return dir
}

// install copies a folder into the cache, to one for each state of its lock file. It is fresh until
// done is called.
func install(t testing.TB, source, lock string) (dir string, fresh bool) {
	t.Helper()
	sum := sha256.Sum256(read(t, filepath.Join(source, lock)))
	dir = filepath.Join(Cache(t), filepath.Base(source)+"-"+hex.EncodeToString(sum[:6]))
	err := filepath.WalkDir(source, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rest, err := filepath.Rel(source, name)
		if err != nil {
			return err
		}
		Write(t, filepath.Join(dir, rest), read(t, name))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = os.Stat(filepath.Join(dir, ".installed"))
	return dir, err != nil
}

func done(t testing.TB, dir string) {
	t.Helper()
	Write(t, filepath.Join(dir, ".installed"), nil)
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Write writes a file unless it is there with the same text, so that compilers need not run again.
func Write(t testing.TB, name string, text []byte) {
	t.Helper()
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, text) {
		return
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Run runs a command in dir and returns its output. A command with a slash is in dir.
func Run(t testing.TB, dir, name string, args ...string) []byte {
	t.Helper()
	if filepath.Base(name) != name {
		name = filepath.Join(dir, name)
	} else if _, err := exec.LookPath(name); err != nil {
		t.Fatalf("%v: install it to run this test (apt-get install nodejs npm python3-venv cargo)", err)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	cmd.Env = append(os.Environ(), "CARGO_TARGET_DIR="+filepath.Join(dir, "target"))
	if err := cmd.Run(); err != nil {
		const most = 8000
		out := append(stdout.Bytes(), stderr.Bytes()...)
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out[:min(len(out), most)])
	}
	return stdout.Bytes()
}
