// Package calls owns the requests that the CLI has made to the SDK and that have no response yet.
package calls

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/output"
)

// Call is a request to the SDK that has no response yet.
type Call struct {
	id       string
	ctx      context.Context
	request  object.Object // the whole line
	response chan object.Object
}

// Calls are the requests to the SDK that have no response yet. Its methods may be called at the
// same time.
type Calls struct {
	out *output.Session

	mu     sync.Mutex // guards the fields below
	list   []*Call    // in the order in which they were sent
	closed bool       // no response can come any more
	ended  chan struct{}
}

// New returns Calls that writes requests to out.
func New(out *output.Session) *Calls { return &Calls{out: out, ended: make(chan struct{})} }

// Errors of [Calls.Ask].
var (
	ErrClosedBefore = closedError("Stream closed")
	ErrClosedDuring = closedError("Tool permission stream closed before response received")
)

// closedError says in the CLI's words that the SDK has closed its end.
type closedError string

func (e closedError) Error() string { return string(e) }

// Refusal is an error reply of the SDK.
type Refusal struct{ Text string }

func (e *Refusal) Error() string { return e.Text }

// Ask sends a request to the SDK and waits for the response. When ctx ends first, the request is
// cancelled. A response without a body is nil. The error is a *Refusal if the SDK replied with one.
func (c *Calls) Ask(ctx context.Context, request object.Object) (object.Object, error) {
	p, err := c.Send(ctx, request)
	if err != nil {
		return nil, err
	}
	return c.Await(ctx, p, true)
}

// Send sends a request to the SDK.
func (c *Calls) Send(ctx context.Context, request object.Object) (*Call, error) {
	p := &Call{id: ids.UUID(), ctx: ctx, response: make(chan object.Object, 1)}
	p.request = object.Of("type", "control_request", "request_id", p.id, "request", request)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, ErrClosedBefore
	}
	c.list = append(c.list, p)
	c.out.Line(p.request)
	return p, nil
}

// Await waits for the response to a request. When ctx ends first, the request is forgotten, and
// cancelled if that is wanted.
func (c *Calls) Await(ctx context.Context, p *Call, cancels bool) (object.Object, error) {
	select {
	case r := <-p.response:
		return answered(r)
	case <-c.ended:
		select {
		case r := <-p.response: // both have happened
			return answered(r)
		default:
		}
		return nil, ErrClosedDuring
	case <-ctx.Done():
		if c.take(p.id) != nil && cancels {
			c.cancelled(p)
		}
		return nil, context.Cause(ctx)
	}
}

// cancelled tells the SDK that a response is not wanted any more.
func (c *Calls) cancelled(p *Call) {
	c.out.Line(object.Of("type", "control_cancel_request", "request_id", p.id))
}

// answered reads a response. Only the subtype "error" says that it is one.
func answered(r object.Object) (object.Object, error) {
	if r.Text("subtype") == "error" {
		return nil, &Refusal{fmt.Sprint(r.Get("error"))}
	}
	switch body := r.Get("response").(type) {
	case object.Object:
		return body, nil
	case nil:
		if !r.Has("response") {
			return nil, nil
		}
	}
	return object.Of("", r.Get("response")), nil
}

// take removes a call and returns it, nil if it is not there.
func (c *Calls) take(id string) *Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, p := range c.list {
		if p.id == id {
			c.list = append(c.list[:i:i], c.list[i+1:]...)
			return p
		}
	}
	return nil
}

// Pending returns the requests of a subtype that have no response yet.
func (c *Calls) Pending(subtype string) []any {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := []any{}
	for _, p := range c.list {
		if p.request.Object("request").Text("subtype") == subtype {
			list = append(list, p.request)
		}
	}
	return list
}

// DropEnded cancels the requests whose context has ended.
func (c *Calls) DropEnded() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = slices.DeleteFunc(c.list, func(p *Call) bool {
		if p.ctx.Err() == nil {
			return false
		}
		c.cancelled(p)
		return true
	})
}

// Respond gives a line of the type control_response to the call that waits for it. It reports
// false if there is none.
func (c *Calls) Respond(line object.Object) bool {
	response := line.Object("response")
	id, ok := response.Get("request_id").(string)
	if !ok {
		return false
	}
	p := c.take(id)
	if p == nil {
		return false
	}
	p.response <- response
	return true
}

// Withdraw ends the wait for the response to a request, as if the SDK had refused it.
func (c *Calls) Withdraw(id string) {
	c.Respond(object.Of("response", object.Of("subtype", "error", "request_id", id, "error", "the request was cancelled")))
}

// Close says that no response will come.
func (c *Calls) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.closed = true
		close(c.ended)
	}
}
