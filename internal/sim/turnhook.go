package sim

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/extensions"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/queue"
	"github.com/ccwire/ccwire/internal/sim/tools"
)

// submitHooks calls the hooks that see the user's messages before the model does.
func (t *turn) submitHooks() (v hooks.Verdict) {
	for _, p := range t.prompts {
		if p.Line == nil && p.Origin != nil { // the CLI's own
			continue
		}
		t.expansionHooks(p)
		v = t.session.hooks.Call(t.ctx, "UserPromptSubmit", t.when(nil, ""), "prompt", p.Text())
		t.contexts = append(t.contexts, v.Contexts...)
		if v.Decision == "deny" || v.Stop || v.TimedOut != nil {
			return v
		}
	}
	return v
}

// expansionHooks calls the hooks that see a command before its text takes its place.
func (t *turn) expansionHooks(p *queue.Prompt) {
	name, args, ok := extensions.Split(p.Text())
	x := t.session.ext.Command(name)
	if !ok || x == nil {
		return
	}
	source := "projectSettings"
	if x.Plugin != "" {
		source = "plugin"
	}
	v := t.session.hooks.Call(t.ctx, "UserPromptExpansion", t.when(nil, name), "expansion_type", "slash_command", "command_name", name,
		"command_args", args, "command_source", source, "prompt", p.Text())
	t.contexts = append(t.contexts, v.Contexts...)
}

// blocked is the outcome of a turn whose message a hook does not let through. It reports false if
// the turn goes on.
func (t *turn) blocked(v hooks.Verdict) (outcome, bool) {
	s := t.session
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
		s.hooks.Say(v.Messages)
		return outcome{}, false
	}
	if kept {
		for _, p := range t.prompts {
			s.main.talk.Add("user", p.Blocks()...)
		}
	}
	s.out.Tell("type", "system", "subtype", "informational", "content", text, "level", "warning", "prevent_continuation", true, "prompt_submit_outcome", how)
	return outcome{subtype: "success", text: text, silent: true}, true
}

// stopHooks calls the hooks of the end of a conversation. It reports true if one makes the model go
// on, and otherwise the reason of the end.
func (t *turn) stopHooks(a *agent, m *answer) (again bool, reason string) {
	s := t.session
	t.mu.Lock()
	active := t.stopActive
	t.mu.Unlock()
	event, o, path := "Stop", t.when(nil, ""), object.Absent
	if a.id != "" {
		event, o = "SubagentStop", t.when(a, a.kind)
		path = s.transcript.AgentPath(a.id)
	}
	v := s.hooks.Call(t.ctx, event, o, "stop_hook_active", active, "agent_transcript_path", path, "last_assistant_message", m.text(),
		"background_tasks", s.tasks.List(), "session_crons", s.jobs())
	s.hooks.Say(v.Messages)
	block := v.Decision == "deny"
	switch {
	case v.TimedOut != nil:
		s.hooks.Say([]string{event + " says: The app driving this session didn't respond, so this turn ended without it."})
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
		a.talk.Tell(text)
	}
	if block {
		t.feedback(a, event+" hook feedback:\n"+v.Reason)
	}
	return true, ""
}

// feedback gives the model the reason for which a hook makes it go on.
func (t *turn) feedback(a *agent, text string) {
	block := object.Of("type", "text", "text", text)
	a.talk.Add("user", block)
	if a.id == "" {
		t.userLine(a, []any{block}, "isSynthetic", true)
		t.session.out.Note("type", "system", "subtype", "notification", "key", "stop-hook-error",
			"text", "Stop hook error occurred · ctrl+o to see", "priority", "immediate")
	}
}

// stopCap is how often hooks can make the model go on, one after the other.
func (s *Session) stopCap() int {
	if n, err := strconv.Atoi(s.place.Get("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP")); err == nil && n > 0 {
		return n
	}
	return 8
}

// tooManyStops says that the hooks of the end are not listened to any more.
func (s *Session) tooManyStops(n int) {
	text := fmt.Sprintf("A hook blocked the turn from ending %d consecutive times — overriding and ending turn. For Stop/SubagentStop hooks, "+
		"check stop_hook_active in the input and return success while it's true. Set CLAUDE_CODE_STOP_HOOK_BLOCK_CAP to raise this limit.", n)
	s.out.Tell("type", "system", "subtype", "informational", "content", text, "level", "warning")
	s.out.Note("type", "system", "subtype", "notification", "key", "stop-hook-block-cap", "text", text, "priority", "high", "color", "warning")
}

// display calls the hooks that see a text before it is written.
func (t *turn) display(text string) {
	id := ids.UUID()
	t.session.hooks.Call(t.ctx, "MessageDisplay", hooks.Occasion{Prompt: t.id, ID: id + "-0"}, "turn_id", ids.UUID(), "message_id", id, "index", 0, "final", true, "delta", text)
}

// hold keeps a line until the hooks before its tool have been called.
func (t *turn) hold(id string, write func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held == nil {
		t.held = map[string]func(){}
	}
	t.held[id] = write
}

// release writes the line that was held for a tool.
func (t *turn) release(id string) {
	t.mu.Lock()
	write := t.held[id]
	delete(t.held, id)
	t.mu.Unlock()
	if write != nil {
		write()
	}
}

func (s *Session) jobs() []any {
	if s.tools == nil {
		return []any{}
	}
	return s.tools.Jobs()
}

// batchDone calls the hooks that see all tools of one message together. It reports true if the turn
// ends by it.
func (t *turn) batchDone(a *agent, uses []*toolUse) (bool, outcome) {
	s := t.session
	if len(s.hooks.Match("PostToolBatch", "")) == 0 {
		return false, outcome{}
	}
	calls := []any{}
	for _, u := range uses {
		calls = append(calls, object.Of("tool_name", u.name, "tool_input", u.said, "tool_use_id", u.id, "tool_response", u.response))
	}
	o := t.when(a, "")
	o.ID = "hook-" + ids.UUID()
	v := s.hooks.Call(t.ctx, "PostToolBatch", o, "tool_calls", calls)
	s.hooks.Say(v.Messages)
	for _, text := range v.Contexts {
		a.talk.Tell(text)
	}
	if v.Stop || v.Decision == "deny" {
		return true, *hookStopped()
	}
	return false, outcome{}
}

// instructionsNear looks for instructions in the folders of a file that the model has read.
func (t *turn) instructionsNear(u *toolUse) {
	path, _ := tools.Observed(u.name, u.input, t.session.place.Cwd()).Get("file_path").(string)
	for dir := filepath.Dir(path); dir != t.session.place.Dir() && strings.HasPrefix(dir, t.session.place.Dir()+string(filepath.Separator)); dir = filepath.Dir(dir) {
		file := filepath.Join(dir, "CLAUDE.md")
		data, err := extensions.Read(file)
		if err != nil || !u.agent.learn(file) {
			continue
		}
		t.instructionsLoaded(u.agent, file, string(data), path)
	}
}

// learn notes that an agent knows a file. It reports false if that is not new.
func (a *agent) learn(file string) bool {
	if a.learned[file] {
		return false
	}
	if a.learned == nil {
		a.learned = map[string]bool{}
	}
	a.learned[file] = true
	return true
}

// instructionsLoaded calls the hooks that see a file with instructions, and tells the model what is
// in it.
func (t *turn) instructionsLoaded(a *agent, path, text, trigger string) {
	t.session.hooks.Call(t.ctx, "InstructionsLoaded", t.when(a, "nested_traversal"), "file_path", path, "memory_type", "Project",
		"load_reason", "nested_traversal", "trigger_file_path", trigger)
	a.talk.Tell("Contents of " + path + ":\n\n" + text)
}
