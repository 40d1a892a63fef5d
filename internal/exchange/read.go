package exchange

import (
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/jsontext"
)

// A Kind says what a line is in an exchange.
type Kind int

const (
	Request Kind = iota + 1 // asks for an answer
	Success                 // answers, maybe with a body
	Failure                 // answers that it cannot be done
)

// A Line is what a line says of an exchange.
type Line struct {
	Kind    Kind
	ID      string  // of the request, in a form that can be compared
	Subject Subject // of a request

	// The body of a successful answer is from Start to End. If it has none, both are 0, and Outer
	// is where the object begins that it would be a member of.
	Outer, Start, End int
}

// Body returns the body of a successful answer, nil if it has none.
func (l *Line) Body(line []byte) []byte {
	if l.End == 0 {
		return nil
	}
	return line[l.Start:l.End]
}

// Read reads a line. It is false for a line that has no part in an exchange, for one without an id,
// and for one that is not JSON. Shapes of older peers are read too. Of duplicate members the last
// counts, as it does for the CLI.
func Read(line []byte) (Line, bool) {
	l, inner, ok := read(line)
	if inner != nil { // a request in the message of another, once
		if l, _, ok = read(inner); l.Kind != Request {
			return Line{}, false
		}
	}
	return l, ok
}

// read is Read. If the line may only be an old shape around a request, it returns what is inside.
func read(line []byte) (l Line, inner []byte, ok bool) {
	s := jsontext.NewScanner(line)
	r := reader{s: &s}
	r.object(r.frame)
	switch {
	case !s.OK() || !s.Finish():
		return Line{}, nil, false
	case r.frameType == "control_request" && !r.asked:
		return Line{}, r.inner, false
	case r.frameType == "control_request":
		r.line.Kind = Request
		r.line.Subject = r.subject()
	case r.frameType == "update_environment_variables": // is answered if it has an id
		r.line.Kind = Request
		r.line.Subject = Subject{Subtype: r.frameType, whole: true}
	case r.frameType == "control_response" && r.answered:
		r.line.Kind = Success // unless it says otherwise; the CLI takes every other subtype for one
		if r.subtype == "error" {
			r.line.Kind, r.line.Start, r.line.End = Failure, 0, 0
		}
		if r.line.Kind == Failure || r.line.End > 0 {
			r.line.Outer = 0
		}
		if r.replyTo != "" { // an older peer may have it outside
			r.line.ID = r.replyTo
		}
	default:
		return Line{}, nil, false
	}
	return r.line, nil, r.line.ID != ""
}

// Of is [Read] for a line that the strict decoder has read as a frame, which has the most of it.
func Of(f wire.Frame, line []byte) (Line, bool) {
	switch f := f.(type) {
	case *wire.ControlRequest:
		s := Subject{Subtype: f.Request.Subtype()}
		switch r := f.Request.(type) {
		case *wire.HookCallbackRequest:
			s.Event = r.Input.HookEventName()
		case *wire.MCPMessageRequest:
			scanner := jsontext.NewScanner(r.Message)
			message := reader{s: &scanner}
			message.object(message.rpc)
			s.Call = message.call()
		}
		return Line{Kind: Request, ID: `"` + f.RequestID, Subject: s}, true
	case *wire.ControlResponse:
		switch r := f.Response.(type) {
		case *wire.ErrorResponse:
			return Line{Kind: Failure, ID: `"` + r.RequestID}, true
		case *wire.SuccessResponse:
			l := Line{Kind: Success, ID: `"` + r.RequestID}
			if at, ok := jsontext.Locate(line, "response", "response"); ok {
				l.Start, l.End = at.Start, at.End
			} else {
				at, _ = jsontext.Locate(line, "response")
				l.Outer = at.Start
			}
			return l, true
		}
	case *wire.UpdateEnvironmentVariables:
		return Read(line)
	}
	return Line{}, false
}

// reader reads one line.
type reader struct {
	s         *jsontext.Scanner
	line      Line
	frameType string
	asks      string // the subtype of a request
	subtype   string // of an answer
	event     string // in the input of a request
	replyTo   string // the id in an answer
	asked     bool   // there is a request
	answered  bool   // there is a response
	inner     []byte // the message

	id, method string // of a JSON-RPC message
}

// object calls see for each member of an object; one that see does not read is skipped. Another
// value is skipped and is false.
func (r *reader) object(see func(name []byte) bool) bool {
	if r.s.Peek() != '{' {
		r.s.Skip()
		return false
	}
	r.s.Open()
	for {
		name, ok := r.s.Key()
		if !ok {
			r.s.Depth--
			return r.s.OK()
		}
		if !see(name) && !r.s.Skip() {
			return false
		}
	}
}

func (r *reader) frame(name []byte) bool {
	switch string(name) {
	case "type":
		return r.text(&r.frameType)
	case "request_id":
		return r.identity(&r.line.ID)
	case "request":
		r.asked = r.object(r.request)
		return true
	case "response":
		r.s.Peek()
		r.line.Outer = r.s.Pos
		r.answered = r.object(r.response)
		return true
	case "message":
		r.s.Peek()
		start := r.s.Pos
		if r.s.Skip() {
			r.inner = r.s.Data[start:r.s.Pos]
		}
		return true
	}
	return false
}

func (r *reader) request(name []byte) bool {
	switch string(name) {
	case "subtype":
		return r.text(&r.asks)
	case "input":
		r.object(func(name []byte) bool {
			return string(name) == "hook_event_name" && r.text(&r.event)
		})
		return true
	case "message":
		r.object(r.rpc)
		return true
	}
	return false
}

func (r *reader) rpc(name []byte) bool {
	switch string(name) {
	case "id":
		return r.identity(&r.id)
	case "method":
		return r.text(&r.method)
	}
	return false
}

// call returns the id of a JSON-RPC request; a message without a method is a response, one without
// an id a notification.
func (r *reader) call() string {
	if r.method == "" {
		return ""
	}
	return r.id
}

// subject returns what a request asks.
func (r *reader) subject() Subject {
	s := Subject{Subtype: r.asks}
	switch s.Subtype {
	case "hook_callback":
		s.Event = r.event
	case "mcp_message":
		s.Call = r.call()
	}
	return s
}

func (r *reader) response(name []byte) bool {
	switch string(name) {
	case "subtype":
		return r.text(&r.subtype)
	case "request_id":
		return r.identity(&r.replyTo)
	case "response":
		r.s.Peek()
		r.line.Start = r.s.Pos
		if r.s.Skip() {
			r.line.End = r.s.Pos
		}
		return true
	}
	return false
}

// text reads a string; it is false at another value.
func (r *reader) text(into *string) bool {
	if r.s.Peek() != '"' {
		return false
	}
	*into, _ = r.s.String()
	return true
}

// identity reads an id, which is a string or, in broken lines, anything. Strings are equal however
// they are escaped.
func (r *reader) identity(into *string) bool {
	if r.s.Peek() == '"' {
		text, _ := r.s.String()
		*into = `"` + text
		return true
	}
	start := r.s.Pos
	if r.s.Skip() {
		*into = string(r.s.Data[start:r.s.Pos])
	}
	return true
}
