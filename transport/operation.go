package transport

import (
	"context"
	"fmt"
	"slices"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// operation is something to send that waits for the end of the initialisation.
type operation struct {
	start func() error // does not block; called once, with the session's lock held
	begun chan error   // of one: what start returned, or why it was not called
}

// caller is a Session as the [wire.Caller] of its own control operations.
type caller Session

// Call sends a control request and waits for its answer, see [Conn.Call]. During the initialisation
// it waits for the end of that first; its time begins then.
func (c *caller) Call(ctx context.Context, r wire.Request) (codec.Raw, error) {
	s := (*Session)(c)
	if _, ok := r.(*wire.RewindFilesRequest); ok && !s.opts.FileCheckpointing {
		return nil, ErrCheckpointingNotEnabled
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	var begun *call
	err := s.schedule(ctx, func() (err error) {
		begun, err = s.conn.begin(r)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.conn.wait(ctx, begun)
}

// AnswerOptions is that of the connection.
func (c *caller) AnswerOptions(r wire.Request) *wire.Options { return c.conn.AnswerOptions(r) }

// schedule calls start, which does not block: at once, or when the initialisation is over.
func (s *Session) schedule(ctx context.Context, start func() error) error {
	s.mu.Lock()
	switch s.state {
	case Starting, InitSent:
	case Failed:
		defer s.mu.Unlock()
		if s.ran {
			return s.failure
		}
		return fmt.Errorf("%w: %w", ErrNotInitialized, s.failure)
	default: // the connection knows why, when the session has ended
		s.mu.Unlock()
		return start()
	}
	if limit := s.opts.Limits.Queued; limit >= 0 && len(s.queue) >= limit {
		s.mu.Unlock()
		return fmt.Errorf("%w (max %d); does the CLI respond?", ErrInitQueueOverflow, limit)
	}
	op := &operation{start: start, begun: make(chan error, 1)}
	s.queue = append(s.queue, op)
	s.mu.Unlock()
	select {
	case err := <-op.begun:
		return err
	case <-ctx.Done():
	}
	if s.unqueue(op) {
		return context.Cause(ctx)
	}
	return <-op.begun
}

// unqueue reports whether an operation was still queued, and is not any more.
func (s *Session) unqueue(op *operation) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.queue, op)
	if i >= 0 {
		s.queue = slices.Delete(s.queue, i, i+1)
	}
	return i >= 0
}
