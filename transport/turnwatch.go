package transport

import (
	"context"
	"sync"

	"github.com/ccwire/ccwire/gen/wire"
)

// turnWatch interrupts a turn when its context ends.
type turnWatch struct {
	stop func() bool // of the watching

	mu      sync.Mutex // guards the fields below; held while a request is queued
	queued  bool       // the CLI has said that the prompt waits
	settled bool       // the turn is over: what is sent now would be for the next one
}

// watchTurn watches the context of a turn whose message has been sent.
func (s *Session) watchTurn(ctx context.Context, id string) *turnWatch {
	w := &turnWatch{}
	w.stop = context.AfterFunc(ctx, func() { s.endTurn(w, id) })
	return w
}

// endTurn takes the prompt back if it waits, and interrupts the turn otherwise. Nobody needs the
// answers, but a prompt that does not wait any more has to be interrupted all the same. It ends
// with the session or the times of its calls.
func (s *Session) endTurn(w *turnWatch, id string) {
	if w.isQueued() {
		body, err := s.callFor(w, &wire.CancelAsyncMessageRequest{MessageUUID: id})
		var answer wire.CancelAsyncMessageResponse
		if err == nil && answer.UnmarshalJSON(body) == nil && answer.Cancelled {
			return
		}
	}
	if _, err := s.callFor(w, &wire.InterruptRequest{}); err != nil {
		s.log.Debug("turn whose context has ended was not interrupted", "error", err)
	}
}

// callFor makes a call, unless the turn is over.
func (s *Session) callFor(w *turnWatch, r wire.Request) ([]byte, error) {
	call, err := w.begin(s.conn, r)
	if err != nil || call == nil {
		return nil, err
	}
	return s.conn.wait(context.Background(), call)
}

// begin queues a request, nil if the turn is over. The message of the next turn comes after it.
func (w *turnWatch) begin(c *Conn, r wire.Request) (*call, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.settled {
		return nil, nil
	}
	return c.begin(r)
}

// settle is called when the turn is over, before the next message is sent.
func (w *turnWatch) settle() {
	w.stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.settled = true
}

func (w *turnWatch) setQueued(queued bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queued = queued
}

func (w *turnWatch) isQueued() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.queued
}
