package fuzz_test

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport"
)

// A connPlay runs a Conn and its model side by side, in a synctest bubble, and compares them behind
// every step.
type connPlay struct {
	model connModel
	conn  *transport.Conn
	toUs  *io.PipeWriter // from the peer

	// weak says that the peer does not read any more, so that the model does not know what happens
	// when. Calls must still end once, and nothing may be left in the end.
	weak   bool
	fromUs *io.PipeReader
	paused atomic.Bool   // the peer does not read, but keeps its end open
	resume chan struct{} // closed in the end

	calls    []*playedCall
	handlers []*playedHandler // in the order of the model's servings

	mu      sync.Mutex // guards the fields below
	sent    []sentLine // by the Conn, since the last step
	bad     error      // a line that no Conn may send
	started []*playedHandler
}

// playedCall is a call of the application's.
type playedCall struct {
	model  *modelCall // nil for one that must fail at once
	cancel context.CancelFunc
	done   chan callEnd
	ended  bool
}

type callEnd struct {
	body codec.Raw
	err  error
}

// playedHandler is a handler that runs until it is told how to end.
type playedHandler struct {
	id      string
	ctx     context.Context
	release chan func() (codec.Appender, error)
	gone    bool // it was told
}

// playConn plays steps and returns where Conn and model differ.
func playConn(t *testing.T, steps []step) (failure error) {
	synctest.Test(t, func(t *testing.T) {
		p := newConnPlay()
		for i, s := range steps {
			if failure = p.step(s); failure != nil {
				failure = fmt.Errorf("step %d, %+v: %w", i, s, failure)
				break
			}
		}
		if err := p.finish(); failure == nil {
			failure = err
		}
	})
	return failure
}

func newConnPlay() *connPlay {
	r, toUs := io.Pipe()
	fromUs, w := io.Pipe()
	p := &connPlay{toUs: toUs, fromUs: fromUs, resume: make(chan struct{})}
	p.conn = transport.NewConn(r, w, &transport.ConnOptions{Handler: p.handle, Limits: modelLimits, Logger: slog.New(slog.DiscardHandler)})
	go p.collect(fromUs) // ends when the Conn closes its writer
	return p
}

// collect keeps what the Conn sends.
func (p *connPlay) collect(r io.Reader) {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if p.paused.Load() {
			<-p.resume
		}
		p.mu.Lock()
		if err != nil {
			p.sent = append(p.sent, sentLine{kind: "eof"})
			if len(line) > 0 {
				p.bad = fmt.Errorf("a line without LF: %q", line)
			}
			p.mu.Unlock()
			return
		}
		l, err := readSent(line[:len(line)-1])
		p.sent = append(p.sent, l)
		p.bad = cmp.Or(p.bad, err)
		p.mu.Unlock()
	}
}

// readSent reads a line of the Conn's. It must be a frame in canonical form.
func readSent(line []byte) (sentLine, error) {
	f, err := wire.Decode(line)
	if err != nil {
		return sentLine{}, fmt.Errorf("sent %q: %w", line, err)
	}
	switch f := f.(type) {
	case *wire.ControlRequest:
		return sentLine{kind: "request", id: f.RequestID}, nil
	case *wire.ControlCancelRequest:
		return sentLine{kind: "cancel", id: f.RequestID}, nil
	case *wire.ControlResponse:
		switch r := f.Response.(type) {
		case *wire.SuccessResponse:
			return sentLine{"success", r.RequestID, string(r.Response)}, nil
		case *wire.ErrorResponse:
			return sentLine{kind: "error", id: r.RequestID}, nil
		}
		return sentLine{}, fmt.Errorf("sent an odd response: %q", line)
	}
	return sentLine{kind: "message"}, nil
}

// handle is the Conn's handler: it waits until a step tells it how to end, whatever happens to its
// context.
func (p *connPlay) handle(ctx context.Context, r wire.Request) (codec.Appender, error) {
	h := &playedHandler{id: transport.RequestID(ctx), ctx: ctx, release: make(chan func() (codec.Appender, error))}
	p.mu.Lock()
	p.started = append(p.started, h)
	p.mu.Unlock()
	return (<-h.release)()
}

// call begins a call.
func (p *connPlay) call(r wire.Request, timeout time.Duration) {
	ctx, cancel := context.WithCancel(context.Background())
	c := &playedCall{model: p.model.call(timeout), cancel: cancel, done: make(chan callEnd, 1)}
	p.calls = append(p.calls, c)
	go func() { // ends with the call
		body, err := p.conn.Call(ctx, r)
		c.done <- callEnd{body, err}
	}()
}

// compare waits until nothing moves and compares the Conn with the model.
func (p *connPlay) compare() error {
	synctest.Wait()
	if p.weak {
		return p.compareWeakly()
	}
	if err := p.compareHandlers(); err != nil {
		return err
	}
	if err := p.compareSent(); err != nil {
		return err
	}
	return p.compareCalls()
}

// compareWeakly checks what holds also with a peer that does not read.
func (p *connPlay) compareWeakly() error {
	p.mu.Lock()
	p.handlers = append(p.handlers, p.started...)
	p.started = nil
	p.mu.Unlock()
	for _, c := range p.calls {
		select {
		case <-c.done:
			if c.ended {
				return errors.New("a call ended twice")
			}
			c.ended = true
		default:
			if !c.ended && p.model.closed {
				return errors.New("a call is open though the connection is closed")
			}
		}
	}
	return nil
}

// compareHandlers checks that those handlers were started that had to be, and that the contexts of
// those have ended whose requests are over.
func (p *connPlay) compareHandlers() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	fresh := p.model.servings[len(p.handlers):]
	if len(p.started) != len(fresh) {
		return fmt.Errorf("%d handlers were started, want %d", len(p.started), len(fresh))
	}
	for _, s := range fresh { // several can start at once, in any order
		i := slices.IndexFunc(p.started, func(h *playedHandler) bool { return h.id == s.id })
		if i < 0 {
			return fmt.Errorf("no handler was started for %q", s.id)
		}
		p.handlers = append(p.handlers, p.started[i])
		p.started = slices.Delete(p.started, i, i+1)
	}
	// Of several with the same id that start at once, it is not known which is which; they are
	// cancelled together.
	for i, h := range p.handlers {
		if over := p.model.servings[i].over; !h.gone && over != (h.ctx.Err() != nil) {
			return fmt.Errorf("the request %q is over: %t; its handler's context: %v", h.id, over, h.ctx.Err())
		}
	}
	return nil
}

func (p *connPlay) compareSent() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bad != nil {
		return p.bad
	}
	got, want := p.sent, p.model.expect
	p.sent, p.model.expect = nil, nil
	if len(got) == 1 && len(want) == 1 && got[0].kind == "request" && want[0].kind == "request" {
		p.calls[len(p.calls)-1].model.id = got[0].id
		return nil
	}
	order := func(a, b sentLine) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.id, b.id), cmp.Compare(a.body, b.body))
	}
	slices.SortFunc(got, order)
	slices.SortFunc(want, order)
	if !slices.Equal(got, want) {
		return fmt.Errorf("sent %+v, want %+v", got, want)
	}
	return nil
}

func (p *connPlay) compareCalls() error {
	for _, c := range p.calls {
		var end callEnd
		select {
		case end = <-c.done:
		default:
			if !c.ended && (c.model == nil || c.model.ended) {
				return fmt.Errorf("a call is open that must have ended: %+v", c.model)
			}
			continue
		}
		if c.ended {
			return errors.New("a call ended twice")
		}
		c.ended = true
		if c.model == nil {
			if end.err == nil {
				return errors.New("a call succeeded that must fail at once")
			}
			continue
		}
		if err := c.model.check(end.body, end.err); err != nil {
			return err
		}
	}
	return nil
}

// finish closes the connection and lets everything end. What is still blocked then fails the
// bubble.
func (p *connPlay) finish() error {
	p.model.close()
	closed := p.conn.Close()
	err := p.compare()
	for _, h := range p.handlers {
		if !h.gone {
			h.release <- func() (codec.Appender, error) { return nil, nil }
		}
	}
	for _, h := range p.started {
		h.release <- func() (codec.Appender, error) { return nil, nil }
	}
	for _, c := range p.calls {
		c.cancel()
	}
	p.toUs.Close()
	close(p.resume)
	synctest.Wait()
	if err == nil && closed != nil {
		err = fmt.Errorf("close: %w", closed)
	}
	if err == nil {
		err = p.compare() // nothing more was sent
	}
	if err == nil && !p.weak {
		err = p.compareMessages()
	}
	return err
}

// compareMessages checks that every message can still be received, and then the end.
func (p *connPlay) compareMessages() error {
	n := 0
	for f, err := range p.conn.Messages() {
		if err != nil {
			break
		}
		if f == nil {
			return errors.New("a message is nil")
		}
		n++
	}
	if n != p.model.messages {
		return fmt.Errorf("%d messages were received, want %d", n, p.model.messages)
	}
	return nil
}
