package turn

import (
	"fmt"
	"strconv"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/extensions"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/queue"
)

// When is the occasion of an event in the turn, for an agent if that is not nil. The turn may be
// nil.
func (t *Turn) When(a *Agent, name string) hooks.Occasion {
	o := hooks.Occasion{Name: name}
	if t != nil {
		o.Prompt = t.id
	}
	if a != nil && a.ID != "" {
		o.AgentID, o.AgentType = a.ID, a.Kind
	}
	return o
}

// fire runs the hooks of an event that is not about a tool. more are the event's own members of
// their input. It returns what people are told of each hook.
func (t *Turn) fire(event string, more object.Object) (reports []string) {
	s := t.stage
	o := t.When(nil, "")
	for _, name := range []string{"trigger", "source", "reason"} {
		if text := more.Text(name); text != "" {
			o.Name = text
			break
		}
	}
	if event == "SessionStart" && o.Name == "clear" {
		o.Prompt = ""
	}
	reports = s.Hooks.Reports(event, o.Name)
	s.Begun(s.Hooks.Call(t.ctx, event, o, more.Pairs()...))
	return reports
}

// HookStopped is the outcome of a turn that a hook ends.
func HookStopped() *Outcome {
	return &Outcome{Reason: "hook_stopped", Subtype: "success"}
}

// submitHooks calls the hooks that see the user's messages before the model does.
func (t *Turn) submitHooks() (v hooks.Verdict) {
	for _, p := range t.prompts {
		if p.Line == nil && p.Origin != nil { // the CLI's own
			continue
		}
		t.expansionHooks(p)
		v = t.stage.Hooks.Call(t.ctx, "UserPromptSubmit", t.When(nil, ""), "prompt", p.Text())
		t.contexts = append(t.contexts, v.Contexts...)
		if v.Decision == "deny" || v.Stop || v.TimedOut != nil {
			return v
		}
	}
	return v
}

// expansionHooks calls the hooks that see a command before its text takes its place.
func (t *Turn) expansionHooks(p *queue.Prompt) {
	name, args, ok := extensions.Split(p.Text())
	x := t.stage.Ext.Command(name)
	if !ok || x == nil {
		return
	}
	source := "projectSettings"
	if x.Plugin != "" {
		source = "plugin"
	}
	v := t.stage.Hooks.Call(t.ctx, "UserPromptExpansion", t.When(nil, name), "expansion_type", "slash_command", "command_name", name,
		"command_args", args, "command_source", source, "prompt", p.Text())
	t.contexts = append(t.contexts, v.Contexts...)
}

// blocked is the outcome of a turn whose message a hook does not let through. It reports false if
// the turn goes on.
func (t *Turn) blocked(v hooks.Verdict) (Outcome, bool) {
	s := t.stage
	text, kept := "", false
	var how object.Object
	switch {
	case v.TimedOut != nil:
		text = fmt.Sprintf("UserPromptSubmit operation blocked by hook:\nUserPromptSubmit hook callback timed out after %dms", v.TimedOut.Timeout.Milliseconds())
		how = object.Of("kind", "no_verdict", "prompt_kept", false, "no_verdict_kind", "callback_timed_out")
	case v.Decision == "deny":
		text = fmt.Sprintf("UserPromptSubmit operation blocked by hook:\n%s\n\nOriginal prompt: %s", v.Reason, t.prompts[len(t.prompts)-1].Text())
		how = object.Of("kind", "blocked_by_hook", "prompt_kept", false, "reason", v.Reason)
	case v.Stop:
		text, kept = "Operation stopped by hook: "+v.StopReason, true
		how = object.Of("kind", "stopped_by_hook", "prompt_kept", true, "reason", v.StopReason)
	default:
		s.Hooks.Say(v.Messages)
		return Outcome{}, false
	}
	if kept {
		for _, p := range t.prompts {
			s.Main.Talk.Add("user", p.Blocks()...)
		}
	}
	s.Out.Tell("type", "system", "subtype", "informational", "content", text, "level", "warning", "prevent_continuation", true, "prompt_submit_outcome", how)
	return Outcome{Subtype: "success", Text: text, Silent: true}, true
}

// stopHooks calls the hooks of the end of a conversation. It reports true if one makes the model go
// on, and otherwise the reason of the end.
func (t *Turn) stopHooks(a *Agent, m *answer) (again bool, reason string) {
	s := t.stage
	t.mu.Lock()
	active := t.stopActive
	t.mu.Unlock()
	event, o, path := "Stop", t.When(nil, ""), object.Absent
	if a.ID != "" {
		event, o = "SubagentStop", t.When(a, a.Kind)
		path = s.Transcript.AgentPath(a.ID)
	}
	v := s.Hooks.Call(t.ctx, event, o, "stop_hook_active", active, "agent_transcript_path", path, "last_assistant_message", m.text(),
		"background_tasks", s.Tasks.List(), "session_crons", s.Tools.Crons())
	s.Hooks.Say(v.Messages)
	block := v.Decision == "deny"
	switch {
	case v.TimedOut != nil:
		s.Hooks.Say([]string{event + " says: The app driving this session didn't respond, so this turn ended without it."})
		return false, "completed"
	case v.Stop:
		return false, "stop_hook_prevented"
	case !block && len(v.Contexts) == 0 || t.ctx.Err() != nil:
		return false, "completed"
	}
	t.mu.Lock()
	t.stopActive = true
	t.stops++
	stops := t.stops
	t.mu.Unlock()
	if stops > s.stopCap() {
		s.tooManyStops(stops)
		return false, "completed"
	}
	for _, text := range v.Contexts {
		a.Talk.Tell(text)
	}
	if block {
		t.feedback(a, event+" hook feedback:\n"+v.Reason)
	}
	return true, ""
}

// feedback gives the model the reason for which a hook makes it go on.
func (t *Turn) feedback(a *Agent, text string) {
	block := object.Of("type", "text", "text", text)
	a.Talk.Add("user", block)
	if a.ID == "" {
		t.UserLine(a, []any{block}, "isSynthetic", true)
		t.stage.Out.Note("type", "system", "subtype", "notification", "key", "stop-hook-error",
			"text", "Stop hook error occurred · ctrl+o to see", "priority", "immediate")
	}
}

// stopCap is how often hooks can make the model go on, one after the other.
func (s *Stage) stopCap() int {
	if n, err := strconv.Atoi(s.Place.Get("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP")); err == nil && n > 0 {
		return n
	}
	return 8
}

// tooManyStops says that the hooks of the end are not listened to any more.
func (s *Stage) tooManyStops(n int) {
	text := fmt.Sprintf("A hook blocked the turn from ending %d consecutive times — overriding and ending turn. For Stop/SubagentStop hooks, "+
		"check stop_hook_active in the input and return success while it's true. Set CLAUDE_CODE_STOP_HOOK_BLOCK_CAP to raise this limit.", n)
	s.Out.Tell("type", "system", "subtype", "informational", "content", text, "level", "warning")
	s.Out.Note("type", "system", "subtype", "notification", "key", "stop-hook-block-cap", "text", text, "priority", "high", "color", "warning")
}

// display calls the hooks that see a text before it is written.
func (t *Turn) display(text string) {
	id := ids.UUID()
	t.stage.Hooks.Call(t.ctx, "MessageDisplay", hooks.Occasion{Prompt: t.id, ID: id + "-0"}, "turn_id", ids.UUID(), "message_id", id, "index", 0, "final", true, "delta", text)
}

// hold keeps a line until the hooks before its tool have been called.
func (t *Turn) hold(id string, write func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held == nil {
		t.held = map[string]func(){}
	}
	t.held[id] = write
}

// Release writes the line that was held for a tool.
func (t *Turn) Release(id string) {
	t.mu.Lock()
	write := t.held[id]
	delete(t.held, id)
	t.mu.Unlock()
	if write != nil {
		write()
	}
}

// batchDone calls the hooks that see all tools of one message together. It reports true if the turn
// ends by it.
func (t *Turn) batchDone(a *Agent, uses []*Use) (bool, Outcome) {
	s := t.stage
	if len(s.Hooks.Match("PostToolBatch", "")) == 0 {
		return false, Outcome{}
	}
	calls := []any{}
	for _, u := range uses {
		calls = append(calls, object.Of("tool_name", u.Name, "tool_input", u.said, "tool_use_id", u.ID, "tool_response", u.response))
	}
	o := t.When(a, "")
	o.ID = "hook-" + ids.UUID()
	v := s.Hooks.Call(t.ctx, "PostToolBatch", o, "tool_calls", calls)
	s.Hooks.Say(v.Messages)
	for _, text := range v.Contexts {
		a.Talk.Tell(text)
	}
	if v.Stop || v.Decision == "deny" {
		return true, *HookStopped()
	}
	return false, Outcome{}
}
