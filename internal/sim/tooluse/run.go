package tooluse

import (
	"context"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/permission"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// Concurrent reports whether a tool may be used at the same time as others. One whose input is not
// right may not.
func (b *Box) Concurrent(u *turn.Use) bool {
	if tools.Validate(u.Name, tools.Coerce(u.Name, u.Input)) != nil {
		return false
	}
	switch u.Name {
	case "Read", "Glob", "Grep", "ToolSearch", "StructuredOutput", "Task", "Agent", "TaskStop", "KillShell", "ExitPlanMode", "WebFetch", "WebSearch":
		return true
	case "Bash", "Monitor":
		return permission.ReadOnly(u.Input.Text("command"))
	}
	t, ok := b.Servers.Tool(u.Name)
	return ok && t.ReadOnly
}

// Folder is where the next command runs; "" where none does.
func (b *Box) Folder() string {
	if b.Tools == nil {
		return ""
	}
	return b.Tools.Now()
}

// runTool runs a tool that is allowed.
func (b *Box) runTool(ctx context.Context, u *turn.Use) turn.Result {
	if r, ok := b.Model.Result(u.Name, object.Append(nil, u.Input)); ok {
		if r.Acts {
			acted := b.act(ctx, u)
			if ctx.Err() != nil {
				return acted
			}
			return sameAgent(scriptResult(u, &r), acted)
		}
		return scriptResult(u, &r)
	}
	return b.act(ctx, u)
}

// act runs a tool that is allowed, and for which the script has no result.
func (b *Box) act(ctx context.Context, u *turn.Use) turn.Result {
	switch {
	case u.Name == "Monitor" && b.Tools != nil:
		return b.runMonitor(u)
	case u.Name == "Bash" && b.Tools != nil:
		return b.runShell(ctx, u)
	case own[u.Name] != nil:
		return own[u.Name](b, ctx, u)
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
			result := badResult(u, r.Content, r.Result)
			result.Beside, result.Note = r.Beside, r.Note
			return result
		}
		result := okResult(u, r.Content, r.Result)
		result.Beside = r.Beside
		return result
	}
	return badResult(u, "<tool_use_error>Error: No such tool available: "+u.Name+"</tool_use_error>", "Error: No such tool available: "+u.Name)
}

// own are the tools that act on the session itself.
var own = map[string]func(*Box, context.Context, *turn.Use) turn.Result{
	"Task": (*Box).runAgent, "Agent": (*Box).runAgent, "Skill": (*Box).runSkill,
	"EnterWorktree": (*Box).enterWorktree, "ExitWorktree": (*Box).exitWorktree,
	"ToolSearch": (*Box).searchTools, "ListAgents": (*Box).listAgents, "WebSearch": (*Box).searchWeb,
	"WebFetch": (*Box).fetchPage, "EnterPlanMode": (*Box).enterPlan, "ExitPlanMode": (*Box).exitPlan,
	"StructuredOutput": (*Box).answerInForm,
	"TaskCreate":       (*Box).createTodo, "TaskUpdate": (*Box).updateTodo,
	"TaskStop": (*Box).killTask, "KillShell": (*Box).killTask, "KillBash": (*Box).killTask,
}

func (b *Box) listAgents(_ context.Context, u *turn.Use) turn.Result {
	text := "No other agents work in this session.\n\nAn agent is listed here while it works in the background, with the id under which a message reaches it, " +
		"its kind, and what it was asked to do. Agents in other sessions on this machine are listed too, as far as they let themselves be found. " +
		"Nothing has to be done about an agent that is listed: it says by itself when it has ended, and what came of it."
	return okResult(u, text, object.Of("listing", text, "sections", []any{}, "notes", []any{}))
}
