package sim

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/life"
	"github.com/ccwire/ccwire/internal/sim/permit"
	"github.com/ccwire/ccwire/internal/sim/tools"
)

// occasion is when hooks are called for the use of a tool.
func (u *toolUse) occasion() hooks.Occasion {
	o := u.turn.when(u.agent, u.name)
	o.ID = u.id
	return o
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
	v := s.hooks.Call(ctx, "PreToolUse", u.occasion(), "tool_name", u.name, "tool_input", observed, "tool_use_id", u.id, "mcp_server", s.servers.Of(u.name))
	u.turn.release(u.id)
	if r := s.stopped(u, observed, &v); r != nil {
		return *r
	}
	if v.Input != nil {
		u.input = v.Input
		observed = tools.Observed(u.name, u.input, s.place.Cwd())
	}
	p := s.gate.Decide(ctx, s.permitted(u, observed), &v)
	var r toolResult
	if p.Refusal != nil {
		r = refused(u, p.Refusal)
	} else {
		if p.Input != nil {
			u.input, u.changed = p.Input, true
			observed = tools.Observed(u.name, u.input, s.place.Cwd())
		}
		r = s.runAllowed(ctx, u, observed, p.Decision)
	}
	r.said = append(v.Messages, r.said...)
	r.told = append(v.Contexts, r.told...)
	if v.Stop {
		r.end = hookStopped()
	}
	return r
}

// permitted is a use of a tool as it is decided on.
func (s *Session) permitted(u *toolUse, observed object.Object) *permit.Use {
	use := &permit.Use{
		ID: u.id, Name: u.name, Input: observed, Agent: u.agent.id, Server: s.servers.Of(u.name), Title: s.servers.Title(u.name), Occasion: u.occasion(),
		Observed:  func(input object.Object) object.Object { return tools.Observed(u.name, input, s.place.Cwd()) },
		Denied:    func() { u.deny(observed) },
		Interrupt: func() { u.turn.cancel(life.ErrInterrupt) },
	}
	if s.tools != nil {
		use.Now = s.tools.Now()
	}
	return use
}

// refused is the result of a tool that may not be used.
func refused(u *toolUse, r *permit.Refusal) toolResult {
	switch {
	case r.Interrupted:
		return unasked(u)
	case r.Wrong:
		result := badResult(u, "<tool_use_error>"+r.Text+"</tool_use_error>", "Error: "+r.Text)
		result.meta = object.Of("permission_decision", r.Decision)
		return result
	}
	result := badResult(u, r.Text, "Error: "+r.Text)
	result.meta = object.Of("non_execution_kind", object.If(r.Kind != "", r.Kind), "permission_decision", r.Decision)
	return result
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
		if s.policy.Mode() != "plan" {
			return tools.Refuse("The session is not in plan mode. EnterPlanMode begins it; a plan that was approved is simply carried out.")
		}
	case "TaskStop", "KillShell", "KillBash":
		if id := taskID(u.input); s.tasks.Find(id) == nil {
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
		r := refused(u, s.gate.ByHook(s.permitted(u, observed), v.Reason))
		r.said = v.Messages
		r.told = v.Contexts
		if v.Stop {
			r.end = hookStopped()
		}
		return &r
	case v.Decision == "defer":
		return &toolResult{end: &outcome{
			reason: "tool_deferred", subtype: "success", deferred: object.Of("id", u.id, "name", u.name, "input", observed),
		}}
	}
	return nil
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
		v = s.hooks.Call(ctx, "PostToolUseFailure", u.occasion(), "tool_name", u.name, "tool_input", observed, "tool_use_id", u.id, "error", text,
			"is_interrupt", false, "duration_ms", took, "mcp_server", s.servers.Of(u.name))
	} else {
		v = s.hooks.Call(ctx, "PostToolUse", u.occasion(), "tool_name", u.name, "tool_input", observed, "tool_response", r.result, "tool_use_id", u.id,
			"duration_ms", took, "mcp_server", s.servers.Of(u.name))
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
	if s.policy.Disabled(name) {
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
