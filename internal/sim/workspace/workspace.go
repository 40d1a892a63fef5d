// Package workspace owns where a session works: its folders and the variables of its environment.
package workspace

import (
	"path/filepath"
	"strings"
	"sync"
)

// Workspace is where a session works. Its methods may be called at the same time.
type Workspace struct {
	environ []string // as the session was started with it
	keep    string   // see New

	mu        sync.Mutex // guards the fields below
	variables map[string]string
	dir       string    // the working directory
	moved     string    // where the session works if it has left dir; "" otherwise
	worktree  *Worktree // that the session is in, nil for none
}

// Worktree is a folder that the session was moved into.
type Worktree struct {
	Path   string
	Before string // where the session was
}

// New returns the workspace of a folder, with variables of the form NAME=value. Keep is the folder
// of the CLI's configuration if the variables name none; "" for one in the user's cache.
func New(dir string, environ []string, keep string) *Workspace {
	w := &Workspace{environ: environ, keep: keep, variables: map[string]string{}, dir: dir}
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		w.variables[name] = value
	}
	return w
}

// Environ are the variables that the session was started with.
func (w *Workspace) Environ() []string { return w.environ }

// Get returns the value of a variable.
func (w *Workspace) Get(name string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.variables[name]
}

// Set gives a variable a value.
func (w *Workspace) Set(name, value string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.variables[name] = value
}

// On reports whether a variable is set to something other than off.
func (w *Workspace) On(name string) bool {
	v := strings.ToLower(w.Get(name))
	return v != "" && v != "0" && v != "false"
}

// Off reports whether a variable is set to say no.
func (w *Workspace) Off(name string) bool {
	v := strings.ToLower(w.Get(name))
	return v == "0" || v == "false" || v == "no" || v == "off"
}

// Subscribed reports whether the user has a subscription in place of a key.
func (w *Workspace) Subscribed() bool {
	return w.Get("ANTHROPIC_API_KEY") == "" && w.Get("CLAUDE_CODE_OAUTH_TOKEN") != ""
}

// ForSDK reports whether an SDK has started the CLI, or nobody says who did.
func (w *Workspace) ForSDK() bool {
	by := w.Get("CLAUDE_CODE_ENTRYPOINT")
	return by == "" || strings.HasPrefix(by, "sdk-")
}

// NoFastMode is why the model does not answer fast.
func (w *Workspace) NoFastMode() string {
	if w.On("CLAUDE_CODE_DISABLE_FAST_MODE") {
		return "disabled_by_env"
	}
	return "sdk_opt_in_required"
}

// Desktop reports whether a desktop program has started the CLI.
func (w *Workspace) Desktop() bool { return w.Get("CLAUDE_CODE_ENTRYPOINT") == "claude-desktop" }

// Embedded reports whether a program that has the CLI as a part of itself has started it.
func (w *Workspace) Embedded() bool { return w.Get("CLAUDE_CODE_ENTRYPOINT") == "local-agent" }

// Dir is the working directory.
func (w *Workspace) Dir() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.dir
}

// Move changes the working directory. It reports whether it was another.
func (w *Workspace) Move(dir string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	changed := w.dir != dir
	w.dir, w.moved = dir, ""
	return changed
}

// Cwd is the folder that the session works in: commands and worktrees move it.
func (w *Workspace) Cwd() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.moved != "" {
		return w.moved
	}
	return w.dir
}

// SetCwd notes that the session works in a folder.
func (w *Workspace) SetCwd(dir string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.moved = dir
}

// Entered is the worktree that the session is in, nil for none.
func (w *Workspace) Entered() *Worktree {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.worktree
}

// Enter notes that the session is in a worktree, nil for none, and works in a folder.
func (w *Workspace) Enter(tree *Worktree, dir string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.worktree, w.moved = tree, dir
}

// Inside returns a path relative to the working directory, and whether it is in there.
func (w *Workspace) Inside(path string) (string, bool) {
	dir := w.Dir()
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	rel, err := filepath.Rel(dir, path)
	return rel, err == nil && filepath.IsLocal(rel)
}

// ConfigDir is the folder of the CLI's configuration. Unless the environment names it, it is not
// that of the real CLI, whose settings and sessions are its user's own.
func (w *Workspace) ConfigDir() string {
	if dir := w.Get("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	if w.keep != "" {
		return w.keep
	}
	cache := w.Get("XDG_CACHE_HOME")
	if home := w.Get("HOME"); cache == "" && home != "" {
		cache = filepath.Join(home, ".cache")
	}
	if cache == "" {
		cache = w.TmpDir()
	}
	return filepath.Join(cache, "ccwire", "sim")
}

// ProjectDir is the folder in which the CLI keeps the sessions of the working directory.
func (w *Workspace) ProjectDir() string {
	return filepath.Join(w.ConfigDir(), "projects", Flat(w.Dir()))
}

// TmpDir is the folder for temporary files.
func (w *Workspace) TmpDir() string {
	if dir := w.Get("TMPDIR"); dir != "" {
		return dir
	}
	return "/tmp"
}

// Scratch is the folder for what a session needs while it runs, and removes at its end.
func (w *Workspace) Scratch() string { return filepath.Join(w.ConfigDir(), "tmp") }

// Flat is the form in which the CLI makes one name of a path.
func Flat(path string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, path)
}
