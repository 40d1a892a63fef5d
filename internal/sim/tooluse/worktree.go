package tooluse

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/turn"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

// moved is called when a command has ended that began in a folder. One of a subagent moves nobody.
func (b *Box) moved(u *turn.Use, from string) func() {
	if u.Agent.ID != "" && !b.Out.Release().Before("2.1.325") {
		b.Tools.Move(from)
		return nil
	}
	return b.noteMove(from)
}

// noteMove looks where a command has left the session that began in a folder. It returns a function
// that calls the hooks, nil if there is nothing to tell: the SDK's callbacks are called only if the
// settings have hooks for moves or files too.
func (b *Box) noteMove(from string) func() {
	to := b.Tools.Now()
	if from == to {
		return nil
	}
	b.Place.SetCwd(to)
	if !b.Hooks.AnyCommand("CwdChanged") && !b.Hooks.AnyCommand("FileChanged") {
		return nil
	}
	return func() { b.Hooks.Announce("CwdChanged", b.Stage.LastOccasion(""), "old_cwd", from, "new_cwd", to) }
}

// enterWorktree runs the tool EnterWorktree. Hooks make the worktree, if there are any for that.
// Otherwise the session must have been started in a repository, and the worktree is not made.
func (b *Box) enterWorktree(ctx context.Context, u *turn.Use) turn.Result {
	name := u.Input.Text("name")
	if !b.Hooks.Any("WorktreeCreate") {
		if _, err := os.Stat(filepath.Join(b.Place.Dir(), ".git")); err == nil && b.Repository {
			return okResult(u, "Created worktree "+name, object.Of("worktreePath", filepath.Join(b.Place.Dir(), ".claude", "worktrees", name)))
		}
		const text = "Cannot create a worktree: not in a git repository and no WorktreeCreate hooks are configured. " +
			"Configure WorktreeCreate/WorktreeRemove hooks in settings.json to use worktree isolation with other VCS systems."
		return badResult(u, text, "Error: "+text)
	}
	v := b.Hooks.Call(ctx, "WorktreeCreate", u.Turn.When(nil, ""), "name", name)
	path := v.Specific.Text("worktreePath")
	if info, err := os.Stat(path); path == "" || err != nil || !info.IsDir() {
		text := fmt.Sprintf("WorktreeCreate hook failed: %q is not a folder", path)
		return badResult(u, text, "Error: "+text)
	}
	before := b.Place.Cwd()
	if b.Tools != nil && !b.Tools.Move(path) {
		text := path + " is outside the working directory. The simulated CLI stays there, unless its script allows more."
		return badResult(u, text, "Error: "+text)
	}
	b.Place.Enter(&workspace.Worktree{Path: path, Before: before}, path)
	text := fmt.Sprintf("Created worktree at “%s”. The session is now working in the worktree. "+
		"Use ExitWorktree to leave mid-session, or exit the session to be prompted.", path)
	return lastID(u, text, object.Of("worktreePath", path, "message", text))
}

// isolate has hooks make a worktree for a subagent that is to have its own. It returns a result if
// that is not possible. Without hooks the session must have been started in a repository, and the
// worktree is not made: the subagent works where the session does.
func (b *Box) isolate(ctx context.Context, u *turn.Use, a *turn.Agent) *turn.Result {
	if u.Input.Text("isolation") != "worktree" {
		return nil
	}
	if b.Hooks.Any("WorktreeCreate") {
		b.Hooks.Call(ctx, "WorktreeCreate", u.Turn.When(nil, ""), "name", "agent-"+a.ID)
		return nil
	}
	if b.Repository {
		return nil
	}
	const text = "Cannot create agent worktree: not in a git repository and no WorktreeCreate hooks are configured. " +
		"Configure WorktreeCreate/WorktreeRemove hooks in settings.json to use worktree isolation with other VCS systems."
	r := badResult(u, text, "Error: "+text)
	return &r
}

// noWorktree refuses ExitWorktree in a session that is in no worktree.
var noWorktree = tools.Refuse("There is no worktree to leave: the session has entered none.")

// exitWorktree runs the tool ExitWorktree. Only hooks remove the worktree.
func (b *Box) exitWorktree(ctx context.Context, u *turn.Use) turn.Result {
	w := b.Place.Entered()
	if w == nil {
		r := noWorktree.Result()
		return turn.Result{Block: r.Block(u.ID), Detail: r.Use}
	}
	action := u.Input.Text("action")
	what := "Exited worktree"
	if action == "remove" {
		b.Hooks.Call(ctx, "WorktreeRemove", u.Turn.When(nil, ""), "worktree_path", w.Path)
		what = "Exited and removed worktree"
	}
	if b.Tools != nil {
		b.Tools.Move(w.Before)
	}
	b.Place.Enter(nil, w.Before)
	text := fmt.Sprintf("%s at “%s”. Session is now back in “%s”.", what, w.Path, w.Before)
	return lastID(u, text, object.Of("action", action, "originalCwd", w.Before, "worktreePath", w.Path, "discardedFiles", 0, "discardedCommits", 0,
		"restoredCwd", w.Before, "originalCwdMissing", false, "message", text))
}
