package turn

import (
	"errors"
	"time"

	"github.com/ccwire/ccwire/internal/object"
)

// Interrupt stops the turn that is being played. The reply is written before the turn goes on.
func (s *Stage) Interrupt(cause error) (written func()) {
	t := s.current()
	if t == nil {
		s.dropSuggestion()
		if !s.Host.StopsTasks() {
			s.Tasks.KillAgents(true)
		}
		return func() {}
	}
	t.mu.Lock()
	if t.receipt != nil {
		t.mu.Unlock()
		return func() {}
	}
	receipt := make(chan struct{})
	t.receipt = receipt
	t.mu.Unlock()
	t.cancel(cause)
	stopped := func() {}
	if !s.Host.StopsTasks() {
		stopped = s.Tasks.KillAgents(false)
	}
	s.Calls.DropEnded()
	return func() {
		close(receipt)
		stopped()
	}
}

// Yield ends the request to the model that is being made, for a message that cannot wait, and the
// questions whether tools may be used. Tools that are being used end first.
func (s *Stage) Yield() {
	t := s.current()
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waits {
		t.cancel(errYield)
	}
	t.urgent.Do(func() { close(t.yields) })
}

// Yields is closed when a message comes that cannot wait.
func (t *Turn) Yields() <-chan struct{} { return t.top().yields }

// errYield says that a turn makes way for a message that cannot wait.
var errYield = errors.New("a message cannot wait")

// wait notes whether the turn waits for the model.
func (t *Turn) wait(waits bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waits = waits
}

// yielded is the outcome of a turn that has made way for a message that cannot wait. What the model
// has begun to say is its last word.
func (t *Turn) yielded(m *answer) Outcome {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m != nil && len(m.content) > 0 && !t.stage.Out.Release().Before("2.1.90") {
		return Outcome{Reason: "aborted_streaming", Subtype: "success", Text: m.text(), StopReason: t.stopReason, Yielded: true}
	}
	o := t.unfinished("aborted_streaming", t.stopReason)
	o.Yielded = true
	return o
}

// unfinished is the outcome of a turn that has ended without the model's last word.
func (t *Turn) unfinished(reason string, stopReason any) Outcome {
	if t.stage.Out.Release().Before("2.1.90") { // to these it is not an error
		return Outcome{Reason: reason, Subtype: "error_during_execution", StopReason: stopReason, Errors: []string{}}
	}
	return Outcome{
		Reason: reason, Subtype: "error_during_execution", IsError: true, StopReason: stopReason,
		Errors: []string{"[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=" + jsText(stopReason)},
	}
}

// aborted ends a turn that was interrupted.
func (t *Turn) aborted(a *Agent, inTools bool) Outcome {
	t.AwaitReceipt()
	t.mu.Lock()
	stopReason := t.stopReason
	t.mu.Unlock()
	if t.task != nil && !t.task.Background() {
		return Outcome{Reason: "aborted_tools"} // the turn that has started it tells of it
	}
	text, reason := "[Request interrupted by user]", "aborted_streaming"
	if inTools {
		text, reason = "[Request interrupted by user for tool use]", "aborted_tools"
	}
	block := object.Of("type", "text", "text", text)
	a.Talk.Add("user", block)
	t.UserLine(a, []any{block})
	t.awaitKilled(a)
	return t.unfinished(reason, stopReason)
}

// awaitKilled waits until the subagents in the background have ended that an interrupt has ended
// with the turn: the result tells of what they were denied.
func (t *Turn) awaitKilled(a *Agent) {
	t.mu.Lock()
	interrupted := t.receipt != nil
	t.mu.Unlock()
	if a.ID != "" || !interrupted || t.stage.Host.StopsTasks() {
		return
	}
	ended := make(chan struct{})
	t.stage.Life.Go(func() { // ends with the subagents, which end with the session at the latest
		t.behind.Wait()
		close(ended)
	})
	timer := time.NewTimer(killedWithin)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
	}
}

// killedWithin is how long a turn waits for the end of the subagents that were ended with it.
const killedWithin = time.Second
