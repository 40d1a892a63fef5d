package turn

import (
	"cmp"

	"github.com/ccwire/ccwire/internal/object"
)

// Woken tells that the session, which was idle, has something to do.
func (s *Stage) Woken() {
	s.telling.Lock()
	idle := s.state == "" || s.state == "idle"
	s.telling.Unlock()
	if idle {
		s.stateChanged("running")
	}
}

// stateChanged tells whether a turn runs, if anybody reads that and it has changed.
func (s *Stage) stateChanged(state string) {
	s.telling.Lock()
	defer s.telling.Unlock()
	if state == s.state {
		return
	}
	s.state = state
	everybody := s.Place.On("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS")
	if everybody || s.Place.On("CLAUDE_CODE_SDK_READS_SESSION_STATE") {
		s.Out.Tell("type", "system", "subtype", "session_state_changed", "state", state, "sdk_host_only", object.If(!everybody, true))
	}
}

// thinking is how much of what the model thinks is shown.
func (s *Stage) thinking() string { return cmp.Or(s.Flags.Value("thinking-display"), "updates") }

// Asks tells that the SDK's user is asked, before the first question that has no answer yet.
func (s *Stage) Asks() {
	s.asking.Lock()
	defer s.asking.Unlock()
	if s.asked++; s.asked == 1 {
		s.stateChanged("requires_action")
	}
}

// Answered tells that the turn goes on, after the last answer.
func (s *Stage) Answered() {
	s.AwaitReceipt()
	s.asking.Lock()
	defer s.asking.Unlock()
	if s.asked--; s.asked == 0 && !s.Life.Over() {
		s.stateChanged("running")
	}
}

// taskSummary tells a desktop program what the session does; "" for nothing.
func (s *Stage) taskSummary(detail string) {
	if s.Place.Desktop() {
		s.Out.Tell("type", "system", "subtype", "task_summary", "detail", textOrNil(detail))
	}
}

// turnSummary tells a desktop program how a turn has ended.
func (t *Turn) turnSummary(o Outcome) {
	if t.stage.Place.Desktop() && o.Reason == "completed" {
		t.stage.Out.Tell("type", "system", "subtype", "post_turn_summary", "summarizes_uuid", t.stage.Main.Talk.LastLine(), "status_category", "review_ready",
			"status_detail", o.Text, "needs_action", "")
	}
}
