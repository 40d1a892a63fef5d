package transport

import (
	"context"
	"fmt"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// serve starts the answering of a request whose line has a length. An error ends the connection.
func (c *Conn) serve(f *wire.ControlRequest, length int64) error {
	s := &serving{id: f.RequestID, request: f.Request, size: 2*length + requestOverhead}
	s.ctx = s
	switch err := c.inbound.reserve(s); {
	case err == ErrInputClosed:
		c.log.Warn("request came after the input was closed and is not answered", "request_id", f.RequestID)
		return nil
	case err != nil:
		body, err := c.role.instead(s, err, false)
		return c.refuse(s.id, s.request, body, err)
	}
	c.role.plan(s)
	if s.timeout > 0 {
		s.startTimer(func() { c.expire(s) })
	}
	if c.inbound.start(s) {
		select {
		case c.requests <- s: // a goroutine has nothing to do
		default:
			go c.work(s)
		}
	}
	return nil
}

// work answers requests as long as there are any. Then it waits for the next one, unless another
// goroutine does: a new one would have to grow its stack again.
func (c *Conn) work(s *serving) {
	for s != nil {
		c.handle(s)
		if s = c.inbound.finished(s); s == nil {
			s = c.idle()
		}
	}
}

// idle waits for a request, nil if there is nothing to wait for.
func (c *Conn) idle() *serving {
	if !c.idling.CompareAndSwap(false, true) {
		return nil
	}
	defer c.idling.Store(false)
	select {
	case s := <-c.requests:
		return s
	case <-c.ctx.Done():
		return nil
	}
}

// handle runs the AnswerFunc and sends the answer, also if the AnswerFunc ends the goroutine.
func (c *Conn) handle(s *serving) {
	body := newBuffer()
	returned, err := false, errGoexit
	defer func() {
		if ok, _ := c.inbound.claim(s); ok {
			c.answer(s, body.bytes, err)
		}
		body.free()
		s.end(context.Canceled)
		if !returned {
			if next := c.inbound.finished(s); next != nil {
				go c.work(next)
			}
		}
	}()
	err = runAnswer(s.ctx, c.role.answer, s.request, body)
	returned = true
}

// expire answers a request whose time is over.
func (c *Conn) expire(s *serving) {
	ok, waited := c.inbound.claim(s)
	if !ok {
		return
	}
	s.end(context.DeadlineExceeded)
	cause := fmt.Errorf("%w (%v)", errCallbackOut, s.timeout)
	if waited {
		cause = fmt.Errorf("%w (%v)", errTimeInQueue, s.timeout)
	}
	body, err := c.role.instead(s, cause, !waited)
	c.send(s, body, err)
}

// answer sends what the AnswerFunc of a request returned. An empty body is none.
func (c *Conn) answer(s *serving, body codec.Raw, err error) {
	if err != nil {
		body, err = c.role.instead(s, err, true)
	}
	if err == ErrNoAnswer {
		c.inbound.remove(s)
		return
	}
	c.send(s, body, err)
}

// send sends an answer. It may wait for the peer.
func (c *Conn) send(s *serving, body codec.Raw, err error) {
	s.success = wire.SuccessResponse{RequestID: s.id, Response: body}
	line := responseLine(&s.success, s.request, err)
	if err := c.inbound.answer(s, line, c.out); err != nil {
		c.log.Warn("answer cannot be sent", "request_id", s.id, "error", err)
		return
	}
	c.out.help()
}

// refuse answers a request that was not taken in, or that did not decode and is nil. An error ends
// the connection.
func (c *Conn) refuse(id string, r wire.Request, body codec.Raw, cause error) error {
	err := c.inbound.refuse(responseLine(&wire.SuccessResponse{RequestID: id, Response: body}, r, cause), c.out)
	if err == ErrBacklog {
		return err
	}
	if err != nil {
		c.log.Warn("answer cannot be sent", "request_id", id, "error", err)
	}
	return nil
}
