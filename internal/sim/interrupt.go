package sim

import (
	"context"
	"slices"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/life"
)

// interrupt stops the turn that is being played. The reply is written before the turn goes on.
func (s *Session) interrupt(cause error) (written func()) {
	s.mu.Lock()
	t := s.turn
	s.mu.Unlock()
	if t == nil {
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
	if !s.host.StopsTasks() {
		stopped = s.tasks.KillAgents()
	}
	s.calls.DropEnded()
	return func() {
		close(receipt)
		stopped()
	}
}

// interrupted is what SIGINT does.
func (s *Session) interrupted() {
	s.mu.Lock()
	idle := s.turn == nil
	s.mu.Unlock()
	if idle {
		s.life.End(0)
		return
	}
	s.interrupt(life.ErrSigint)()
}

func init() {
	controls["interrupt"] = control{serve: func(s *Session, _ context.Context, r object.Object) (reply, error) {
		written := s.interrupt(life.ErrInterrupt)
		body := object.Of("still_queued", s.queue.UUIDs())
		var cancelled []string
		if r.Bool("cancel_queued") {
			cancelled = s.queue.Cancel(nil)
			body = object.Of("still_queued", []string{}, "cancelled", cancelled)
		}
		return reply{body: body, then: func() {
			for _, id := range slices.Clone(cancelled) {
				s.out.Tell("type", "command_lifecycle", "command_uuid", id, "state", "cancelled")
			}
			written()
		}}, nil
	}}
	controls["end_session"] = control{serve: func(s *Session, _ context.Context, r object.Object) (reply, error) {
		return reply{then: func() { s.life.End(0) }}, nil
	}}
}

// aborted ends a turn that was interrupted.
func (t *turn) aborted(a *agent, inTools bool) outcome {
	t.awaitReceipt()
	t.mu.Lock()
	stopReason := t.stopReason
	t.mu.Unlock()
	if t.task != nil && !t.task.Background() {
		return outcome{reason: "aborted_tools"} // the turn that has started it tells of it
	}
	text, reason := "[Request interrupted by user]", "aborted_streaming"
	if inTools {
		text, reason = "[Request interrupted by user for tool use]", "aborted_tools"
	}
	block := object.Of("type", "text", "text", text)
	a.talk.Add("user", block)
	t.userLine(a, []any{block})
	return outcome{
		reason: reason, subtype: "error_during_execution", isError: true, stopReason: stopReason,
		errors: []string{"[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=" + jsText(stopReason)},
	}
}

// awaitReceipt waits until the reply to an interrupt was written.
func (t *turn) awaitReceipt() {
	t = t.top()
	t.mu.Lock()
	receipt := t.receipt
	t.mu.Unlock()
	if receipt != nil {
		select {
		case <-receipt:
		case <-t.session.life.Context().Done():
		}
	}
}

// turns knows the turn that is being played.
type turns struct{ *Session }

func (t turns) current() *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.turn
}

// Context is that of the turn, or the other one if none is played.
func (t turns) Context(otherwise context.Context) context.Context {
	if now := t.current(); now != nil {
		return now.ctx
	}
	return otherwise
}

// Occasion is that of an event in the turn.
func (t turns) Occasion(name string) hooks.Occasion { return t.current().when(nil, name) }

// LastOccasion is that of an event which is not bound to the turn.
func (t turns) LastOccasion(name string) hooks.Occasion { return t.lastOccasion(name) }

// AwaitReceipt waits until the reply to an interrupt of the turn was written.
func (t turns) AwaitReceipt() {
	if now := t.current(); now != nil {
		now.awaitReceipt()
	}
}
