package exchange

import (
	"bytes"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/exchange/clean"
	"github.com/ccwire/ccwire/schema"
)

// A Subject is what a request asks, as far as its answer depends on that.
type Subject struct {
	Subtype string
	Event   string // the event that a hook is called for
	Call    string // the id of a JSON-RPC request to an MCP server, in a form that can be compared

	// Place is for the caller of [Book.Ask], who gets it back with the answer.
	Place int

	whole bool // Subtype is the type of a line, which is not a control_request
}

// Definition returns the name of the definition of answers, "" if they have no body.
func (s *Subject) Definition() string {
	d := schema.Default().Response(s.Subtype)
	if s.whole {
		d = schema.Default().Lookup("envelope/" + s.Subtype + ".json#/$defs/Response")
	}
	if d == nil {
		return ""
	}
	return d.Name()
}

// Needs reports whether an answer that one end, or either, gives must have a body. CLIs leave it
// out now and then, older ones more often.
func (s *Subject) Needs(from schema.Direction) bool {
	switch from {
	case schema.FromCLI:
		return false
	case schema.FromSDK:
		return s.Definition() != ""
	}
	request := schema.Default().Request(s.Subtype)
	return request != nil && request.Direction == "cli-to-sdk" && s.Definition() != ""
}

// Decode reads the body of an answer.
func (s *Subject) Decode(body []byte, o *codec.Options) error {
	if s.whole {
		return nil // the schemas are enough for something so rare
	}
	_, err := wire.DecodeAnswer(s.Subtype, body, o)
	return err
}

// strictly copies nothing: what is read with it is dropped at once.
var strictly = &codec.Options{Strict: true, Alias: true}

// Clean reports that there is nothing to say of the body of an answer, without the schemas. Where
// it is false, there may be nothing either.
func (s *Subject) Clean(body []byte) bool {
	if s.whole {
		return false
	}
	answer, err := wire.DecodeAnswer(s.Subtype, body, strictly)
	if err != nil {
		return false
	}
	switch a := answer.(type) {
	case nil:
		return empty(body)
	case *wire.HookOutput:
		return a.HookSpecificOutput == nil || a.HookSpecificOutput.HookEventName() == s.Event
	case *wire.MCPMessageResponse:
		return s.cleanMCP(a.MCPResponse)
	}
	return true
}

// cleanMCP reports that there is nothing to say of what an MCP server answers.
func (s *Subject) cleanMCP(raw codec.Raw) bool {
	if s.Call == "" && (raw == nil || string(raw) == "null") {
		return true // the usual answer to a notification
	}
	m := clean.MCPMessage(raw)
	return m != nil && (s.Call == "" || canonical(m.ID) == s.Call && (m.Result != nil || m.Error != nil))
}

// empty reports whether a body says nothing.
func empty(body []byte) bool {
	if len(body) > 0 && body[0] == '{' {
		return len(bytes.TrimSpace(body[1:])) == 1
	}
	return string(body) == "null"
}
