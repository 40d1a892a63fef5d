package sim

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

// noteMove looks where a command has left the session that began in a folder. It returns a function
// that calls the hooks, nil if there is nothing to tell: the SDK's callbacks are called only if the
// settings have hooks for moves or files too.
func (s *Session) noteMove(from string) func() {
	to := s.tools.Now()
	if from == to {
		return nil
	}
	s.place.SetCwd(to)
	if !s.hooks.AnyCommand("CwdChanged") && !s.hooks.AnyCommand("FileChanged") {
		return nil
	}
	return func() { s.hooks.Announce("CwdChanged", s.lastOccasion(""), "old_cwd", from, "new_cwd", to) }
}

// enterWorktree runs the tool EnterWorktree. Hooks make the worktree, if there are any for that.
// Otherwise the session must have been started in a repository, and the worktree is not made.
func (s *Session) enterWorktree(ctx context.Context, u *toolUse) toolResult {
	name := u.input.Text("name")
	if !s.hooks.Any("WorktreeCreate") {
		if _, err := os.Stat(filepath.Join(s.place.Dir(), ".git")); err == nil && s.repository {
			return okResult(u, "Created worktree "+name, object.Of("worktreePath", filepath.Join(s.place.Dir(), ".claude", "worktrees", name)))
		}
		const text = "Cannot create a worktree: not in a git repository and no WorktreeCreate hooks are configured. " +
			"Configure WorktreeCreate/WorktreeRemove hooks in settings.json to use worktree isolation with other VCS systems."
		return badResult(u, text, "Error: "+text)
	}
	v := s.hooks.Call(ctx, "WorktreeCreate", u.turn.when(nil, ""), "name", name)
	path := v.Specific.Text("worktreePath")
	if info, err := os.Stat(path); path == "" || err != nil || !info.IsDir() {
		text := fmt.Sprintf("WorktreeCreate hook failed: %q is not a folder", path)
		return badResult(u, text, "Error: "+text)
	}
	before := s.place.Cwd()
	if s.tools != nil && !s.tools.Move(path) {
		text := path + " is outside the working directory. The simulated CLI stays there, unless its script allows more."
		return badResult(u, text, "Error: "+text)
	}
	s.place.Enter(&workspace.Worktree{Path: path, Before: before}, path)
	text := fmt.Sprintf("Created worktree at “%s”. The session is now working in the worktree. "+
		"Use ExitWorktree to leave mid-session, or exit the session to be prompted.", path)
	return lastID(u, text, object.Of("worktreePath", path, "message", text))
}

// noWorktree refuses ExitWorktree in a session that is in no worktree.
var noWorktree = tools.Refuse("There is no worktree to leave: the session has entered none.")

// exitWorktree runs the tool ExitWorktree. Only hooks remove the worktree.
func (s *Session) exitWorktree(ctx context.Context, u *toolUse) toolResult {
	w := s.place.Entered()
	if w == nil {
		r := noWorktree.Result()
		return toolResult{block: r.Block(u.id), result: r.Use}
	}
	action := u.input.Text("action")
	what := "Exited worktree"
	if action == "remove" {
		s.hooks.Call(ctx, "WorktreeRemove", u.turn.when(nil, ""), "worktree_path", w.Path)
		what = "Exited and removed worktree"
	}
	if s.tools != nil {
		s.tools.Move(w.Before)
	}
	s.place.Enter(nil, w.Before)
	text := fmt.Sprintf("%s at “%s”. Session is now back in “%s”.", what, w.Path, w.Before)
	return lastID(u, text, object.Of("action", action, "originalCwd", w.Before, "worktreePath", w.Path, "discardedFiles", 0, "discardedCommits", 0,
		"restoredCwd", w.Before, "originalCwdMissing", false, "message", text))
}
