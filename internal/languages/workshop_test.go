//go:build languages

package languages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// A workshop is where the programs of a language are installed and run.
type workshop struct {
	t                        testing.TB
	bundle, excerpt, samples string // files
}

// inputs are what all programs read, made once.
var inputs sync.Once

func newWorkshop(t testing.TB) *workshop {
	t.Helper()
	dir := filepath.Join(cache(t), "inputs")
	w := &workshop{t, filepath.Join(dir, "bundle.json"), filepath.Join(dir, "excerpt.json"), filepath.Join(dir, "samples.ndjson")}
	inputs.Do(func() {
		whole, excerpt := bundles(t)
		w.write(w.bundle, whole)
		w.write(w.excerpt, excerpt)
		w.write(w.samples, ndjson(t, samples(t)))
	})
	return w
}

// cache returns the folder that tools are installed in.
func cache(t testing.TB) string {
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

// node returns a folder with the programs for Node.js and their packages.
func (w *workshop) node() string {
	w.t.Helper()
	dir, fresh := w.install("node", "package-lock.json")
	if fresh {
		w.run(dir, "npm", "ci", "--no-fund", "--no-audit", "--ignore-scripts")
		w.done(dir)
	}
	return dir
}

// python returns a virtual environment with the programs for Python and their packages.
func (w *workshop) python() string {
	w.t.Helper()
	dir, fresh := w.install("python", "requirements.txt")
	if fresh {
		w.run(dir, "python3", "-m", "venv", ".")
		w.run(dir, "bin/pip", "install", "--quiet", "--no-deps", "--requirement", "requirements.txt")
		w.done(dir)
	}
	return dir
}

// rust returns a folder with the programs for Rust; cargo itself fetches what they need.
func (w *workshop) rust() string {
	w.t.Helper()
	dir, _ := w.install("rust", "Cargo.lock")
	return dir
}

// install copies the folder of a language into the cache, to one for each state of its lock file.
// It is fresh until done is called.
func (w *workshop) install(language, lock string) (dir string, fresh bool) {
	w.t.Helper()
	sum := sha256.Sum256([]byte(read(w.t, filepath.Join(language, lock))))
	dir = filepath.Join(cache(w.t), language+"-"+hex.EncodeToString(sum[:6]))
	err := filepath.WalkDir(language, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rest, err := filepath.Rel(language, name)
		if err != nil {
			return err
		}
		w.write(filepath.Join(dir, rest), []byte(read(w.t, name)))
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	_, err = os.Stat(filepath.Join(dir, ".installed"))
	return dir, err != nil
}

func (w *workshop) done(dir string) {
	w.t.Helper()
	w.write(filepath.Join(dir, ".installed"), nil)
}

// write writes a file unless it is there with the same text, so that compilers need not run again.
func (w *workshop) write(name string, text []byte) {
	w.t.Helper()
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, text) {
		return
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// run runs a command in dir and returns its output. A command with a slash is in dir.
func (w *workshop) run(dir, name string, args ...string) []byte {
	w.t.Helper()
	if filepath.Base(name) != name {
		name = filepath.Join(dir, name)
	} else if _, err := exec.LookPath(name); err != nil {
		w.t.Fatalf("%v: install it to run this test (apt-get install nodejs npm python3-venv cargo)", err)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	cmd.Env = append(os.Environ(), "CARGO_TARGET_DIR="+filepath.Join(dir, "target"), "WIRE_TYPES="+filepath.Join(dir, "types.rs"))
	if err := cmd.Run(); err != nil {
		const most = 8000
		out := append(stdout.Bytes(), stderr.Bytes()...)
		w.t.Fatalf("%v: %v\n%s", cmd.Args, err, out[:min(len(out), most)])
	}
	return stdout.Bytes()
}
