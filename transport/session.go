package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/tail"
)

const (
	// exitPatience is how long the end of stdout waits for the exit that explains it. A busy
	// machine may need a second to end what the CLI has left.
	exitPatience = 2 * time.Second
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
	Stopped               // the session was closed, or the CLI ended by itself with code 0
	Failed                // the initialisation or the CLI failed, see [Session.Err]
)

var stateNames = [...]string{"starting", "init sent", "running", "stopped", "failed"}

func (s State) String() string { return stateNames[s] }

// Session is a bidirectional session with the CLI. Its methods can be called concurrently; those of
// [wire.Client] are the control operations. During the initialisation operations and messages are
// queued, see [Limits.Queued].
type Session struct {
	wire.Client

	opts    *Options
	log     *journal
	version Version
	proc    Process
	conn    *Conn
	events  *lane[Event] // those of conn; closed by finish
	noise   *tail.Buffer // the text on stdout; bounded
	turns   turns
	uuids   uuids
	busy    atomic.Bool  // the CLI has something to do, as far as its messages tell
	unread  atomic.Int64 // results that were delivered and not received

	ready chan struct{} // closed when the session leaves InitSent
	done  chan struct{} // closed by run, when nothing is left

	mu          sync.Mutex // guards the fields below; never held while something blocks
	state       State
	queue       []*operation
	ran         bool      // it has been Running
	readyErr    error     // why the session did not become Running
	failure     error     // why it is Failed
	closing     time.Time // when Shutdown began
	initialized *wire.InitializeResponse
}

// Open starts the CLI and waits until the session is initialised. If that fails nothing is left
// after.
//
// The errors of a start, in the order in which they are looked for: [*UnsupportedVersionError],
// because the CLI said its version or refused a flag; [ErrCLINotFound] or [*SpawnError];
// [*InitTimeoutError]; [*InitError]; [*InitExitError].
func Open(ctx context.Context, opts *Options) (*Session, error) {
	s, err := Start(ctx, opts)
	if err != nil {
		return nil, err
	}
	return s.opened(ctx)
}

// OpenConn is Open with a CLI that runs already: r is its output and w its input, such as an ssh
// channel or, both in one, a [net.Conn]. The options must not ask for what only the start of a
// process can give. It closes r, if it is an io.Closer, and w, also if it fails.
//
// There is no exit: the end of r is a plain end of the session.
func OpenConn(ctx context.Context, r io.Reader, w io.WriteCloser, opts *Options) (*Session, error) {
	p := newPipe(r, w)
	o := opts.withDefaults()
	err := opts.validatePipe()
	if err == nil {
		err = o.validate()
	}
	if err != nil {
		p.Stop(ctx)
		return nil, err
	}
	return newSession(o, Version{}, p).opened(ctx)
}

// opened waits until the session is Running. Otherwise nothing is left of it.
func (s *Session) opened(ctx context.Context) (*Session, error) {
	if err := s.WaitReady(ctx); err != nil {
		patience, cancel := context.WithTimeout(context.Background(), failPatience)
		defer cancel()
		s.Shutdown(patience)
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
	path, err := o.find()
	if err != nil {
		return nil, err
	}
	version, err := o.probe(ctx, path)
	if err != nil {
		return nil, err
	}
	p, err := o.start(ctx, path, o.sessionArgs(version))
	if err != nil {
		return nil, err
	}
	return newSession(o, version, p), nil
}

// newSession sends initialize to a process that was started.
func newSession(o *Options, version Version, p Process) *Session {
	table, matchers := o.registerHooks()
	servers := newServers(o.MCPServers)
	conn := newConn(p.Stdout(), p.Stdin(), &ConnOptions{
		Limits: o.Limits, Timeouts: o.Timeouts, WhenFull: o.WhenFull, NoDeviations: o.NoDeviations, Logger: o.Logger,
	})
	conn.outlived = true
	s := &Session{
		opts: o, log: conn.log, version: version, proc: p,
		conn: conn, events: conn.events,
		noise: tail.New(maxNoise),
		ready: make(chan struct{}), done: make(chan struct{}),
	}
	s.Client = wire.Client{Caller: (*caller)(s)}
	conn.start(sessionRole{s, &callbacks{opts: o, hooks: table, servers: servers, log: s.log, report: s.event}})
	s.startServers(servers)
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
	s.ran = s.ran || state == Running
	s.event(&StateEvent{State: state})
	if wasStarting && state > InitSent {
		s.readyErr = err
		close(s.ready)
	}
}

func (s *Session) event(e Event) { s.events.push(e, eventOverhead) }

func (s *Session) dropQueueLocked(err error) {
	for _, op := range s.queue {
		op.begun <- err
	}
	s.queue = nil
}

// sessionRole is the role of a Session's Conn: the session watches, its callbacks answer.
type sessionRole struct {
	*Session
	*callbacks
}

// received sees what comes before it goes its way.
func (s *Session) received(f wire.Frame, line []byte) {
	switch f := f.(type) {
	case nil:
		s.keepNoise(line)
	case *wire.ControlRequest:
		s.asked(f.Request)
	case *wire.TranscriptMirror:
		if s.opts.OnTranscript != nil {
			s.opts.OnTranscript(f)
		}
	case *wire.SystemInit: // at the start of each turn
		s.busy.Store(true)
	default:
		if isResult(f) {
			s.busy.Store(false)
			s.unread.Add(1)
		}
	}
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

// Err returns why the session is Failed: an [*ExitError], an error of the start as [Open] lists
// them, or what broke the stream. It is nil while the session runs, after a plain end of the CLI
// and after [Session.Close].
func (s *Session) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failure
}

// Exit returns how the CLI ended, nil while it runs and in a session of [OpenConn].
func (s *Session) Exit() *ExitError { return s.proc.Exit() }

// WaitReady waits until the session is Running and returns nil, or why it will not be. At the end
// of ctx the error wraps that of ctx and quotes what the CLI has written.
func (s *Session) WaitReady(ctx context.Context) error {
	select {
	case <-s.ready:
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.readyErr
	case <-ctx.Done():
		return fmt.Errorf("the CLI has not answered initialize: %w%s", context.Cause(ctx), quoteOutput(s.output()))
	}
}

// output returns what the CLI has written so far that is not a message.
func (s *Session) output() string { return s.proc.Stderr() + s.noise.String() }

// Done is closed when the session has ended and nothing of it is left.
func (s *Session) Done() <-chan struct{} { return s.done }

// Messages returns an iterator over everything that the CLI writes but control traffic, see
// [Conn.Messages]. Everything that was written before an exit is delivered. Its last element is an
// error if the session failed: an [*ExitError] for an exit code other than 0.
func (s *Session) Messages() iter.Seq2[wire.Frame, error] { return messages(s.Receive) }

// Receive returns the next message, see [Conn.Receive].
func (s *Session) Receive(ctx context.Context) (wire.Frame, error) {
	f, err := s.conn.Receive(ctx)
	if err != nil {
		var dropped *DroppedError
		if errors.As(err, &dropped) {
			s.unread.Add(-int64(dropped.Results))
		}
		return f, err
	}
	if isResult(f) {
		s.unread.Add(-1)
	}
	return f, nil
}

// Events returns an iterator over the events of the session. The last one is a [*CompletedEvent],
// [*StoppedEvent] or [*FailedEvent].
func (s *Session) Events() iter.Seq[Event] { return eventSeq(s.events) }

// Prompt sends a text as a user message.
func (s *Session) Prompt(ctx context.Context, text string) error {
	return s.Send(ctx, userMessage(text))
}

func userMessage(text string) *wire.User {
	return &wire.User{Message: wire.UserMessage{Content: wire.UserMessageContent{Text: &text}}}
}

// outgoing returns a message as the options want it to be sent.
func (o *Options) outgoing(f wire.Frame) wire.Frame {
	user, ok := f.(*wire.User)
	if !ok || user == nil || !o.VerbatimPrompts {
		return f
	}
	own := *user
	own.ClientComposed = wire.Ptr(true)
	return &own
}

// Send sends a message, usually a [*wire.User]. There can be several in a session: the CLI queues
// them. The results are not one for each, see the CLI's merging of queued messages.
func (s *Session) Send(ctx context.Context, f wire.Frame) error {
	_, err := s.send(ctx, f)
	return err
}

// send is Send. It also reports whether the message has gone out or will, which may be so although
// ctx has ended.
func (s *Session) send(ctx context.Context, f wire.Frame) (sent bool, err error) {
	switch f := f.(type) {
	case *wire.ControlRequest, *wire.ControlResponse, *wire.ControlCancelRequest:
		return false, fmt.Errorf("a %T is not a message; use the control operations", f)
	case *wire.User:
		if f != nil && f.Message.Role != "" && f.Message.Role != wire.UserMessageRoleUser {
			return false, fmt.Errorf("role %q of a user message: the CLI ends at any but %q", f.Message.Role, wire.UserMessageRoleUser)
		}
	}
	line, err := wire.Append(nil, s.opts.outgoing(f))
	if err != nil {
		return false, err
	}
	if user, ok := f.(*wire.User); ok && user.UUID != nil {
		id := *user.UUID
		if !s.uuids.add(id) {
			return false, fmt.Errorf("%w: %s", ErrRepeatedUUID, id)
		}
		defer func() {
			if !sent {
				s.uuids.remove(id)
			}
		}()
	}
	out, written := newLine(line)
	push := func() error {
		if _, ok := f.(*wire.User); ok {
			s.busy.Store(true) // before the result can come
		}
		return s.conn.out.push(out)
	}
	if err := s.schedule(ctx, push); err != nil {
		return false, s.explainWrite(ctx, err)
	}
	if err := s.conn.waitWritten(ctx, out, written); err != nil {
		return !s.conn.out.withdraw(out), s.explainWrite(ctx, err)
	}
	return true, nil
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
