package sim

import (
	"context"
	"fmt"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/template"
)

// reply is the answer to a control request.
type reply struct {
	body  any           // the member response; nil for none
	extra object.Object // members beside it
	then  func()        // what is done after the reply was written
	ready func()        // what is written before it
}

// controlError is an error reply.
type controlError struct {
	text string
	code string        // error_code; "" for none
	more object.Object // members beside it
}

func (e *controlError) Error() string { return e.text }

// control serves one kind of control request.
type control struct {
	serve func(s *Session, ctx context.Context, request object.Object) (reply, error)
	// slow says that it is served in a goroutine of its own, so that later requests overtake it.
	slow bool
	// progress says that the CLI tells when it begins to work on it.
	progress bool
}

// controls are the requests that the CLI serves, by subtype. Files that serve some of them add to
// it in an init function.
var controls = map[string]control{}

// serve serves a control request.
func (s *Session) serve(line object.Object) {
	request := line.Object("request")
	subtype, ok := request.Get("subtype").(string)
	if !ok {
		text := "undefined"
		if request.Has("subtype") {
			text = fmt.Sprint(request.Get("subtype"))
		}
		s.respond(line, reply{}, &controlError{text: "Unsupported control request subtype: " + text, code: "unsupported_request"})
		return
	}
	c, ok := controls[subtype]
	if answer, known := template.Answer(subtype, s.templateSession()); !ok && known {
		s.respondAs(line, answer)
		return
	}
	if !ok {
		s.respond(line, reply{}, &controlError{text: "Unsupported control request subtype: " + subtype, code: "unsupported_request"})
		return
	}
	if !c.slow && !(subtype == "set_model" && s.hooks.Any("PreModelSwitch")) {
		r, err := c.serve(s, s.life.Context(), request)
		s.respond(line, r, err)
		return
	}
	if c.progress {
		s.out.Tell("type", "system", "subtype", "control_request_progress", "request_id", line.Get("request_id"), "status", "started")
	}
	ctx, cancel := context.WithCancelCause(s.life.Context())
	id := line.Text("request_id")
	s.mu.Lock()
	s.cancelWork[id] = cancel
	s.mu.Unlock()
	s.life.Go(func() {
		defer cancel(nil)
		r, err := c.serve(s, ctx, request)
		s.mu.Lock()
		delete(s.cancelWork, id)
		s.mu.Unlock()
		if !s.life.Over() {
			s.respond(line, r, err)
		}
	})
}

// errCancelled is the cause of the end of a request that the SDK has cancelled.
var errCancelled = &controlError{text: "cancelled"}

// cancelRequest ends a request of the SDK that is being served.
func (s *Session) cancelRequest(id any) {
	name, ok := id.(string)
	if !ok {
		return
	}
	s.mu.Lock()
	cancel := s.cancelWork[name]
	s.mu.Unlock()
	if cancel != nil {
		cancel(errCancelled)
	}
}

// respond writes the reply to a request.
func (s *Session) respond(line object.Object, r reply, err error) {
	id := object.If(line.Has("request_id"), line.Get("request_id"))
	if err != nil {
		e, ok := err.(*controlError)
		if !ok {
			e = &controlError{text: err.Error()}
		}
		body := object.Of("subtype", "error", "request_id", id, "error", e.text, "error_code", object.If(e.code != "", e.code))
		s.out.Line(object.Of("type", "control_response", "response", append(body, e.more...)))
		return
	}
	if r.ready != nil {
		r.ready()
	}
	body := object.Of("subtype", "success", "request_id", id, "response", object.If(r.body != nil, r.body))
	s.out.Line(object.Of("type", "control_response", "response", append(body, r.extra...)))
	if r.then != nil {
		r.then()
	}
}

// respondAs writes a reply that is a template.
func (s *Session) respondAs(line, answer object.Object) {
	body := object.Of("subtype", answer.Get("subtype"), "request_id", object.If(line.Has("request_id"), line.Get("request_id")))
	s.out.Line(object.Of("type", "control_response", "response", append(body, answer.Without("subtype")...)))
}

// templateSession is what templates are made to say.
func (s *Session) templateSession() template.Session {
	return template.Session{Cwd: s.place.Dir(), Config: s.place.ConfigDir(), Home: s.place.Get("HOME"), Tmp: s.place.TmpDir(), Version: Version}
}

// templateBody returns the body of a template's reply.
func (s *Session) templateBody(subtype string) object.Object {
	answer, _ := template.Answer(subtype, s.templateSession())
	return answer.Object("response")
}
