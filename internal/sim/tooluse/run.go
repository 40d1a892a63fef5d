package tooluse

import (
	"context"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// okResult is the result of a tool that has run.
func okResult(u *turn.Use, content, detail any) turn.Result {
	return turn.Result{Block: object.Of("tool_use_id", u.ID, "type", "tool_result", "content", content), Detail: detail}
}

// badResult is the result of a tool that has not run, or failed.
func badResult(u *turn.Use, content, detail any) turn.Result {
	return turn.Result{Block: object.Of("type", "tool_result", "content", content, "is_error", true, "tool_use_id", u.ID), Detail: detail}
}

// Concurrent reports whether a tool may run at the same time as others.
func (b *Box) Concurrent(name string) bool {
	switch name {
	case "Read", "Glob", "Grep":
		return true
	}
	t, ok := b.Servers.Tool(name)
	return ok && t.ReadOnly
}

// runTool runs a tool that is allowed.
func (b *Box) runTool(ctx context.Context, u *turn.Use) turn.Result {
	if r, ok := b.scripted(u.Name); ok {
		return scriptResult(u, &r)
	}
	switch {
	case u.Name == "Task" || u.Name == "Agent":
		return b.runAgent(ctx, u)
	case u.Name == "Skill":
		return b.runSkill(ctx, u)
	case u.Name == "EnterWorktree":
		return b.enterWorktree(ctx, u)
	case u.Name == "ExitWorktree":
		return b.exitWorktree(ctx, u)
	case u.Name == "Monitor" && b.Tools != nil:
		return b.runMonitor(u)
	case u.Name == "Bash" && b.Tools != nil:
		return b.runShell(ctx, u)
	case toolbox[u.Name] != nil:
		return toolbox[u.Name](b, ctx, u)
	case b.Tools != nil && tools.Acts(u.Name):
		b.Checkpoints.Save(u.Name, u.Input)
		r := b.Tools.Run(ctx, u.Name, u.Input)
		if ctx.Err() != nil {
			return rejected(u)
		}
		return turn.Result{Block: r.Block(u.ID), Detail: r.Use}
	}
	if r, ok := b.Servers.Use(ctx, u.ID, u.Name, u.Input); ok {
		switch {
		case r.Interrupted:
			return rejected(u)
		case r.Failed:
			return badResult(u, r.Content, r.Result)
		}
		return okResult(u, r.Content, r.Result)
	}
	return badResult(u, "<tool_use_error>Error: No such tool available: "+u.Name+"</tool_use_error>", "Error: No such tool available: "+u.Name)
}
