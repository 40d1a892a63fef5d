package sim

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
)

// call is a request to the SDK that has no response yet.
type call struct {
	id       string
	ctx      context.Context
	request  object.Object // the whole line
	response chan object.Object
}

// calls are the requests to the SDK that have no response yet.
type calls struct {
	mu     sync.Mutex // guards the fields below
	list   []*call    // in the order in which they were sent
	closed bool       // no response can come any more
	ended  chan struct{}
}

// Errors of [Session.ask].
var (
	errClosedBefore = closedError("Stream closed")
	errClosedDuring = closedError("Tool permission stream closed before response received")
)

// closedError says in the CLI's words that the SDK has closed its end.
type closedError string

func (e closedError) Error() string { return string(e) }

// refusal is an error reply of the SDK.
type refusal struct{ text string }

func (e *refusal) Error() string { return e.text }

// ask sends a request to the SDK and waits for the response. When ctx ends first, the request is
// cancelled. A response without a body is nil. The error is a *refusal if the SDK replied with one.
func (s *Session) ask(ctx context.Context, request object.Object) (object.Object, error) {
	c, err := s.send(ctx, request)
	if err != nil {
		return nil, err
	}
	return s.await(ctx, c, true)
}

// send sends a request to the SDK.
func (s *Session) send(ctx context.Context, request object.Object) (*call, error) {
	c := &call{id: ids.UUID(), ctx: ctx, response: make(chan object.Object, 1)}
	c.request = object.Of("type", "control_request", "request_id", c.id, "request", request)
	s.calls.mu.Lock()
	defer s.calls.mu.Unlock()
	if s.calls.closed {
		return nil, errClosedBefore
	}
	s.calls.list = append(s.calls.list, c)
	s.out.Line(c.request)
	return c, nil
}

// await waits for the response to a request. When ctx ends first, the request is forgotten, and
// cancelled if that is wanted.
func (s *Session) await(ctx context.Context, c *call, cancels bool) (object.Object, error) {
	select {
	case r := <-c.response:
		return s.answered(r)
	case <-s.calls.ended:
		select {
		case r := <-c.response: // both have happened
			return s.answered(r)
		default:
		}
		return nil, errClosedDuring
	case <-ctx.Done():
		if s.calls.take(c.id) != nil && cancels {
			s.out.Line(object.Of("type", "control_cancel_request", "request_id", c.id))
		}
		return nil, context.Cause(ctx)
	}
}

// answered reads a response. Only the subtype "error" says that it is one.
func (s *Session) answered(r object.Object) (object.Object, error) {
	if r.Text("subtype") == "error" {
		return nil, &refusal{fmt.Sprint(r.Get("error"))}
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
func (c *calls) take(id string) *call {
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

// pending returns the requests of a subtype that have no response yet.
func (c *calls) pending(subtype string) []any {
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

// dropEnded cancels the requests whose context has ended.
func (s *Session) dropEnded() {
	s.calls.mu.Lock()
	defer s.calls.mu.Unlock()
	s.calls.list = slices.DeleteFunc(s.calls.list, func(c *call) bool {
		if c.ctx.Err() == nil {
			return false
		}
		s.out.Line(object.Of("type", "control_cancel_request", "request_id", c.id))
		return true
	})
}

// respond gives a line of the type control_response to the call that waits for it.
func (c *calls) respond(line object.Object) bool {
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

// close says that no response will come.
func (c *calls) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.closed = true
		close(c.ended)
	}
}
