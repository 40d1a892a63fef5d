package turn

// stateChanged tells whether a turn runs, if the SDK reads that.
func (s *Stage) stateChanged(state string) {
	if s.Place.On("CLAUDE_CODE_SDK_READS_SESSION_STATE") {
		s.Out.Tell("type", "system", "subtype", "session_state_changed", "state", state, "sdk_host_only", true)
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
