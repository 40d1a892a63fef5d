package sim

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// keep holds the settings and sessions of a CLI in this process whose environment names no folder
// for them. They are on disk while a session runs, and in memory otherwise, so that sessions can be
// resumed and nothing is left behind.
type keep struct {
	mu    sync.Mutex // guards the fields below
	dir   string     // "" if no session runs
	users int
	files map[string][]byte // what is in the folder, if no session runs
}

// open returns the folder, for a session that calls close at its end. The folder is "" for a
// session whose environment names one.
func (k *keep) open(env []string) (dir string, close func(), err error) {
	if slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, "CLAUDE_CONFIG_DIR=") && !strings.HasSuffix(v, "=") }) {
		return "", func() {}, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.users == 0 {
		if k.dir, err = os.MkdirTemp("", "ccwire-sim-"); err != nil {
			return "", nil, err
		}
		for name, data := range k.files {
			path := filepath.Join(k.dir, name)
			if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
				err = os.WriteFile(path, data, 0o600)
			}
			if err != nil {
				_ = os.RemoveAll(k.dir) // the error before says it
				return "", nil, err
			}
		}
	}
	k.users++
	return k.dir, sync.OnceFunc(k.close), nil
}

// close ends the use of the folder by a session.
func (k *keep) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.users--; k.users > 0 {
		return
	}
	k.files = map[string][]byte{}
	_ = filepath.WalkDir(k.dir, func(path string, entry fs.DirEntry, err error) error { // what cannot be read is not kept
		if err != nil || !entry.Type().IsRegular() {
			return nil
		}
		name, _ := filepath.Rel(k.dir, path) // it is in there
		if data, err := os.ReadFile(path); err == nil {
			k.files[name] = data
		}
		return nil
	})
	_ = os.RemoveAll(k.dir) // it is a temporary one
}
