package transport

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

// memoryCLI is a CLI in memory, in a synctest bubble. It does what the test says, and ends with
// code 0 when it is stopped.
type memoryCLI struct {
	*peertest.Peer
	stdin  io.WriteCloser
	stdout io.Reader
	done   chan struct{}

	mu      sync.Mutex // guards the fields below
	stderr  string
	exit    *ExitError
	stops   int
	deaf    bool // Stop does not end it until its context ends
	stopErr error
}

func newMemoryCLI(t testing.TB) *memoryCLI {
	p, r, w := peertest.NewPeer(t)
	return &memoryCLI{Peer: p, stdin: w, stdout: r, done: make(chan struct{})}
}

func (f *memoryCLI) Stdin() io.WriteCloser { return f.stdin }
func (f *memoryCLI) Stdout() io.Reader     { return struct{ io.Reader }{f.stdout} } // like a Process, not a Closer
func (f *memoryCLI) Done() <-chan struct{} { return f.done }

func (f *memoryCLI) Stderr() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stderr
}

func (f *memoryCLI) Exit() *ExitError {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.exit
}

func (f *memoryCLI) Stop(ctx context.Context) error {
	f.mu.Lock()
	f.stops++
	deaf, err := f.deaf, f.stopErr
	f.mu.Unlock()
	f.stdin.Close()
	if err != nil {
		return err
	}
	if deaf {
		select {
		case <-ctx.Done():
		case <-f.done:
		}
	}
	f.die(0, "")
	return nil
}

// complain writes to stderr.
func (f *memoryCLI) complain(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stderr += text
}

// stopped returns how often Stop was called.
func (f *memoryCLI) stopped() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stops
}

// die ends the process: stdout ends and the exit is known.
func (f *memoryCLI) die(code int, stderr string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.exit != nil {
		return
	}
	f.stderr += stderr
	f.exit = &ExitError{Command: "claude", Code: code, Stderr: f.stderr}
	f.stdin.Close()
	f.End()
	close(f.done)
}

// newTestSession starts a session with a fake CLI. It is closed at the end of the test.
func newTestSession(t testing.TB, opts *Options) (*Session, *memoryCLI) {
	t.Helper()
	o := opts.withDefaults()
	if opts == nil || opts.Logger == nil {
		o.Logger = peertest.Quiet
	}
	if err := o.validate(); err != nil {
		t.Fatal(err)
	}
	f := newMemoryCLI(t)
	s := newSession(o, Version{Major: 2, Minor: 1, Patch: 325}, f)
	t.Cleanup(func() { s.Close() })
	return s, f
}

// running starts a session and answers initialize.
func running(t testing.TB, opts *Options) (*Session, *memoryCLI) {
	t.Helper()
	s, f := newTestSession(t, opts)
	f.Say(peertest.SuccessLine(f.RequestID("initialize"), `{}`))
	if err := s.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	drain(s.events)
	return s, f
}

// wantState fails if the session is in another state.
func wantState(t testing.TB, s *Session, want State) {
	t.Helper()
	synctest.Wait()
	if got := s.State(); got != want {
		t.Errorf("state is %v, want %v", got, want)
	}
}

// goPrompt sends a prompt in a goroutine of its own.
func goPrompt(t testing.TB, s *Session, text string) <-chan error {
	done := make(chan error, 1)
	go func() { done <- s.Prompt(t.Context(), text) }()
	return done
}

// states returns the states that the events tell of.
func states(events []Event) (all []State) {
	for _, e := range events {
		if e, ok := e.(*StateEvent); ok {
			all = append(all, e.State)
		}
	}
	return all
}

func failedReason(events []Event) error {
	if e, ok := events[len(events)-1].(*FailedEvent); ok {
		return e.Reason
	}
	return errors.New("the last event is not a FailedEvent")
}

func allow(ctx context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
	return r.Allow(), nil
}
