// Package control serves the requests that the SDK makes of the CLI. It owns those that are being
// served.
package control

import (
	"context"
	"fmt"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/life"
	"github.com/ccwire/ccwire/internal/sim/output"
)

// Reply is the answer to a request.
type Reply struct {
	Body  any           // the member response; nil for none
	Extra object.Object // members beside it
	Ready func()        // what is written before it; nil for nothing
	Then  func()        // what is done after it was written; nil for nothing
}

// Error is an error reply.
type Error struct {
	Text string
	Code string        // error_code; "" for none
	More object.Object // members beside it
}

func (e *Error) Error() string { return e.Text }

// Handler serves one kind of request.
type Handler struct {
	Serve func(ctx context.Context, request object.Object) (Reply, error)
	// Slow reports whether it is served in a goroutine of its own, so that later requests overtake
	// it. Nil means that it is not.
	Slow func() bool
	// Progress says that the CLI tells when it begins to work on it.
	Progress bool
}

// Server serves requests.
type Server struct {
	out      *output.Session
	life     *life.Life
	handlers map[string]Handler
	memory   func(subtype string) (object.Object, bool)

	mu      sync.Mutex // guards serving
	serving map[string]context.CancelCauseFunc
}

// New returns a Server with handlers by subtype. What has no handler is answered from memory, if
// that has a response.
func New(out *output.Session, life *life.Life, handlers map[string]Handler, memory func(subtype string) (object.Object, bool)) *Server {
	return &Server{out: out, life: life, handlers: handlers, memory: memory, serving: map[string]context.CancelCauseFunc{}}
}

// ErrCancelled is the cause of the end of a request that the SDK has cancelled.
var ErrCancelled = &Error{Text: "cancelled"}

// Serve serves a line of the type control_request.
func (s *Server) Serve(line object.Object) {
	request := line.Object("request")
	unknown := func(subtype string) {
		if s.out.Release().Before("2.1.90") {
			return // these do not reply
		}
		code := "unsupported_request"
		if s.out.Release().Before("2.1.325") {
			code = ""
		}
		s.Respond(line, Reply{}, &Error{Text: "Unsupported control request subtype: " + subtype, Code: code})
	}
	subtype, ok := request.Get("subtype").(string)
	if !ok {
		text := "undefined"
		if request.Has("subtype") {
			text = fmt.Sprint(request.Get("subtype"))
		}
		unknown(text)
		return
	}
	if !s.out.Release().Serves(subtype) {
		unknown(subtype)
		return
	}
	h, ok := s.handlers[subtype]
	if !ok {
		if response, known := s.memory(subtype); known {
			s.respond(line, response)
			return
		}
		unknown(subtype)
		return
	}
	if h.Slow == nil || !h.Slow() {
		r, err := h.Serve(s.life.Context(), request)
		s.Respond(line, r, err)
		return
	}
	s.serveBeside(line, request, h)
}

// serveBeside serves a request in a goroutine of its own.
func (s *Server) serveBeside(line, request object.Object, h Handler) {
	if h.Progress {
		s.out.Tell("type", "system", "subtype", "control_request_progress", "request_id", line.Get("request_id"), "status", "started")
	}
	ctx, cancel := context.WithCancelCause(s.life.Context())
	id := line.Text("request_id")
	s.mu.Lock()
	s.serving[id] = cancel
	s.mu.Unlock()
	s.life.Go(func() {
		defer cancel(nil)
		r, err := h.Serve(ctx, request)
		s.mu.Lock()
		delete(s.serving, id)
		s.mu.Unlock()
		if !s.life.Over() {
			s.Respond(line, r, err)
		}
	})
}

// Cancel ends the request with an id, if it is being served.
func (s *Server) Cancel(id any) {
	name, ok := id.(string)
	if !ok {
		return
	}
	s.mu.Lock()
	cancel := s.serving[name]
	s.mu.Unlock()
	if cancel != nil {
		cancel(ErrCancelled)
	}
}

// Respond writes the reply to a line, or the error in its place.
func (s *Server) Respond(line object.Object, r Reply, err error) {
	if err != nil {
		e, ok := err.(*Error)
		if !ok {
			e = &Error{Text: err.Error()}
		}
		s.respond(line, append(object.Of("subtype", "error", "error", e.Text, "error_code", object.If(e.Code != "", e.Code)), e.More...))
		return
	}
	if r.Ready != nil {
		r.Ready()
	}
	s.respond(line, append(object.Of("subtype", "success", "response", object.If(r.Body != nil, r.Body)), r.Extra...))
	if r.Then != nil {
		r.Then()
	}
}

// respond writes a response, whose second member is the id of the line.
func (s *Server) respond(line, response object.Object) {
	if body, ok := response.Lookup("response"); ok {
		response = response.With("response", s.out.Release().Reply(line.Object("request").Text("subtype"), body))
	}
	body := object.Of("subtype", response.Get("subtype"), "request_id", object.If(line.Has("request_id"), line.Get("request_id")))
	s.out.Line(object.Of("type", "control_response", "response", append(body, response.Without("subtype")...)))
}
