package sdk

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/accepts"
	"github.com/ccwire/ccwire/internal/exchange"
	"github.com/ccwire/ccwire/schema"
)

// checkLine checks a line of the SDK. It accuses the SDK of what a recorded CLI refuses, ignores,
// loses or dies of; of what is merely unusual there is a note.
func checkLine(e *logged, book *exchange.Book, answered map[string]bool) (v violation, note string) {
	note, accusation := weighLine(e, book, answered)
	switch {
	case accusation == nil:
		return violation{}, note
	case errors.Is(accusation, errObject):
		return violation{rule: Objects, text: accusation.Error()}, note
	case errors.Is(accusation, errTwice), errors.Is(accusation, errNobody):
		return violation{rule: Once, text: accusation.Error()}, note
	}
	return violation{rule: Accepted, text: accusation.Error()}, note
}

// What a line can be accused of beside that its members do not fit.
var (
	errObject = errors.New("the SDK wrote what is not a line of the protocol")
	errTwice  = errors.New("the SDK answered a request twice: CLIs lose the second answer")
	errNobody = errors.New("the SDK answered what nobody has asked: CLIs lose the answer")
)

func weighLine(e *logged, book *exchange.Book, answered map[string]bool) (note string, accusation error) {
	table, err := accepts.Load()
	if err != nil {
		return "", err
	}
	if value, what := oddLine(e); value != "" {
		finding, _ := table.Lookup(accepts.Line, "", value)
		if harm := lineHarm(value, finding); harm != "" {
			return "", fmt.Errorf("%w: it %s: %s", errObject, what, harm)
		}
		if value != accepts.CarriageReturn && value != accepts.NotUTF8 {
			return "unusual: the SDK " + what, nil
		}
		note = "unusual: the SDK " + what
	}
	text := []byte(strings.TrimSuffix(e.Line, "\r"))
	if err := schema.Default().Open().ValidateFrame(schema.FromSDK, text); err != nil {
		odd, accusation := weigh(table, frameOf(text), text, err)
		return join(note, odd), prefixed("a line of the SDK does not fit the schemas", accusation)
	}
	l, ok := exchange.Read(text)
	if !ok || l.Kind != exchange.Success && l.Kind != exchange.Failure {
		return note, nil
	}
	odd, accusation := checkAnswer(table, e, text, &l, book, answered)
	return join(note, odd), accusation
}

// checkAnswer checks that a reply answers a request that was made and not answered before, and that
// its body is what a CLI takes.
func checkAnswer(table accepts.Table, e *logged, text []byte, l *exchange.Line, book *exchange.Book, answered map[string]bool) (note string, accusation error) {
	key := fmt.Sprint(e.pid, l.ID)
	if answered[key] {
		return "", errTwice
	}
	answered[key] = true
	subject := book.Answer(schema.FromSDK, l, nil)
	if subject == nil {
		return "", errNobody
	}
	body := l.Body(text)
	if l.Kind != exchange.Success || subject.Definition() == "" || body != nil && subject.Clean(body) {
		return "", nil
	}
	frame := "control_response/" + subject.Subtype
	switch {
	case subject.Event != "":
		frame += "/" + subject.Event
	case subject.Call != "":
		frame += "/tools/call" // other calls of MCP servers are answered alike
	}
	if saysNothing(subject.Subtype, body) {
		if subject.Subtype == "can_use_tool" {
			return undecided, nil
		}
		return "unusual: an answer to " + subject.Subtype + " says nothing: CLIs take it for the empty output of a hook", nil
	}
	about := "the answer to " + subject.Subtype + " does not fit the schemas"
	if body == nil {
		if !subject.Needs(schema.FromSDK) {
			return "", nil
		}
		none := &schema.Error{Violations: []schema.Violation{{Deviation: codec.Deviation{Kind: codec.Invalid, Detail: "there is no body"}}}}
		note, accusation = weigh(table, frame, nil, none)
		return note, prefixed(about, accusation)
	}
	open := schema.Default().Open()
	err := open.Validate(subject.Definition(), body)
	if list := subject.Mismatches(body, open); err == nil && len(list) > 0 {
		err = &schema.Error{Violations: list}
	}
	if err == nil {
		return "", nil
	}
	note, accusation = weigh(table, frame, body, err)
	return note, prefixed(about, accusation)
}

// undecided is what is unusual about a permission without a decision.
const undecided = "unusual: an answer to can_use_tool has no behavior: CLIs deny what was asked"

// saysNothing reports whether an answer has no decision. That does what a callback means that has
// none: nothing is allowed, and a hook changes nothing.
func saysNothing(subtype string, body []byte) bool {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(body, &members) // what is not an object has none
	switch subtype {
	case "can_use_tool":
		return body == nil || members != nil && members["behavior"] == nil
	case "hook_callback":
		return body == nil
	}
	return false
}

// weigh says of what the schemas do not allow in a body whether a recorded CLI minds it.
func weigh(table accepts.Table, frame string, body []byte, err error) (note string, accusation error) {
	var invalid *schema.Error
	if !errors.As(err, &invalid) {
		return "", err
	}
	for _, v := range invalid.Violations {
		for _, p := range places(frame, v.Path) {
			finding := find(table, p.frame, p.member, body, v.Path)
			if harm := finding.Harm(); harm != "" {
				return "", fmt.Errorf("%w: %s", err, harm)
			}
		}
	}
	return "unusual: " + err.Error(), nil
}

// A place is a member of a frame.
type place struct{ frame, member string }

// places returns what a member of a line may be in the data: a member of the line, or of the body
// of a request.
func places(frame, path string) []place {
	kind, _, inner := strings.Cut(frame, "/")
	list := []place{{frame, path}}
	if inner && kind == "control_request" {
		list = []place{{kind, path}}
		if member, ok := strings.CutPrefix(path, "/request/"); ok {
			list = []place{{frame, "/" + member}, {kind, path}}
		}
	}
	return list
}

// find returns what CLIs do with the value that a body has at a path.
func find(table accepts.Table, frame, member string, body []byte, path string) accepts.Finding {
	value := kindAt(body, path)
	if f, ok := table.Lookup(frame, member, value); ok {
		return f
	}
	if value == accepts.String {
		f, _ := table.Lookup(frame, member, accepts.Unknown)
		return f
	}
	return nil
}

// kindAt returns the kind of the value at a JSON pointer.
func kindAt(body []byte, path string) accepts.Value {
	raw := codec.Raw(body)
	if path != "" && len(body) > 0 {
		raw = raw.Find(path)
	}
	if len(raw) == 0 {
		return accepts.Absent
	}
	switch raw[0] {
	case '{':
		return accepts.Object
	case '[':
		return accepts.Array
	case '"':
		return accepts.String
	case 't', 'f':
		return accepts.Boolean
	case 'n':
		return accepts.Null
	}
	return accepts.Number
}

// frameOf names the frame of a line as the data does.
func frameOf(text []byte) string {
	var h struct {
		Type    string
		Request struct{ Subtype string }
	}
	_ = json.Unmarshal(text, &h) // what is of another kind is left out
	if h.Type == "control_request" && h.Request.Subtype != "" {
		return h.Type + "/" + h.Request.Subtype
	}
	return h.Type
}

// oddLine says what is odd about a line before its members are looked at.
func oddLine(e *logged) (accepts.Value, string) {
	text := strings.TrimSuffix(e.Line, "\r")
	var object map[string]json.RawMessage
	err := json.Unmarshal([]byte(text), &object)
	switch {
	case e.Base64 != "":
		return accepts.NotUTF8, "wrote a line that is not UTF-8"
	case strings.TrimSpace(text) == "":
		return accepts.Blank, "wrote a blank line"
	case !json.Valid([]byte(text)):
		return accepts.NotJSON, "wrote a line that is not a JSON object"
	case err != nil || object == nil:
		return kindAt([]byte(strings.TrimSpace(text)), ""), "wrote a line that is not a JSON object"
	case text != e.Line:
		return accepts.CarriageReturn, "ended a line with a carriage return"
	}
	return "", ""
}

// lineHarm says what CLIs do with an odd line. That a blank line has no effect is no harm.
func lineHarm(value accepts.Value, f accepts.Finding) string {
	if value == accepts.Blank {
		f = accepts.Finding{accepts.Fatal: f[accepts.Fatal], accepts.Refused: f[accepts.Refused]}
	}
	return f.Harm()
}

func prefixed(about string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", about, err)
}

func join(a, b string) string {
	if a != "" && b != "" {
		return a + "; " + b
	}
	return a + b
}
