package turn

import (
	"context"
	"errors"
	"fmt"
	"strconv"
)

// Converse asks the model and uses tools until the model has nothing more to do.
func (t *Turn) Converse(a *Agent) Outcome {
	if t.root != nil { // the turn of the session itself is over with its result
		defer t.goOn()
	}
	for asked := 0; ; asked++ {
		if n := a.Type.MaxTurns; n > 0 && asked >= n {
			return Outcome{Reason: "max_turns", Subtype: "success", Text: fmt.Sprintf("NOTE: this agent stopped at its %d-turn limit before finishing.\n", n)}
		}
		if limit := t.stage.maxTurns(); limit > 0 && t.asked()-t.spared >= limit && a.ID == "" {
			return t.tooManyTurns(limit)
		}
		t.goOn()
		t.letLaunchedSpeak()
		if a.ID == "" && t.stage.spentAll(0) {
			t.tellRequest(a)
			return t.overBudget()
		}
		t.wait(true)
		m, closing, err := t.request(a)
		t.wait(false)
		t.Stepped()
		switch {
		case errors.Is(err, errBudget):
			t.unread = m
			closing()
			return t.overBudget()
		case errors.Is(err, errCut):
			t.prompt(a, "An error has ended your response. Go on where it ends, without a repetition; if nothing of it is left, answer again.")
			continue
		case err != nil && t.shorten(a, err):
			continue
		case err != nil:
			o := t.failed(a, m, err)
			closing()
			return o
		}
		t.mu.Lock()
		t.stopReason = m.stopReason
		t.mu.Unlock()
		if a.ID == "" {
			t.supersedes = nil
			t.tellLabel()
		}
		if a.ID == "" && t.stage.spentAll(0) {
			t.unread = m
			t.counts.take(m.usage) // the last message is not told
			return t.overBudget()
		}
		if o, again, done := t.carryOn(a, m); again {
			continue
		} else if done {
			return o
		}
		if m.stopReason == "refusal" {
			o, again := t.refused(a, m)
			if again {
				continue
			}
			return o
		}
		uses := m.toolUses(t, a)
		if t.speakUp(a, m, uses) {
			continue
		}
		if len(uses) == 0 {
			again, reason := t.stopHooks(a, m)
			if again {
				continue
			}
			return t.answered(reason, m)
		}
		if a.ID == "" && !t.worked {
			t.worked = true
			t.stage.taskSummary(activity(uses[0]))
		}
		t.follow()
		t.wentOn()
		done, o := t.useTools(a, uses)
		if a.ID == "" {
			t.stage.noteTools(uses)
		}
		if !done {
			t.attachMore(a, m)
		}
		if done {
			o.StopReason = m.stopReason
			if o.Deferred != nil {
				o.StopReason = "tool_deferred"
			}
			return o
		}
		if a.ID != "" {
			continue
		}
		if o, done := t.inForm(m, uses); done {
			return o
		}
		if t.stage.Queue.Urgent() {
			return Outcome{Reason: "aborted_tools", Subtype: "success", StopReason: m.stopReason, Yielded: true}
		}
		t.takeMore()
		t.askForLabel(uses)
	}
}

// noteTools notes the tools that the model has used itself: of subagents that use them later it is
// not told that.
func (s *Stage) noteTools(uses []*Use) {
	names := make([]string, len(uses))
	for i, u := range uses {
		names[i] = u.Name
	}
	s.Tasks.Note(names)
}

// letLaunchedSpeak lets a subagent that was just started in the background speak first: it has
// asked the model before the turn that started it does. A subagent whose model takes its time does
// not keep the turn.
func (t *Turn) letLaunchedSpeak() {
	t.mu.Lock()
	launched := t.launched
	t.launched = nil
	t.mu.Unlock()
	for _, spoken := range launched {
		select {
		case <-spoken:
		case <-t.ctx.Done():
		}
	}
}

// takeMore puts the messages that have come meanwhile into the conversation.
func (t *Turn) takeMore() {
	s := t.stage
	t.fresh = nil
	for _, p := range s.Queue.Meanwhile() {
		s.Queue.Tell(p.UUID, "started")
		s.Queue.Replay(p, true)
		if !s.Transcript.Main().Meanwhile(p.ID(), p.Content) {
			t.keep(p)
		}
		s.Main.Talk.Add("user", p.Blocks()...)
		t.more = append(t.more, p)
		if p.UUID != "" {
			t.uuids = append(t.uuids, p.UUID)
			t.fresh = append(t.fresh, p.UUID)
		}
	}
}

// failed is the outcome of a turn whose request to the model did not end.
func (t *Turn) failed(a *Agent, m *answer, err error) Outcome {
	if errors.Is(context.Cause(t.ctx), errYield) {
		return t.yielded(m)
	}
	if t.ctx.Err() != nil {
		return t.aborted(a, false)
	}
	return t.apiFailed(a, err)
}

// tooManyTurns is the outcome of a turn that --max-turns ends.
func (t *Turn) tooManyTurns(limit int) Outcome {
	t.counts.exhaust(limit)
	return Outcome{
		Reason: "max_turns", Subtype: "error_max_turns", IsError: true, StopReason: "tool_use",
		Errors: []string{"Reached maximum number of turns (" + jsText(limit) + ")"},
	}
}

// maxTurns is how often the model may be asked in a turn; 0 means as often as it likes.
func (s *Stage) maxTurns() int {
	n, _ := strconv.Atoi(s.Flags.Value("max-turns"))
	return n
}
