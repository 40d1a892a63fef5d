package turn

import (
	"fmt"
	"strconv"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/ids"
)

// stopHooks calls the hooks of the end of a conversation. It reports true if one makes the model go
// on, and otherwise the reason of the end.
func (t *Turn) stopHooks(a *Agent, m *answer) (again bool, reason string) {
	s := t.stage
	active := t.counts.get(&t.counts.stops) > 0
	event, o, path := "Stop", t.When(nil, ""), any(object.Absent)
	if a.ID != "" {
		event, o = "SubagentStop", t.When(a, a.Kind)
		path = s.Transcript.AgentPath(a.ID)
	}
	nudged := t.nudge(a)
	v := t.callStop(event, o, active, path, m.text())
	t.noteCommands(a, event)
	s.Hooks.Say(v.Messages)
	block := len(v.Blocks) > 0
	switch {
	case v.TimedOut != nil:
		s.Hooks.Say([]string{event + " says: The app driving this session didn't respond, so this turn ended without it."})
		return false, "completed"
	case v.Unexpected != nil:
		if a.ID == "" && !s.Out.Release().Before("2.1.325") {
			s.Out.Tell("type", "system", "subtype", "informational", "content", "Stop hook failed: "+v.Unexpected.Error(), "level", "warning")
		}
		return false, "completed"
	case v.Stop:
		t.feedback(a, event, &v)
		if nudged || block {
			m.content = nil // the last word is not the model's
		}
		return false, "stop_hook_prevented"
	case t.form.answer != nil:
		return false, "completed"
	case !block && !nudged && len(v.Contexts) == 0 || t.ctx.Err() != nil:
		t.feedback(a, event, &hooks.Verdict{Failed: v.Failed})
		return false, "completed"
	}
	stops := t.counts.count(&t.counts.stops)
	if stops > s.stopCap() {
		t.feedback(a, event, &v)
		if a.ID != "" { // a subagent ends with what it said last, and nobody is told why
			return false, "completed"
		}
		if block {
			m.content = nil // the last word is not the model's
		}
		s.tooManyStops(stops)
		return false, "completed"
	}
	for _, text := range v.Contexts {
		a.Talk.Tell(text)
	}
	t.feedback(a, event, &v)
	return true, ""
}

// noteCommands notes the lines that are kept of commands among the hooks of the end, and that are
// not written: one for each, and one for all.
func (t *Turn) noteCommands(a *Agent, event string) {
	n := 0
	for _, h := range t.stage.Hooks.Match(event, "") {
		if h.Callback == "" {
			n++
		}
	}
	if n == 0 || a.ID != "" {
		return
	}
	for range n + 1 {
		a.Talk.Line(ids.UUID(), "")
	}
}

// callStop calls the hooks of the end of a conversation.
func (t *Turn) callStop(event string, o hooks.Occasion, active bool, path any, last string) hooks.Verdict {
	s := t.stage
	return s.Hooks.Call(t.ctx, event, o, "stop_hook_active", active, "agent_transcript_path", path, "last_assistant_message", object.If(last != "", last),
		"background_tasks", s.Tasks.List(), "session_crons", s.Tools.Crons())
}

// feedback gives the model the reasons for which hooks make it go on, and tells the user of hooks
// that block or fail, once in a turn.
func (t *Turn) feedback(a *Agent, event string, v *hooks.Verdict) {
	for _, reason := range v.Blocks {
		block := object.Of("type", "text", "text", event+" hook feedback:\n"+reason)
		a.Talk.Add("user", block)
		if a.ID == "" {
			t.UserLine(a, []any{block}, "isSynthetic", true)
		}
	}
	if a.ID == "" && (len(v.Blocks) > 0 || v.Failed) && t.counts.count(&t.counts.warnings) == 1 {
		what := "stop hook reported a problem"
		if t.stage.Out.Release().Before("2.1.326") {
			what = "Stop hook error occurred"
		}
		t.stage.Out.Note("type", "system", "subtype", "notification", "key", "stop-hook-error",
			"text", what+" · ctrl+o to see", "priority", "immediate")
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
	text := fmt.Sprintf("Hooks have kept the turn from ending %d times in a row, and it ends now. A hook of Stop/SubagentStop lets it end "+
		"where stop_hook_active is true in its input; CLAUDE_CODE_STOP_HOOK_BLOCK_CAP is how often hooks are listened to.", n)
	s.Out.Tell("type", "system", "subtype", "informational", "content", text, "level", "warning")
	s.Out.Note("type", "system", "subtype", "notification", "key", "stop-hook-block-cap", "text", text, "priority", "high", "color", "warning")
}
