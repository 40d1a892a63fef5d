package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ccwire/ccwire/internal/clienv"
)

// Scratch is a set of empty folders for one session.
type Scratch struct {
	Root   string // holds the others
	Cwd    string // the working directory
	Home   string // HOME
	Config string // CLAUDE_CONFIG_DIR
	Tmp    string // TMPDIR
}

// NewScratch makes the folders below the system's folder for temporary files and puts the files
// into the working directory.
func NewScratch(files map[string][]byte) (s *Scratch, err error) {
	root, err := makeRoot()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(root)
		}
	}()
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return nil, err
	}
	s = &Scratch{Root: root, Cwd: filepath.Join(root, "cwd"), Home: filepath.Join(root, "home"),
		Config: filepath.Join(root, "config"), Tmp: filepath.Join(root, "tmp")}
	for _, dir := range []string{s.Cwd, s.Home, s.Config, s.Tmp} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
	}
	for name, data := range files {
		path := filepath.Join(s.Cwd, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, data, 0o700); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Remove removes the folders. A process that has just ended may still leave files there for a
// moment, so it tries for a while.
func (s *Scratch) Remove() (err error) {
	for range 20 {
		if err = os.RemoveAll(s.Root); err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		time.Sleep(25 * time.Millisecond)
	}
	return err
}

// Env returns the environment of a CLI in these folders: nothing of the caller's but PATH, a dummy
// key, and apiURL as the only address. Members of extra come last and so win.
func (s *Scratch) Env(apiURL string, extra map[string]string) []string {
	env := append(clienv.API(apiURL),
		"PATH="+os.Getenv("PATH"),
		"HOME="+s.Home,
		"CLAUDE_CONFIG_DIR="+s.Config,
		"TMPDIR="+s.Tmp,
		"LANG=C.UTF-8",
		"TZ=UTC",
		"CLAUDE_CODE_ENTRYPOINT=sdk-py",
	)
	for k, v := range extra {
		env = slices.DeleteFunc(env, func(e string) bool { return len(e) > len(k) && e[:len(k)] == k && e[len(k)] == '=' })
		if v != "" {
			env = append(env, k+"="+v)
		}
	}
	return env
}

// makeRoot makes a folder whose path always has the same length, so that sizes and estimates that
// depend on it do not vary.
func makeRoot() (string, error) {
	for {
		root := filepath.Join(os.TempDir(), fmt.Sprintf("ccwire-%08x", rand.Uint32()))
		err := os.Mkdir(root, 0o700)
		if !errors.Is(err, fs.ErrExist) {
			return root, err
		}
	}
}
