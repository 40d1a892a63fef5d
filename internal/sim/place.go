package sim

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/tools"
)

// place is where a session works, if it has left its working directory.
type place struct {
	mu       sync.Mutex // guards the fields below
	dir      string     // "" for the working directory
	worktree *worktree  // that the session is in, nil for none
}

// worktree is a folder that the session was moved into.
type worktree struct {
	path   string
	before string // where the session was
}

func (p *place) get() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dir
}

func (p *place) set(dir string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dir = dir
}

// entered is the worktree that the session is in, nil for none.
func (p *place) entered() *worktree {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.worktree
}

// enter notes that the session is in a worktree, nil for none.
func (p *place) enter(w *worktree, dir string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.worktree, p.dir = w, dir
}

// cwd is the folder that the session works in: commands and worktrees move it.
func (s *Session) cwd() string {
	if dir := s.where.get(); dir != "" {
		return dir
	}
	return s.Dir
}

// noteMove looks where a command has left the session that began in a folder. It returns a function
// that calls the hooks, nil if there is nothing to tell: the SDK's callbacks are called only if the
// settings have hooks for moves or files too.
func (s *Session) noteMove(from string) func() {
	to := s.tools.Now()
	if from == to {
		return nil
	}
	s.where.set(to)
	if !s.hooks.anyCommand("CwdChanged") && !s.hooks.anyCommand("FileChanged") {
		return nil
	}
	return func() { s.announce("CwdChanged", s.lastOccasion(""), "old_cwd", from, "new_cwd", to) }
}

// enterWorktree runs the tool EnterWorktree. Hooks make the worktree, if there are any for that.
// Otherwise the session must have been started in a repository, and the worktree is not made.
func (s *Session) enterWorktree(ctx context.Context, u *toolUse) toolResult {
	name := u.input.Text("name")
	if !s.hooks.any("WorktreeCreate") {
		if _, err := os.Stat(filepath.Join(s.Dir, ".git")); err == nil && s.repository {
			return okResult(u, "Created worktree "+name, object.Of("worktreePath", filepath.Join(s.Dir, ".claude", "worktrees", name)))
		}
		const text = "Cannot create a worktree: not in a git repository and no WorktreeCreate hooks are configured. " +
			"Configure WorktreeCreate/WorktreeRemove hooks in settings.json to use worktree isolation with other VCS systems."
		return badResult(u, text, "Error: "+text)
	}
	v := s.callHooks(ctx, "WorktreeCreate", occasion{turn: u.turn}, "name", name)
	path := v.Specific.Text("worktreePath")
	if info, err := os.Stat(path); path == "" || err != nil || !info.IsDir() {
		text := fmt.Sprintf("WorktreeCreate hook failed: %q is not a folder", path)
		return badResult(u, text, "Error: "+text)
	}
	before := s.cwd()
	if s.tools != nil && !s.tools.Move(path) {
		text := path + " is outside the working directory. The simulated CLI stays there, unless its script allows more."
		return badResult(u, text, "Error: "+text)
	}
	s.where.enter(&worktree{path, before}, path)
	text := fmt.Sprintf("Created worktree at “%s”. The session is now working in the worktree. "+
		"Use ExitWorktree to leave mid-session, or exit the session to be prompted.", path)
	return lastID(u, text, object.Of("worktreePath", path, "message", text))
}

// noWorktree refuses ExitWorktree in a session that is in no worktree.
var noWorktree = tools.Refuse("There is no worktree to leave: the session has entered none.")

// exitWorktree runs the tool ExitWorktree. Only hooks remove the worktree.
func (s *Session) exitWorktree(ctx context.Context, u *toolUse) toolResult {
	w := s.where.entered()
	if w == nil {
		r := noWorktree.Result()
		return toolResult{block: r.Block(u.id), result: r.Use}
	}
	action := u.input.Text("action")
	what := "Exited worktree"
	if action == "remove" {
		s.callHooks(ctx, "WorktreeRemove", occasion{turn: u.turn}, "worktree_path", w.path)
		what = "Exited and removed worktree"
	}
	if s.tools != nil {
		s.tools.Move(w.before)
	}
	s.where.enter(nil, w.before)
	text := fmt.Sprintf("%s at “%s”. Session is now back in “%s”.", what, w.path, w.before)
	return lastID(u, text, object.Of("action", action, "originalCwd", w.before, "worktreePath", w.path, "discardedFiles", 0, "discardedCommits", 0,
		"restoredCwd", w.before, "originalCwdMissing", false, "message", text))
}
