package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"sync"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport/cli"
	"github.com/ccwire/ccwire/transport/internal/tail"
)

const (
	// exitPatience is how long the end of stdout waits for the exit that explains it.
	exitPatience = 500 * time.Millisecond
	// failPatience is how long a CLI that could not be initialised has to end by itself.
	failPatience = time.Second
	// maxNoise is how much of the output that is not a message is kept during the initialisation.
	maxNoise = 8 << 10
)

// State is where a session is in its life.
type State int

// The states of a session. Stopped and Failed are final.
const (
	Starting State = iota // the CLI is being started
	InitSent              // initialize was sent and is not confirmed
	Running               // initialize was answered, or a request from the CLI confirmed it
	Stopped               // the session was closed, or the CLI ended
	Failed                // the initialisation failed
)

var stateNames = [...]string{"starting", "init sent", "running", "stopped", "failed"}

func (s State) String() string { return stateNames[s] }

// Session is a bidirectional session with the CLI. Its methods can be called concurrently; those of
// [wire.Client] are the control operations. During the initialisation operations and messages are
// queued, see [Limits.Queued].
type Session struct {
	wire.Client

	opts    *Options
	log     *slog.Logger
	version Version
	proc    child
	conn    *Conn
	events  *lane[Event]
	noise   *tail.Buffer // the text on stdout; bounded

	ready chan struct{} // closed when the session leaves InitSent
	done  chan struct{} // closed by run, when nothing is left

	mu          sync.Mutex // guards the fields below; never held while something blocks
	state       State
	queue       []*operation
	readyErr    error // why the session did not become Running
	failure     error // of the initialisation
	initialized *wire.InitializeResponse
}

// child is what a Session needs of a [cli.Process].
type child interface {
	Stdin() io.WriteCloser
	Stdout() io.Reader
	Stderr() string
	Done() <-chan struct{}
	Exit() *ExitError
	Stop(context.Context) error
}

// Open starts the CLI and waits until the session is initialised. If that fails nothing is left
// behind.
//
// The errors of a start, in the order in which they are looked for: [*UnsupportedVersionError],
// because the CLI said its version or refused a flag; [ErrCLINotFound] or [*SpawnError];
// [*InitTimeoutError]; [*InitError]; [*InitExitError].
func Open(ctx context.Context, opts *Options) (*Session, error) {
	s, err := Start(ctx, opts)
	if err != nil {
		return nil, err
	}
	if err := s.WaitReady(ctx); err != nil {
		killed, cancel := context.WithCancel(context.Background())
		cancel()
		s.Shutdown(killed)
		return nil, err
	}
	return s, nil
}

// Start starts the CLI, sends initialize and returns: [Session.WaitReady] waits for the answer. The
// context is for the start only. The caller must call [Session.Close].
func Start(ctx context.Context, opts *Options) (*Session, error) {
	o := opts.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	path, err := cli.Find(o.CLI)
	if err != nil {
		return nil, err
	}
	version, err := o.probe(ctx, path)
	if err != nil {
		return nil, err
	}
	p, err := cli.Start(o.process(path, o.sessionArgs(version)))
	if err != nil {
		return nil, err
	}
	return newSession(o, version, p), nil
}

// newSession sends initialize to a process that was started.
func newSession(o *Options, version Version, p child) *Session {
	table, matchers := o.registerHooks()
	s := &Session{
		opts: o, log: o.Logger, version: version, proc: p,
		events: newLane[Event](laneLimits{o.Limits.Events, -1, DropOldest}),
		noise:  tail.New(maxNoise),
		ready:  make(chan struct{}), done: make(chan struct{}),
	}
	s.Client = wire.Client{Caller: (*caller)(s)}
	c := &callbacks{opts: o, hooks: table, mcpLast: map[string]<-chan struct{}{}, log: o.Logger, report: func(e Event) { s.events.push(e, 0) }}
	s.conn = newConn(p.Stdout(), p.Stdin(), &ConnOptions{
		Answer: c.answer, Overflow: c.overflow,
		Limits: o.Limits, Timeouts: o.Timeouts, WhenFull: o.WhenFull, NoDeviations: o.NoDeviations, Logger: o.Logger,
	}, connHooks{request: s.observe, admitted: c.queueMCP, noise: s.keepNoise, ended: s.explainEnd, events: s.events})
	s.startServers()
	s.mu.Lock()
	s.enterLocked(InitSent, nil)
	s.mu.Unlock()
	init, err := s.conn.begin(o.initializeRequest(matchers))
	go s.run(init, err) // ends with the process
	return s
}

// enterLocked changes the state. The error is why the session will not become Running, if it was
// not.
func (s *Session) enterLocked(state State, err error) {
	wasStarting := s.state <= InitSent
	s.state = state
	s.events.push(&StateEvent{State: state}, 0)
	if wasStarting && state > InitSent {
		s.readyErr = err
		close(s.ready)
	}
}

func (s *Session) dropQueueLocked(err error) {
	for _, op := range s.queue {
		op.begun <- err
	}
	s.queue = nil
}

func (s *Session) keepNoise(line []byte) {
	select {
	case <-s.ready:
	default:
		s.noise.Write(line)
		s.noise.Write([]byte{'\n'})
	}
}

// State returns the state of the session.
func (s *Session) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// Version returns the version of the CLI, zero if it is unknown.
func (s *Session) Version() Version { return s.version }

// Initialized returns the CLI's answer to initialize: nil as long as there is none, also in a
// session that was confirmed otherwise.
func (s *Session) Initialized() *wire.InitializeResponse {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.initialized
}

// WaitReady waits until the session is Running and returns nil, or why it will not be.
func (s *Session) WaitReady(ctx context.Context) error {
	select {
	case <-s.ready:
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.readyErr
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Done is closed when the session has ended and nothing of it is left.
func (s *Session) Done() <-chan struct{} { return s.done }

// Messages returns an iterator over everything that the CLI writes but control traffic, see
// [Conn.Messages]. Everything that was written before an exit is delivered. Its last element is an
// error if the session failed: an [*ExitError] for an exit code other than 0.
func (s *Session) Messages() iter.Seq2[wire.Frame, error] { return s.conn.Messages() }

// Receive returns the next message, see [Conn.Receive].
func (s *Session) Receive(ctx context.Context) (wire.Frame, error) { return s.conn.Receive(ctx) }

// Events returns an iterator over the events of the session. The last one is a [*CompletedEvent],
// [*StoppedEvent] or [*FailedEvent].
func (s *Session) Events() iter.Seq[Event] { return eventSeq(s.events) }

// Prompt sends a text as a user message.
func (s *Session) Prompt(ctx context.Context, text string) error {
	return s.Send(ctx, &wire.User{Message: wire.UserMessage{Role: wire.UserMessageRoleUser, Content: wire.UserMessageContent{Text: &text}}})
}

// Send sends a message, usually a [*wire.User]. There can be several in a session: the CLI queues
// them. The results are not one for each, see the CLI's merging of queued messages.
func (s *Session) Send(ctx context.Context, f wire.Frame) error {
	switch f := f.(type) {
	case *wire.ControlRequest, *wire.ControlResponse, *wire.ControlCancelRequest:
		return fmt.Errorf("a %T is not a message; use the control operations", f)
	case *wire.User:
		if f.Message.Role != wire.UserMessageRoleUser {
			return fmt.Errorf("role %q of a user message: the CLI ends at any but %q", f.Message.Role, wire.UserMessageRoleUser)
		}
	}
	line, err := wire.Append(nil, f)
	if err != nil {
		return err
	}
	out, written := newLine(line)
	if err := s.schedule(ctx, func() error { return s.conn.out.push(out) }); err != nil {
		return s.explainWrite(ctx, err)
	}
	return s.explainWrite(ctx, s.conn.waitWritten(ctx, out, written))
}

// explainWrite replaces a write error by the exit that caused it, if there is one.
func (s *Session) explainWrite(ctx context.Context, err error) error {
	if !errors.Is(err, ErrBrokenPipe) {
		return err
	}
	timer := time.NewTimer(settleTime)
	defer timer.Stop()
	select {
	case <-s.conn.Done():
		return fmt.Errorf("%w; %w", err, s.conn.Err())
	case <-timer.C:
	case <-ctx.Done():
	}
	return err
}
