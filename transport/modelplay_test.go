package transport

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

// The limits and times of the models are small, so that plays reach them.
var (
	modelLimits = Limits{Queued: 3, Pending: 4, Inbound: 3, Line: 2048}
	modelTimes  = CallTimeouts{Other: 7 * time.Second}
)

const modelPatience = 8 * time.Second // with a permission callback

// endpoint is a Conn or a Session.
type endpoint interface {
	wire.Caller
	Send(context.Context, wire.Frame) error
	CloseInput(context.Context) error
	ForceCloseInput(context.Context) error
	Close() error
	Messages() iter.Seq2[wire.Frame, error]
}

// endpointModel is the model of an endpoint: a connModel or a sessionModel.
type endpointModel interface {
	base() *connModel
	begins(*modelOp)
	cancels(*modelOp)
	passes(time.Duration)
	closesInput(force bool) string
	peerEnds(code int)
	closes()
}

// A play runs an endpoint and its model side by side, in a synctest bubble, and compares them after
// each step.
type play struct {
	endpoint
	peer  *peertest.Peer
	model endpointModel

	session *sessionModel // nil in the play of a Conn
	s       *Session
	cli     *memoryCLI
	mute    int // steps for which the CLI keeps initialize unconfirmed

	ops  []*playedOp
	tied bool // what was sent since the last look may have any order
	// weak says that the peer does not read any more, so that the model does not know what happens
	// when. Operations must still end, and nothing may be left in the end.
	weak bool

	held []*heldCallback // in the order in which the model starts them

	mu      sync.Mutex // guards the field below
	started []*heldCallback
}

// playedOp is an operation in both worlds.
type playedOp struct {
	*modelOp
	cancel context.CancelFunc
	done   chan string
	got    string // how it ended
}

// heldCallback is a callback that waits to be told how to return.
type heldCallback struct {
	id   string
	ctx  context.Context
	how  chan byte
	gone bool // it was told
}

// newConnPlay plays a Conn.
func newConnPlay(t *testing.T) *play {
	m := newConnModel(modelLimits, modelTimes)
	p := &play{model: m}
	var conn *Conn
	conn, p.peer = newPeer(t, &ConnOptions{Answer: p.answer, Limits: modelLimits, Timeouts: modelTimes})
	p.endpoint, m.suffix = conn, conn.pending.suffix
	return p
}

// newSessionPlay plays a Session.
func newSessionPlay(t *testing.T) *play {
	p := &play{session: newSessionModel(modelLimits, modelTimes, modelPatience)}
	p.model = p.session
	p.s, p.cli = newTestSession(t, &Options{
		CanUseTool: p.canUseTool,
		Hooks:      preToolUse(hookNothing),
		Limits:     modelLimits, Timeouts: modelTimes,
		CallbackTimeouts: CallbackTimeouts{Permission: modelPatience},
	})
	p.endpoint, p.peer, p.session.suffix = p.s, p.cli.Peer, p.s.conn.pending.suffix
	return p
}

// runPlay plays steps and returns where the endpoint and its model differ.
func runPlay(t *testing.T, start func(*testing.T) *play, mute byte, steps []step) (failure error) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t)
		p.mute = int(mute % 16)
		failure = p.check()
		for i, s := range steps {
			if failure != nil {
				break
			}
			if err := p.play(s); err != nil {
				failure = fmt.Errorf("step %d, %+v: %w", i, s, err)
			}
			p.mute--
		}
		if err := p.finish(); failure == nil && err != nil {
			failure = fmt.Errorf("at the end: %w", err)
		}
	})
	return failure
}

// hold waits until a step tells the callback how to return, whatever happens to its context.
func (p *play) hold(ctx context.Context) byte {
	h := &heldCallback{id: RequestID(ctx), ctx: ctx, how: make(chan byte)}
	p.mu.Lock()
	p.started = append(p.started, h)
	p.mu.Unlock()
	return <-h.how
}

// answers are what the callback of a Conn can return, and what must be sent then.
var answers = []struct {
	line string
	do   func() (codec.Appender, error)
}{
	{`success ID {"n":1}`, func() (codec.Appender, error) { return rawBody(`{"n":1}`), nil }},
	{`success ID `, func() (codec.Appender, error) { return nil, nil }},
	{``, func() (codec.Appender, error) { return nil, ErrNoAnswer }},
	{`error ID`, func() (codec.Appender, error) { return nil, errors.New("no") }},
	{`error ID`, func() (codec.Appender, error) { panic("no") }},
	{`error ID`, func() (codec.Appender, error) { return rawBody("{\"a\":\"\xff"), nil }},       // not JSON
	{`error ID`, func() (codec.Appender, error) { return rawBody("{}"), errors.New("\xff\n") }}, // not UTF-8
}

func (p *play) answer(ctx context.Context, _ wire.Request) (codec.Appender, error) {
	return answers[int(p.hold(ctx))%len(answers)].do()
}

// decisions are what the permission callback of a Session can return, and what must be sent then.
var decisions = []struct {
	line string
	do   func() (wire.PermissionResult, error)
}{
	{"success ID allow", func() (wire.PermissionResult, error) { return &wire.PermissionAllow{}, nil }},
	{"success ID deny", func() (wire.PermissionResult, error) { return &wire.PermissionDeny{}, nil }},
	{"success ID deny", func() (wire.PermissionResult, error) { return nil, nil }},
	{"success ID deny", func() (wire.PermissionResult, error) { return (*wire.PermissionAllow)(nil), nil }},
	{"success ID deny", func() (wire.PermissionResult, error) { return nil, errors.New("no") }},
	{"success ID deny", func() (wire.PermissionResult, error) { return &wire.PermissionAllow{}, errors.New("no") }},
	{"success ID deny", func() (wire.PermissionResult, error) { panic("no") }},
	{"success ID deny", func() (wire.PermissionResult, error) { return &wire.PermissionAllow{UpdatedInput: codec.Raw(`{`)}, nil }},
}

func (p *play) canUseTool(ctx context.Context, _ *wire.CanUseToolRequest) (wire.PermissionResult, error) {
	return decisions[int(p.hold(ctx))%len(decisions)].do()
}

// check compares the endpoint with its model.
func (p *play) check() error {
	synctest.Wait()
	if p.weak {
		p.adoptStarted()
		p.collectOps()
		return nil
	}
	for _, compare := range []func() error{p.checkCallbacks, p.checkLines, p.checkOps, p.checkSession} {
		if err := compare(); err != nil {
			return err
		}
	}
	return nil
}

func diff(what string, want, got []string) error {
	if slices.Equal(want, got) {
		return nil
	}
	return fmt.Errorf("%s (-model +real):\n%s", what, cmp.Diff(want, got))
}

// checkLines compares what was sent. A line of the model that may be missing counts if it was sent.
func (p *play) checkLines() error {
	m := p.model.base()
	got := p.peer.Sent()
	for i, line := range got {
		got[i] = strings.ReplaceAll(lineWord(line), m.suffix, "")
	}
	var want []string
	for _, line := range m.lines {
		word, optional := strings.CutPrefix(line, "?")
		if !optional || slices.Contains(got, word) {
			want = append(want, word)
		}
	}
	if p.tied {
		slices.Sort(got)
		slices.Sort(want)
	}
	m.lines, p.tied = nil, false
	if closed := p.peer.Closed(); closed != m.quiet {
		return fmt.Errorf("the peer's input is closed: %t, model %t", closed, m.quiet)
	}
	return diff("lines", want, got)
}

// adoptStarted takes over the callbacks that were started, in any order.
func (p *play) adoptStarted() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = append(p.held, p.started...)
	p.started = nil
}

// checkCallbacks compares which callbacks were started, and which have been told that nobody waits
// for them. Several can start at once, in any order; of those with the same id nobody can say which
// is which, and they are cancelled together.
func (p *play) checkCallbacks() error {
	asks := p.model.base().started
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, ask := range asks[len(p.held):] {
		i := slices.IndexFunc(p.started, func(h *heldCallback) bool { return h.id == ask.id })
		if i < 0 {
			return fmt.Errorf("no callback was started for %q", ask.id)
		}
		p.held = append(p.held, p.started[i])
		p.started = slices.Delete(p.started, i, i+1)
	}
	if len(p.started) > 0 {
		return fmt.Errorf("a callback was started for %q", p.started[0].id)
	}
	for i, h := range p.held {
		if over := asks[i].over; over != (h.ctx.Err() != nil) {
			return fmt.Errorf("the request %q is over: %t; the context of its callback: %v", h.id, over, h.ctx.Err())
		}
	}
	return nil
}

func (p *play) collectOps() {
	for _, op := range p.ops {
		select {
		case op.got = <-op.done:
		default:
		}
	}
}

func (p *play) checkOps() error {
	p.collectOps()
	for i, op := range p.ops {
		if op.got != op.end {
			return fmt.Errorf("operation %d, %s, ended with %q, model %q", i, op.what, op.got, op.end)
		}
	}
	return nil
}

func (p *play) checkSession() error {
	if p.session == nil {
		return nil
	}
	var events []string
	for _, e := range drain(p.s.events) {
		if word := eventWord(e); word != "" {
			events = append(events, word)
		}
	}
	want := p.session.events
	p.session.events = nil
	if got := p.s.State(); got != p.session.state {
		return fmt.Errorf("state is %v, model %v", got, p.session.state)
	}
	if got := p.s.Initialized() != nil; got != p.session.initialized {
		return fmt.Errorf("initialize is answered: %t, model %t", got, p.session.initialized)
	}
	return diff("events", want, events)
}

// finish closes the endpoint and lets everything end. What is still blocked then fails the bubble.
func (p *play) finish() error {
	p.model.closes()
	closed := p.Close()
	err := p.check()
	p.adoptStarted()
	for _, h := range p.held {
		if !h.gone {
			h.how <- 1
		}
	}
	for _, op := range p.ops {
		op.cancel()
	}
	p.peer.End()
	p.peer.Resume()
	synctest.Wait()
	if err == nil && closed != nil {
		err = fmt.Errorf("close: %w", closed)
	}
	if err == nil {
		err = p.check() // nothing more was sent
	}
	for i, op := range p.ops {
		if err == nil && op.got == "" {
			err = fmt.Errorf("operation %d, %s, has not ended", i, op.what)
		}
	}
	if err == nil {
		err = p.checkMessages()
	}
	return err
}

// checkMessages checks that every message can still be received, and then the end.
func (p *play) checkMessages() error {
	messages, ending := 0, "ok"
	for f, err := range p.Messages() {
		if err != nil {
			ending = errorWord(err)
			break
		}
		if f == nil {
			return errors.New("a message is nil")
		}
		messages++
	}
	m := p.model.base()
	switch {
	case p.weak:
	case messages != m.messages:
		return fmt.Errorf("%d messages, model %d", messages, m.messages)
	case p.session != nil && ending != p.session.ending:
		return fmt.Errorf("the messages end with %q, model %q", ending, p.session.ending)
	}
	return nil
}
