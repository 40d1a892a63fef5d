package tooluse

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/permit"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// occasion is when hooks are called for the use of a tool.
func occasion(u *turn.Use) hooks.Occasion {
	o := u.Turn.When(u.Agent, u.Name)
	o.ID = u.ID
	return o
}

// Use uses a tool: the hooks before it, the permission, the tool, the hooks after it.
func (b *Box) Use(ctx context.Context, u *turn.Use) turn.Result {
	defer u.Turn.Release(u.ID)
	u.Input = tools.Coerce(u.Name, u.Input)
	if r := b.forbidden(ctx, u); r != nil {
		return refused(u, r)
	}
	if r := b.checkTool(u); r != nil {
		result := r.Result()
		return turn.Result{Block: result.Block(u.ID), Detail: result.Use}
	}
	b.adapt(u)
	observed := tools.Observed(u.Name, u.Input, b.Place.Cwd())
	before := occasion(u)
	hooked := len(b.Hooks.Match("PreToolUse", u.Name)) > 0
	if hooked {
		before.Sent = u.Waits
	}
	v := b.Hooks.Call(ctx, "PreToolUse", before, "tool_name", u.Name, "tool_input", b.told(u, observed), "tool_use_id", u.ID, "mcp_server", b.Servers.Of(u.Name))
	if hooked {
		u.Await(ctx)
	}
	u.Turn.Release(u.ID)
	if v.Late && !b.Out.Release().Before("2.1.325") {
		b.Out.Tell("type", "system", "subtype", "informational", "content", "A hook did not end in its time. The action was not checked by it.", "level", "warning",
			"tag", "hook_no_verdict", "hook_no_verdict", object.Of("hook_event", "PreToolUse", "tool_use_id", u.ID, "timed_out", true))
	}
	if r := b.stopped(ctx, u, observed, &v); r != nil {
		return *r
	}
	if v.Input != nil {
		if r := tools.Validate(u.Name, v.Input); r != nil {
			return refused(u, b.Gate.ByHook(b.permitted(ctx, u, observed), fmt.Sprintf("PreToolUse hook for %s returned updatedInput that failed schema validation: %s",
				u.Name, strings.TrimPrefix(r.Text, "InputValidationError: "))))
		}
		observed = tools.Observed(u.Name, v.Input, b.Place.Cwd())
		u.Input = observed
	}
	if u.Name != "StructuredOutput" {
		b.Tasks.Settle() // what is there may be read
	}
	p := b.Gate.Decide(ctx, b.permitted(ctx, u, observed), &v)
	var r turn.Result
	if p.Refusal != nil {
		r = refused(u, p.Refusal)
	} else {
		if p.Input != nil {
			if r := b.change(u, observed, p.Input); r != nil {
				return *r
			}
			observed = tools.Observed(u.Name, u.Input, b.Place.Cwd())
		}
		if !startsAgent(u) {
			u.Waits()
			u.Await(ctx)
		}
		r = b.runAllowed(ctx, u, observed, p.Decision)
	}
	r.Said = append(v.Messages, r.Said...)
	r.Told = append(v.Contexts, r.Told...)
	if v.Stop {
		r.End = turn.HookStopped()
	}
	return r
}

// change gives a tool the input that the SDK wants in place of the observed one, but for what it
// does not know. It returns the result of one that is wrong.
func (b *Box) change(u *turn.Use, observed, input object.Object) *turn.Result {
	u.Changed = true
	if b.Out.Release().Before("2.1.325") {
		u.Input = input
		return nil
	}
	input = tools.Known(u.Name, input)
	if r := tools.Validate(u.Name, input); r != nil {
		wrong := badResult(u, "<tool_use_error>"+r.Text+"</tool_use_error>", "InputValidationError: permission handler updatedInput failed schema for "+u.Name)
		wrong.Meta = object.Of("permission_decision", object.Of("decision", "reject", "source", "permission_updated_input_invalid"))
		return &wrong
	}
	for i, m := range input { // a path that is left alone stays as the model wrote it
		if text, ok := m.Value.(string); ok && text == observed.Text(m.Name) && u.Input.Has(m.Name) {
			input[i].Value = u.Input.Get(m.Name)
		}
	}
	u.Input = input
	return nil
}

// forbidden returns why a file is not used that a rule denies, whatever else is wrong with the use.
func (b *Box) forbidden(ctx context.Context, u *turn.Use) *permit.Refusal {
	unchanged := u.Name == "Edit" && u.Input.Text("old_string") == u.Input.Text("new_string") // which is said first
	if unchanged || b.missing(u.Agent, u.Name) != nil || tools.Validate(u.Name, u.Input) != nil {
		return nil
	}
	return b.Gate.Forbids(ctx, b.permitted(ctx, u, tools.Observed(u.Name, u.Input, b.Place.Cwd())))
}

// permitted is a use of a tool as it is decided on.
func (b *Box) permitted(ctx context.Context, u *turn.Use, observed object.Object) *permit.Use {
	use := &permit.Use{
		ID: u.ID, Name: u.Name, Input: observed, Told: b.told(u, observed), Agent: u.Agent.ID, Mode: u.Agent.Type.Mode, Alone: u.Agent.Alone, Server: b.Servers.Of(u.Name), Title: b.Servers.Title(u.Name), Occasion: occasion(u),
		Observed:  func(input object.Object) object.Object { return tools.Observed(u.Name, input, b.Place.Cwd()) },
		Denied:    func() { u.Turn.Deny(u, b.told(u, observed)) },
		Interrupt: func() { u.Turn.Interrupt() },
		Yields:    u.Turn.Yields(),
		Asked:     u.Asks,
		Answered:  func() { u.Await(ctx) },
	}
	if b.Tools != nil {
		use.Now, use.Fresh = b.Tools.Now(), b.Tools.Fresh()
	}
	if t, ok := b.Servers.Tool(u.Name); ok {
		use.Changes = !t.ReadOnly
	}
	if x := b.Ext.Command(u.Input.Text("skill")); u.Name == "Skill" && x != nil {
		use.Brings, use.About = len(x.Allowed) > 0, x.Purpose
	}
	return use
}

// told returns the input of a tool as hooks and the SDK are told it. Versions before 2.1.90 leave
// it as the model has written it, and those before 2.1.290 a plan.
func (b *Box) told(u *turn.Use, observed object.Object) object.Object {
	switch version := b.Out.Release(); {
	case version.Before("2.1.90"):
		return u.Input
	case version.Before("2.1.290") && u.Name == "ExitPlanMode" && u.Input.Has("plan"):
		return observed.With("plan", u.Input.Get("plan"))
	}
	return observed
}

// stopped returns the result of a tool that a hook stops, nil if none does.
func (b *Box) stopped(ctx context.Context, u *turn.Use, observed object.Object, v *hooks.Verdict) *turn.Result {
	failed := func(text string) *turn.Result {
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
		r.Meta = object.Of("non_execution_kind", "cancelled")
		return &r
	case v.TimedOut != nil:
		return failed("PreToolUse hook did not respond before its timeout (host client may be unreachable). " +
			"The tool call was not executed; other configured hooks may not have completed.")
	case v.Unexpected != nil:
		return failed("PreToolUse hook failed with an unexpected error. The tool call was not executed; other configured hooks may not have completed.")
	case v.Decision == "deny":
		reason := v.Reason
		if v.Said != "" && !tools.Unchanged(observed, u.Input) {
			reason = v.Said // what the CLI does with an input that it has completed
		}
		r := refused(u, b.Gate.ByHook(b.permitted(ctx, u, observed), reason))
		r.Said = v.Messages
		r.Told = v.Contexts
		if v.Stop {
			r.End = turn.HookStopped()
		}
		return &r
	case v.Decision == "defer":
		return &turn.Result{End: &turn.Outcome{
			Reason: "tool_deferred", Subtype: "success", Deferred: object.Of("id", u.ID, "name", u.Name, "input", observed),
		}}
	}
	return nil
}

// runAllowed runs a tool and calls the hooks after it.
func (b *Box) runAllowed(ctx context.Context, u *turn.Use, observed, decision object.Object) turn.Result {
	began := time.Now()
	r := b.runTool(ctx, u)
	b.asOlder(u, &r)
	if ctx.Err() != nil {
		return r
	}
	if r.Meta == nil {
		r.Meta = object.Of("permission_decision", decision)
	}
	shortenError(&r)
	took := time.Since(began).Milliseconds()
	var v hooks.Verdict
	if r.Block.Bool("is_error") {
		text, _ := r.Block.Get("content").(string)
		v = b.Hooks.Call(ctx, "PostToolUseFailure", occasion(u), "tool_name", u.Name, "tool_input", b.told(u, observed), "tool_use_id", u.ID, "error", text,
			"is_interrupt", false, "duration_ms", took, "mcp_server", b.Servers.Of(u.Name))
	} else {
		v = b.Hooks.Call(ctx, "PostToolUse", occasion(u), "tool_name", u.Name, "tool_input", b.told(u, observed), "tool_response", r.Detail, "tool_use_id", u.ID,
			"duration_ms", took, "mcp_server", b.Servers.Of(u.Name))
	}
	if ctx.Err() != nil && !b.Out.Release().Before("2.1.325") {
		u.Turn.AwaitReceipt()
		return rejected(u)
	}
	changeOutput(u, &r, v.Specific)
	r.SaidAfter = v.Messages
	r.Told = append(r.Told, v.Contexts...)
	if v.Decision == "deny" && v.Reason != "" {
		r.Told = append(r.Told, fmt.Sprintf("PostToolUse:%s hook blocking error: %s", u.Name, v.Reason))
	}
	if v.Stop && !r.Block.Bool("is_error") {
		r.End = turn.HookStopped()
	}
	b.complete(u, &r)
	if u.Name == "Read" && r.After == nil && !r.Block.Bool("is_error") {
		r.After = func() { b.instructionsNear(ctx, u) }
	}
	return r
}
