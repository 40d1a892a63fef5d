package sim

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/permission"
	"github.com/ccwire/ccwire/internal/sim/tools"
)

// occasion is when hooks are called for the use of a tool.
func (u *toolUse) occasion() occasion {
	return occasion{turn: u.turn, agent: u.agent, name: u.name, id: u.id}
}

// deny notes that the tool was not allowed.
func (u *toolUse) deny(observed object.Object) {
	denied := *u
	denied.input = observed
	u.turn.top().deny(&denied)
}

// useTool uses a tool: the hooks before it, the permission, the tool, the hooks after it.
func (s *Session) useTool(ctx context.Context, u *toolUse) toolResult {
	defer u.turn.release(u.id)
	if r := s.checkTool(u); r != nil {
		result := r.Result()
		return toolResult{block: result.Block(u.id), result: result.Use}
	}
	observed := tools.Observed(u.name, u.input, s.place.Cwd())
	v := s.callHooks(ctx, "PreToolUse", u.occasion(), "tool_name", u.name, "tool_input", observed, "tool_use_id", u.id, "mcp_server", s.toolServer(u.name))
	u.turn.release(u.id)
	if r := s.stopped(u, observed, &v); r != nil {
		return *r
	}
	if v.Input != nil {
		u.input = v.Input
		observed = tools.Observed(u.name, u.input, s.place.Cwd())
	}
	d := s.judged(u, observed, &v)
	d.Silent = v.Decision == "allow"
	p := s.permit(ctx, u, observed, d)
	if d.Reason == "hook" && d.Behavior == permission.Allow {
		p.meta = accept("hook", "hook")
	}
	var r toolResult
	if p.no != nil {
		r = *p.no
	} else {
		if p.input != nil {
			u.input, u.changed = p.input, true
			observed = tools.Observed(u.name, u.input, s.place.Cwd())
		}
		r = s.runAllowed(ctx, u, observed, p.meta)
	}
	r.said = append(v.Messages, r.said...)
	r.told = append(v.Contexts, r.told...)
	if v.Stop {
		r.end = hookStopped()
	}
	return r
}

func hookStopped() *outcome {
	return &outcome{reason: "hook_stopped", subtype: "success"}
}

// checkTool returns why a tool is not even asked for.
func (s *Session) checkTool(u *toolUse) *tools.Refusal {
	if r := s.missing(u.name); r != nil {
		return r
	}
	if _, scripted := s.Model.Script().Tools[u.name]; scripted || s.tools == nil {
		return nil
	}
	switch u.name {
	case "ExitPlanMode":
		if s.permissionMode() != "plan" {
			return tools.Refuse("The session is not in plan mode. EnterPlanMode begins it; a plan that was approved is simply carried out.")
		}
	case "TaskStop", "KillShell", "KillBash":
		if id := taskID(u.input); s.tasks.find(id) == nil {
			return tools.Refuse("No task found with ID: " + id)
		}
	case "ExitWorktree":
		if s.place.Entered() == nil {
			return noWorktree
		}
	case "Skill":
		if s.ext.Command(u.input.Text("skill")) == nil {
			return tools.Refuse("Unknown skill: " + u.input.Text("skill"))
		}
	}
	return s.tools.Check(u.name, u.input)
}

func taskID(in object.Object) string {
	for _, name := range []string{"task_id", "shell_id", "bash_id"} {
		if id := in.Text(name); id != "" {
			return id
		}
	}
	return ""
}

// stopped returns the result of a tool that a hook stops, nil if none does.
func (s *Session) stopped(u *toolUse, observed object.Object, v *hooks.Verdict) *toolResult {
	failed := func(text string) *toolResult {
		r := badResult(u, text, "Error: "+text)
		return &r
	}
	switch {
	case v.Aborted != nil:
		r := unasked(u)
		return &r
	case v.Closed:
		const text = "The user doesn't want to take this action right now. STOP what you are doing and wait for the user to tell you how to proceed."
		r := badResult(u, text, text)
		r.meta = object.Of("non_execution_kind", "cancelled")
		return &r
	case v.TimedOut != nil:
		return failed("PreToolUse hook did not respond before its timeout (host client may be unreachable). " +
			"The tool call was not executed; other configured hooks may not have completed.")
	case v.Unexpected:
		return failed("PreToolUse hook failed with an unexpected error. The tool call was not executed; other configured hooks may not have completed.")
	case v.Decision == "deny":
		u.deny(observed)
		p := refuse(u, v.Reason, "permission-rule", reject("hook", "hook"))
		p.no.said = v.Messages
		p.no.told = v.Contexts
		if v.Stop {
			p.no.end = hookStopped()
		}
		return p.no
	case v.Decision == "defer":
		return &toolResult{end: &outcome{
			reason: "tool_deferred", subtype: "success", deferred: object.Of("id", u.id, "name", u.name, "input", observed),
		}}
	}
	return nil
}

// judged decides on a tool, with what hooks have decided before.
func (s *Session) judged(u *toolUse, observed object.Object, v *hooks.Verdict) permission.Decision {
	d := s.decide(u, observed)
	switch {
	case d.Behavior == permission.Deny && d.Reason != "mode" && !d.Unchecked:
		return d // a rule beats a hook
	case v.Decision == "allow" && !d.Interactive && !d.ByRule:
		return permission.Decision{Behavior: permission.Allow, Reason: "hook"}
	case v.Decision == "ask":
		return permission.Decision{Behavior: permission.Ask, Reason: "hook", Text: v.Reason, Description: d.Description, Message: v.Reason,
			HookEvent: "PreToolUse", HookSource: "settings"}
	}
	return d
}

// runAllowed runs a tool and calls the hooks after it.
func (s *Session) runAllowed(ctx context.Context, u *toolUse, observed, decision object.Object) toolResult {
	began := time.Now()
	r := s.runTool(ctx, u)
	if ctx.Err() != nil {
		return r
	}
	if r.meta == nil {
		r.meta = object.Of("permission_decision", decision)
	}
	took := time.Since(began).Milliseconds()
	var v hooks.Verdict
	if r.block.Bool("is_error") {
		text, _ := r.block.Get("content").(string)
		v = s.callHooks(ctx, "PostToolUseFailure", u.occasion(), "tool_name", u.name, "tool_input", observed, "tool_use_id", u.id, "error", text,
			"is_interrupt", false, "duration_ms", took, "mcp_server", s.toolServer(u.name))
	} else {
		v = s.callHooks(ctx, "PostToolUse", u.occasion(), "tool_name", u.name, "tool_input", observed, "tool_response", r.result, "tool_use_id", u.id,
			"duration_ms", took, "mcp_server", s.toolServer(u.name))
	}
	if output, ok := v.Specific.Lookup("updatedMCPToolOutput"); ok && isMCP(u.name) {
		r.block = r.block.With("content", output)
		r.result = output
	}
	r.saidAfter = v.Messages
	r.told = append(r.told, v.Contexts...)
	if v.Decision == "deny" && v.Reason != "" {
		r.told = append(r.told, fmt.Sprintf("PostToolUse:%s hook blocking error: %s", u.name, v.Reason))
	}
	if v.Stop {
		r.end = hookStopped()
	}
	if u.name == "Read" && r.after == nil && !r.block.Bool("is_error") {
		r.after = func() { u.turn.instructionsNear(u) }
	}
	return r
}

func isMCP(name string) bool { return strings.HasPrefix(name, "mcp__") }

// missing refuses a tool that the session does not have.
func (s *Session) missing(name string) *tools.Refusal {
	if _, ok := s.Model.Script().Tools[name]; ok {
		return nil
	}
	if s.permissions.policy.Disabled(name) {
		return tools.Missing(name, true)
	}
	if s.hasTool(name) {
		return nil
	}
	return tools.Missing(name, dormant[name])
}

// dormant are tools that the CLI knows and most sessions do not have.
var dormant = map[string]bool{"TodoWrite": true, "AskUserQuestion": true}

// otherTools are names that tools have beside those that are listed.
var otherTools = map[string]bool{"Agent": true, "KillShell": true, "KillBash": true, "WebFetch": true, "CronDelete": true}

// hasTool reports whether the model can use a tool.
func (s *Session) hasTool(name string) bool {
	return slices.Contains(s.toolNames(), name) || otherTools[name]
}

// toolServer is the MCP server that a tool is of, Absent for none.
func (s *Session) toolServer(name string) any {
	t, ok := s.mcp.servers.Tool(name)
	if !ok {
		return object.Absent
	}
	return object.Of("name", t.Server, "source", t.Source)
}

// toolTitle is the name of a tool for people.
func (s *Session) toolTitle(name string) string {
	if t, ok := s.mcp.servers.Tool(name); ok {
		return t.Title
	}
	return name
}
