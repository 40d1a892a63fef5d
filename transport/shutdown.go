package transport

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
)

// slowClose is how long a CLI may take to end before the log tells of it.
const slowClose = time.Second

// run owns the session's end.
func (s *Session) run(init *call, err error) {
	defer close(s.done)
	if err != nil {
		s.failInit(fmt.Errorf("initialise: %w", err))
	} else {
		s.awaitInit(init)
	}
	if err := s.Err(); err != nil {
		s.conn.abort(err)
		patience, cancel := context.WithTimeout(context.Background(), failPatience)
		s.stop(patience)
		cancel()
	}
	<-s.conn.Done()
	s.finish()
}

// finish is called when the CLI's output has ended.
func (s *Session) finish() {
	end := s.conn.Err()
	s.mu.Lock()
	s.endLocked(end)
	failure, closing := s.failure, s.closing
	s.mu.Unlock()

	s.stop(context.Background()) // usually it is gone
	s.conn.abort(end)            // messages that come too late get the reason, as calls do
	s.conn.Close()
	exit := s.proc.Exit()
	switch {
	case failure != nil:
		s.event(&FailedEvent{Reason: failure, Exit: exit})
	case !closing.IsZero():
		took := time.Since(closing)
		if took > slowClose {
			s.log.Warn("the CLI took long to end", "took", took, "how", howEnded(exit))
		}
		s.event(&StoppedEvent{Exit: exit, Took: took})
	default:
		s.event(&CompletedEvent{Exit: exit})
	}
	s.events.close()
}

// endLocked makes a session that has not ended yet Stopped or Failed, as the end of the connection
// says.
func (s *Session) endLocked(end error) {
	switch {
	case s.state > Running:
	case plainEnd(end):
		s.enterLocked(Stopped, nil)
	default:
		s.failure = end
		s.enterLocked(Failed, end)
	}
}

// howEnded says which step ended a CLI that was stopped.
func howEnded(exit *ExitError) string {
	if exit == nil {
		return "unknown"
	}
	return exit.Stop.String()
}

// plainEnd reports whether an end of the connection is one that was to be expected: exit code 0, or
// the end of a pipe.
func plainEnd(err error) bool {
	exit, ok := err.(*ExitError)
	return ok && exit.Success() || err == ErrPeerClosed
}

// stop stops the CLI. The end of a pipe cannot be awaited, because not every reader can be closed.
func (s *Session) stop(ctx context.Context) error {
	err := s.proc.Stop(ctx)
	if _, ok := s.proc.(*pipe); ok {
		s.conn.ended(io.EOF)
	}
	return err
}

// ended is called by the reader at the end of stdout. Whoever is given its errors finds the session
// in the state that belongs to them, whether it is closed then or not.
func (s *Session) ended(readErr error) (forCalls, forMessages error) {
	if over, forCalls, forMessages := s.endedBefore(); over {
		return forCalls, forMessages
	}
	exitForCalls, exitForMessages := explainExit(s.proc, readErr)
	s.mu.Lock()
	defer s.mu.Unlock()
	if over, forCalls, forMessages := s.endedBeforeLocked(); over {
		return forCalls, forMessages
	}
	if s.state == Running { // earlier, the answer to initialize says why
		s.endLocked(exitForCalls)
	}
	return exitForCalls, exitForMessages
}

// endedBefore returns the errors of a session that has ended on this side, if it has.
func (s *Session) endedBefore() (over bool, forCalls, forMessages error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.endedBeforeLocked()
}

func (s *Session) endedBeforeLocked() (over bool, forCalls, forMessages error) {
	switch {
	case s.state == Stopped:
		return true, ErrClosed, nil
	case s.failure != nil:
		return true, s.failure, s.failure
	}
	return false, nil, nil
}

// explainExit says what the end of a CLI's output means for calls and for the consumer of the
// messages, nil for a plain end.
func explainExit(p Process, readErr error) (forCalls, forMessages error) {
	if _, ok := p.(*pipe); ok {
		if readErr == io.EOF {
			return ErrPeerClosed, nil
		}
		return readErr, readErr
	}
	timer := time.NewTimer(exitPatience)
	defer timer.Stop()
	select {
	case <-p.Done():
	case <-timer.C:
	}
	exit := p.Exit()
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
// stopped in steps, see [cli.Process.Stop]. In the middle of a turn the CLI gets an interrupt
// first, so that it does not finish what nobody waits for. It can be called twice, concurrently,
// during the initialisation and inside a callback. When it returns, no process, pipe or timer is
// left, and no goroutine but those of callbacks that have not returned. Messages that were received
// can still be read.
func (s *Session) Close() error { return s.Shutdown(context.Background()) }

// Shutdown is Close with a context whose end kills the CLI at once.
func (s *Session) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	first := s.state <= Running
	inTurn := s.state == Running && s.busy.Load()
	if first {
		s.closing = time.Now()
		s.enterLocked(Stopped, ErrClosed)
		s.dropQueueLocked(ErrClosed)
	}
	s.mu.Unlock()
	switch {
	case first && inTurn:
		s.conn.leave(ctx, &wire.InterruptRequest{CancelQueued: wire.Ptr(true)}, ErrClosed)
	case first:
		s.conn.abort(ErrClosed)
	}
	if err := s.stop(ctx); err != nil {
		return err
	}
	<-s.done
	return nil
}
