package exchange

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
	"github.com/ccwire/ccwire/schema"
)

// Mismatches lists what is wrong with the body of an answer though it may fit its definition: the
// output of another hook event, or a JSON-RPC message that is not the response to the request. The
// validator judges that message. The body is a JSON value without space around it.
func (s *Subject) Mismatches(body []byte, v *schema.Validator) []schema.Violation {
	switch {
	case s.whole:
		return nil
	case s.Subtype == "hook_callback" && s.Event != "":
		return s.otherEvent(body)
	case s.Subtype == "mcp_message" && s.Call != "":
		return s.noResponse(body, v)
	}
	return nil
}

func (s *Subject) otherEvent(body codec.Raw) []schema.Violation {
	const path = "/hookSpecificOutput/hookEventName"
	name, ok := body.Find(path).Text()
	if !ok || name == s.Event {
		return nil
	}
	detail := fmt.Sprintf("got %q, want %q, the event of the request", clip(name), clip(s.Event))
	return one(body, path, detail, "hook/specific_output.json")
}

func (s *Subject) noResponse(body codec.Raw, v *schema.Validator) []schema.Violation {
	const path, keyword = "/mcp_response", "control/mcp_message.json#/$defs/Response"
	at, ok := jsontext.Find(body, path)
	if !ok {
		if body[0] != '{' {
			return nil // its definition forbids that
		}
		return one(body, path, `missing required member "mcp_response"`, keyword)
	}
	message := body[at.Start:at.End]
	var invalid *schema.Error
	if errors.As(v.Validate("mcp/message.json", message), &invalid) {
		for i := range invalid.Violations {
			d := &invalid.Violations[i].Deviation
			d.Path = path + d.Path
			d.Offset += at.Start
		}
		return invalid.Violations
	}
	switch {
	case message.Find("/result") == nil && message.Find("/error") == nil:
		return one(body, path, "neither a result nor an error", keyword)
	case canonical(message.Find("/id")) != s.Call:
		return one(body, path+"/id", "not the id of the JSON-RPC request", keyword)
	}
	return nil
}

// Unnamed lists what the body of an answer holds that has no definition.
func (s *Subject) Unnamed(body codec.Raw) (found []codec.Deviation) {
	if empty(body) {
		return nil
	}
	if body[0] != '{' {
		return []codec.Deviation{{Kind: codec.UnknownMember, Detail: "answers to this request have no body"}}
	}
	sc := jsontext.NewScanner(body)
	sc.Open()
	for len(found) < schema.MaxDeviations {
		name, ok := sc.Key()
		if !ok {
			break
		}
		d := codec.Deviation{Kind: codec.UnknownMember, Path: "/" + jsontext.EscapePointer(string(name))}
		d.Detail = strconv.Quote(clip(string(name)))
		sc.Peek()
		d.Offset = sc.Pos
		sc.Hop()
		found = append(found, d)
	}
	return found
}

// one is a single violation of what a schema says in words.
func one(body []byte, path, detail, keyword string) []schema.Violation {
	d := codec.Deviation{Kind: codec.Invalid, Path: path, Offset: offset(body, path), Detail: detail}
	return []schema.Violation{{Deviation: d, Keyword: keyword}}
}

// offset returns where a value begins; if it is not there, where the innermost one on the way to it
// does.
func offset(body []byte, path string) int {
	for {
		at, ok := jsontext.Find(body, path)
		if ok || path == "" {
			return at.Start
		}
		path = path[:strings.LastIndexByte(path, '/')]
	}
}

// canonical returns an id as [Line] has it.
func canonical(id codec.Raw) string {
	if text, ok := id.Text(); ok {
		return `"` + text
	}
	return string(id)
}

// clip shortens a text of the input.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
