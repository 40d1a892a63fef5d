// Package life owns what ends with a session: the context of everything that it does, the
// goroutines that it waits for, and the exit code.
package life

import (
	"context"
	"errors"
	"sync"
)

// errEnd is the cause of the end of a session's context.
var errEnd = errors.New("the session ends")

// Life is the time from the start of a session to its end.
type Life struct {
	ctx     context.Context // of everything that the session does
	cancel  context.CancelCauseFunc
	last    func()        // called once, when the session begins to end
	ended   chan struct{} // closed by End
	running sync.WaitGroup

	mu      sync.Mutex // guards the fields below
	code    int
	awaited bool // nobody waits for what begins now
}

// New begins the life of a session. It calls last when the session begins to end.
func New(ctx context.Context, last func()) *Life {
	l := &Life{last: last, ended: make(chan struct{})}
	l.ctx, l.cancel = context.WithCancelCause(ctx)
	return l
}

// Context ends with the session.
func (l *Life) Context() context.Context { return l.ctx }

// Over reports whether the session has ended.
func (l *Life) Over() bool { return l.ctx.Err() != nil }

// Go runs a function in a goroutine that the session waits for, unless it is waiting already: the
// context has ended then, and what a turn still begins ends with it.
func (l *Life) Go(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.awaited {
		go f() // ends with the context
		return
	}
	l.running.Go(f)
}

// End says that the session ends with an exit code; the first call counts.
func (l *Life) End(code int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.ended:
	default:
		l.code = code
		l.last()
		close(l.ended)
	}
}

// Ended is closed when the session begins to end.
func (l *Life) Ended() <-chan struct{} { return l.ended }

// Code is the exit code of a session that ends.
func (l *Life) Code() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.code
}

// Cancel ends the context.
func (l *Life) Cancel() { l.cancel(errEnd) }

// Wait waits for the goroutines.
func (l *Life) Wait() {
	l.mu.Lock()
	l.awaited = true
	l.mu.Unlock()
	l.running.Wait()
}

// Causes of the end of a turn's context.
var (
	ErrInterrupt = errors.New("interrupted by the user")
	ErrSigint    = errors.New("interrupted by a signal")
)

// Interrupted reports whether a context has ended by an interrupt.
func Interrupted(ctx context.Context) bool {
	cause := context.Cause(ctx)
	return cause == ErrInterrupt || cause == ErrSigint
}

// UntilInterrupted returns a context that outlives a turn, unless the turn is interrupted.
func (l *Life) UntilInterrupted(turn context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(l.ctx)
	context.AfterFunc(turn, func() {
		if Interrupted(turn) {
			cancel(context.Cause(turn))
		}
	})
	return ctx
}
