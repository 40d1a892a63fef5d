package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// run owns the session's end.
func (s *Session) run(init *call, err error) {
	defer close(s.done)
	if err != nil {
		s.failInit(fmt.Errorf("initialise: %w", err))
	} else {
		s.awaitInit(init)
	}
	if err := s.initError(); err != nil {
		s.conn.abort(err)
		patience, cancel := context.WithTimeout(context.Background(), failPatience)
		s.proc.Stop(patience)
		cancel()
	}
	<-s.conn.Done()
	s.finish()
}

// finish is called when the CLI's output has ended.
func (s *Session) finish() {
	s.mu.Lock()
	closed := s.state == Stopped // by Shutdown
	if s.state != Failed && !closed {
		s.enterLocked(Stopped, nil)
	}
	failure := s.failure
	s.mu.Unlock()

	s.proc.Stop(context.Background()) // usually it is gone
	s.conn.abort(s.conn.Err())        // messages that come too late get the reason, as calls do
	s.conn.Close()
	exit := s.proc.Exit()
	var completed *ExitError
	switch {
	case failure != nil:
		s.events.push(&FailedEvent{Reason: failure, Exit: exit}, 0)
	case closed:
		s.events.push(&StoppedEvent{Exit: exit}, 0)
	case errors.As(s.conn.Err(), &completed) && completed.Success():
		s.events.push(&CompletedEvent{Exit: exit}, 0)
	default:
		s.events.push(&FailedEvent{Reason: s.conn.Err(), Exit: exit}, 0)
	}
	s.events.close(nil)
}

func (s *Session) initError() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failure
}

// explainEnd is called by the reader at the end of stdout.
func (s *Session) explainEnd(readErr error) (forCalls, forMessages error) {
	s.mu.Lock()
	state, failure := s.state, s.failure
	s.mu.Unlock()
	switch {
	case state == Stopped:
		return ErrClosed, nil
	case failure != nil:
		return failure, failure
	}
	timer := time.NewTimer(exitPatience)
	defer timer.Stop()
	select {
	case <-s.proc.Done():
	case <-timer.C:
	}
	exit := s.proc.Exit()
	switch {
	case exit == nil && readErr == io.EOF:
		return ErrOutputClosed, ErrOutputClosed
	case exit == nil:
		return readErr, readErr
	case readErr != io.EOF:
		err := fmt.Errorf("%w; %w", readErr, exit)
		return err, err
	case exit.Success():
		return exit, nil
	}
	return exit, exit
}

// CloseInput closes the CLI's input: it finishes what it does and ends. It is an error while
// requests from the CLI are not answered, see [Conn.CloseInput], and during the initialisation.
func (s *Session) CloseInput(ctx context.Context) error { return s.closeInput(ctx, s.conn.CloseInput) }

// ForceCloseInput is CloseInput also while requests from the CLI are pending, which then fail.
func (s *Session) ForceCloseInput(ctx context.Context) error {
	return s.closeInput(ctx, s.conn.ForceCloseInput)
}

func (s *Session) closeInput(ctx context.Context, f func(context.Context) error) error {
	if s.State() <= InitSent {
		return ErrNotInitialized
	}
	return f(ctx)
}

// Close ends the session: calls fail with [ErrClosed], callbacks' contexts end, and the CLI is
// stopped in steps, see [cli.Process.Stop]. It can be called twice, concurrently, during the
// initialisation and inside a callback. When it returns, no process, pipe or timer is left, and no
// goroutine but those of callbacks that have not returned. Messages that were received can still be
// read.
func (s *Session) Close() error { return s.Shutdown(context.Background()) }

// Shutdown is Close with a context whose end kills the CLI at once.
func (s *Session) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	if s.state == Starting || s.state == InitSent || s.state == Running {
		s.enterLocked(Stopped, ErrClosed)
		s.dropQueueLocked(ErrClosed)
	}
	s.mu.Unlock()
	s.conn.abort(ErrClosed)
	if err := s.proc.Stop(ctx); err != nil {
		return err
	}
	<-s.done
	return nil
}
