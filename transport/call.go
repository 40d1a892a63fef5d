package transport

import (
	"context"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// Call sends a control request and waits for its answer, whose body it returns, nil if it has none. It implements [wire.Caller], so
// that wire.Client{Caller: conn} has a typed method for each request.
//
// It ends exactly once, by what comes first: the answer, which is a [*CallError] if the peer refuses; the timeout of [CallTimeouts],
// a [*TimeoutError]; the end of ctx; the end of the connection. After a timeout or cancellation the request is taken back if it has not gone
// out, otherwise a control_cancel_request follows it.
func (c *Conn) Call(ctx context.Context, r wire.Request) (codec.Raw, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	call, err := c.begin(r)
	if err != nil {
		return nil, err
	}
	return c.wait(ctx, call)
}

// begin registers a call and queues its request, in this order. It does not block.
func (c *Conn) begin(r wire.Request) (*call, error) {
	call, err := c.pending.add()
	if err != nil {
		return nil, err
	}
	line, err := wire.Append(nil, &wire.ControlRequest{RequestID: call.id, Request: r})
	if err != nil {
		c.pending.take(call.id)
		return nil, err
	}
	call.subtype, _ = codec.Find(line, "/request/subtype").Text()
	if call.timeout = c.opts.Timeouts.of(call.subtype); call.timeout > 0 {
		call.deadline = time.Now().Add(call.timeout)
	}
	call.out = &outgoing{line: line}
	err = c.out.push(call.out)
	if err == nil || c.out.wasLost(call.out) { // wait tells why it was lost
		return call, nil
	}
	if c.pending.take(call.id) == nil {
		a := <-call.answer // the connection's end was first
		return nil, a.err
	}
	return nil, call.named(err)
}

// wait waits for the end of a call, whichever comes first.
func (c *Conn) wait(ctx context.Context, call *call) (codec.Raw, error) {
	var timeout <-chan time.Time
	if call.timeout > 0 {
		timer := time.NewTimer(time.Until(call.deadline))
		defer timer.Stop()
		timeout = timer.C
	}
	var failure error = &TimeoutError{Subtype: call.subtype, RequestID: call.id, After: call.timeout}
	broken := c.out.broken
	for {
		select {
		case a := <-call.answer:
			return a.body, a.err
		case <-ctx.Done():
			return c.abandon(call, call.named(context.Cause(ctx)))
		case <-timeout:
			return c.abandon(call, failure)
		case <-broken:
			broken = nil
			if c.out.wasLost(call.out) {
				failure = call.named(c.out.err())
				timeout = time.After(settleTime)
			}
		}
	}
}

// abandon ends a call with an error, unless it has been ended in the meantime.
func (c *Conn) abandon(call *call, err error) (codec.Raw, error) {
	if c.pending.take(call.id) == nil {
		a := <-call.answer
		return a.body, a.err
	}
	if c.out.withdraw(call.out) || c.opts.NoCancel {
		return nil, err
	}
	if line, encodeErr := wire.Append(nil, &wire.ControlCancelRequest{RequestID: call.id}); encodeErr == nil {
		c.out.push(&outgoing{line: line}) // too late after the end of the input, and then of no use
	}
	return nil, err
}

// respond gives a response to the call that waits for it. Only the subtype error means failure.
func (c *Conn) respond(r wire.Response) {
	var id string
	var a answer
	switch r := r.(type) {
	case *wire.SuccessResponse:
		id, a.body = r.RequestID, r.Response
	case *wire.ErrorResponse:
		id, a.err = r.RequestID, &CallError{Response: r}
	case *wire.UnknownResponse:
		id, _ = codec.Find(r.Raw, "/request_id").Text()
		a.body = codec.Find(r.Raw, "/response")
	}
	if c.pending.finish(id, a) {
		return
	}
	late := c.pending.issued(id)
	c.log.Debug("response that nobody waits for was dropped", "request_id", id, "late", late)
	c.event(&OrphanEvent{RequestID: id, Late: late, Response: r})
}
