package transport

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// maxRefusals is how many refusals may wait for a peer that does not read.
const maxRefusals = 1024

// inbound holds the requests from the peer that are not answered yet.
type inbound struct {
	limit int

	mu       sync.Mutex // guards the fields below and those of each serving
	open     map[*serving]struct{}
	closed   bool // no answer can be sent any more
	refusals int  // in the outbox
}

// serving is one request from the peer. It is over when it was answered or cancelled: it is not in
// open then.
type serving struct {
	id   string
	stop context.CancelFunc
	out  *outgoing // the answer; nil while the AnswerFunc runs
}

func newInbound(limit int) *inbound {
	return &inbound{limit: limit, open: map[*serving]struct{}{}}
}

// errInboundFull is why a request is answered by the overflow policy.
var errInboundFull = errors.New("too many requests at once")

// add takes a request in. The error is ErrInputClosed or errInboundFull.
func (in *inbound) add(s *serving) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	switch {
	case in.closed:
		return ErrInputClosed
	case in.limit >= 0 && len(in.open) >= in.limit:
		return fmt.Errorf("%w (max %d)", errInboundFull, in.limit)
	}
	in.open[s] = struct{}{}
	return nil
}

// answer queues the answer with push, unless the request is over.
func (in *inbound) answer(s *serving, line []byte, push func(*outgoing) error) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if _, ok := in.open[s]; !ok {
		return nil
	}
	s.out = &outgoing{line: line, after: func(error) { in.remove(s) }}
	err := push(s.out)
	if err != nil {
		delete(in.open, s)
	}
	return err
}

func (in *inbound) remove(s *serving) {
	in.mu.Lock()
	defer in.mu.Unlock()
	delete(in.open, s)
}

// cancel ends the requests with an id: the context of their AnswerFunc ends and nothing is sent. An
// unknown id is ignored.
func (in *inbound) cancel(id string, withdraw func(*outgoing) bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for s := range in.open {
		if s.id != id {
			continue
		}
		delete(in.open, s)
		s.stop()
		if s.out != nil {
			withdraw(s.out) // if it is being written it is too late
		}
	}
}

// close refuses all further requests and runs then. If there are open ones it does so only by
// force, and ends them.
func (in *inbound) close(force bool, then func() error) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if !in.closed && len(in.open) > 0 && !force {
		return &InputBusyError{Requests: len(in.open)}
	}
	in.abortLocked()
	return then()
}

// abort refuses all further requests and ends the open ones.
func (in *inbound) abort() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.abortLocked()
}

func (in *inbound) abortLocked() {
	in.closed = true
	for s := range in.open {
		s.stop()
	}
	clear(in.open)
}

// serve starts the answering of a request. An error ends the connection.
func (c *Conn) serve(f *wire.ControlRequest) error {
	if f.RequestID == "" {
		c.log.Warn("request without an id cannot be answered", "subtype", f.Request.Subtype())
		return nil
	}
	if c.hooks.request != nil {
		c.hooks.request(f.Request)
	}
	ctx, stop := context.WithCancel(context.WithValue(c.ctx, requestIDKey{}, f.RequestID))
	s := &serving{id: f.RequestID, stop: stop}
	switch err := c.inbound.add(s); {
	case err == ErrInputClosed:
		stop()
		c.log.Warn("request came after the input was closed and is not answered", "request_id", f.RequestID)
		return nil
	case err != nil:
		stop()
		c.log.Warn("request is answered by the overflow policy", "request_id", f.RequestID, "error", err)
		return c.refuse(f.RequestID, f.Request, err)
	}
	if c.hooks.admitted != nil {
		ctx = c.hooks.admitted(ctx, f.Request)
	}
	go c.handle(ctx, s, f.Request) // ends when the AnswerFunc returns
	return nil
}

// handle runs the AnswerFunc and queues the answer, also if the AnswerFunc ends the goroutine.
func (c *Conn) handle(ctx context.Context, s *serving, r wire.Request) {
	var body codec.Appender
	err := errGoexit
	defer func() {
		c.answer(ctx, s, r, body, err)
		s.stop()
	}()
	body, err = runAnswer(ctx, c.opts.Answer, r)
}

func (c *Conn) answer(ctx context.Context, s *serving, r wire.Request, body codec.Appender, err error) {
	if err == ErrNoAnswer {
		c.inbound.remove(s)
		return
	}
	if err != nil && ctx.Err() == nil {
		level := slog.LevelWarn
		if refusal := (*CallError)(nil); errors.Is(err, ErrUnsupported) || errors.As(err, &refusal) {
			level = slog.LevelDebug
		}
		c.log.Log(ctx, level, "request is answered with an error", "request_id", s.id, "error", err)
	}
	if err := c.inbound.answer(s, responseLine(s.id, r, body, err), c.out.push); err != nil {
		c.log.Warn("answer cannot be sent", "request_id", s.id, "error", err)
	}
}

// refuse answers a request in place of the AnswerFunc: with the overflow policy's answer, or with
// an error reply.
func (c *Conn) refuse(id string, r wire.Request, cause error) error {
	var body codec.Appender
	err := cause
	if r != nil {
		c.event(&CallbackEvent{RequestID: id, Subtype: r.Subtype(), Err: cause})
		if c.opts.Overflow != nil {
			body, err = runAnswer(context.WithValue(c.ctx, requestIDKey{}, id), c.opts.Overflow, r)
		}
	}
	in := c.inbound
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.refusals >= maxRefusals {
		return ErrBacklog
	}
	out := &outgoing{line: responseLine(id, r, body, err), after: func(error) {
		in.mu.Lock()
		defer in.mu.Unlock()
		in.refusals--
	}}
	if err := c.out.push(out); err != nil {
		c.log.Warn("answer cannot be sent", "request_id", id, "error", err)
		return nil
	}
	in.refusals++
	return nil
}
