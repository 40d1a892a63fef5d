package reading

import (
	"encoding/json"
	"fmt"

	"github.com/ccwire/ccwire/internal/exchange"
	"github.com/ccwire/ccwire/internal/manual"
	"github.com/ccwire/ccwire/schema"
)

// An Answer is what a line wants.
type Answer struct {
	Text     string
	Body     []*manual.Entry // what the body of the answer is
	Examples []Example
}

// An Example is a whole line that would do.
type Example struct {
	Does string // what it does, such as "denies it"; "" if there is no choice
	Line json.RawMessage
}

// answer says what a line wants.
func answer(m *manual.Manual, dir schema.Direction, line []byte, r *Reading) Answer {
	var tags struct {
		Type      string          `json:"type"`
		RequestID json.RawMessage `json:"request_id"`
		Response  struct {
			RequestID json.RawMessage `json:"request_id"`
		} `json:"response"`
	}
	if json.Unmarshal(line, &tags) != nil {
		return Answer{}
	}
	l, ok := exchange.Read(line)
	switch {
	case !ok && tags.Type == "control_request":
		return Answer{Text: "It is a request without an id: nobody can answer it."}
	case ok && l.Kind == exchange.Request:
		return wanted(m, line, &l.Subject, tags.RequestID, other(r.Writer))
	case ok:
		return Answer{Text: fmt.Sprintf("It is the answer to the request %s. What its body must be depends on that request: "+
			"protogen validate judges both, in one file.", preview(tags.Response.RequestID))}
	case tags.Type == "control_cancel_request":
		return Answer{Text: fmt.Sprintf("It takes back the request %s, and wants no answer.", preview(tags.RequestID))}
	case tags.Type == "user" && dir != schema.FromCLI:
		return Answer{Text: "As a prompt it begins a turn, which a result ends."}
	}
	return Answer{Text: "It wants no answer."}
}

// other returns who answers what one side writes.
func other(writer string) string {
	switch writer {
	case "the CLI":
		return "The SDK"
	case "the SDK":
		return "The CLI"
	}
	return "The other side"
}

// wanted says how a request is answered.
func wanted(m *manual.Manual, line []byte, s *exchange.Subject, id json.RawMessage, who string) Answer {
	a := Answer{Text: fmt.Sprintf("%s answers with a control_response that repeats the request_id %s", who, preview(id))}
	body := m.Entry(s.Definition())
	if body == nil {
		a.Text += "."
		if m.Set().Request(s.Subtype) == nil {
			a.Text += " The subtype is unknown: the answer is an error."
			a.add("", reply(id, "error", `,"error":"not supported"`))
			return a
		}
		a.add("", reply(id, "success", ""))
		return a
	}
	a.Body = append(a.Body, body)
	a.Text += ", with this in its response:"
	success := func(does string, body []byte) { a.add(does, reply(id, "success", `,"response":`+string(body))) }
	switch {
	case s.Subtype == "mcp_message":
		a.Text = fmt.Sprintf("%s answers with a control_response that repeats the request_id %s; its mcp_response holds the answer of the MCP server", who, preview(id))
		if s.Call != "" {
			a.Text += fmt.Sprintf(", with the JSON-RPC id %s", preview([]byte(s.Call)))
		}
		a.Text += ":"
	case s.Subtype == "can_use_tool":
		success("allows it as it is", allow(line))
		success("denies it", []byte(`{"behavior":"deny","message":"Not allowed."}`))
	case s.Event != "":
		success("has nothing to say", []byte("{}"))
		if output := m.Entry("hook/" + s.Event + ".json#/$defs/Output"); output != nil {
			a.Body = append(a.Body, output)
			success("has an output for the event", fmt.Appendf(nil, `{"hookSpecificOutput":%s}`, output.Example()))
		}
	default:
		success("", body.Example())
	}
	return a
}

// add adds a line, unless there is none.
func (a *Answer) add(does string, line json.RawMessage) {
	if line != nil {
		a.Examples = append(a.Examples, Example{does, line})
	}
}

// allow returns the body that lets the tool of a question run with the input that it has. CLIs
// before 2.1.250 must be given the input again; one that is too long to be shown is left out.
func allow(line []byte) []byte {
	var question struct {
		Request struct {
			Input json.RawMessage `json:"input"`
		} `json:"request"`
	}
	if json.Unmarshal(line, &question) != nil || question.Request.Input == nil || len(question.Request.Input) > maxInput {
		return []byte(`{"behavior":"allow"}`)
	}
	return fmt.Appendf(nil, `{"behavior":"allow","updatedInput":%s}`, question.Request.Input)
}

// maxInput is the longest input of a tool that is repeated in an answer.
const maxInput = 2000

// reply returns a whole line, with what follows the id. It is nil for an id that is too long to be
// shown.
func reply(id json.RawMessage, subtype, rest string) json.RawMessage {
	if len(id) > maxText {
		return nil
	}
	return fmt.Appendf(nil, `{"type":"control_response","response":{"subtype":%q,"request_id":%s%s}}`, subtype, id, rest)
}
