package manual

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// An Exchange is a control request as it is on the wire, and the line that answers it.
type Exchange struct {
	Source          string // where it comes from, in Markdown
	Request, Answer []byte // whole lines; Answer is nil if nobody answered
	FromCLI         bool   // the CLI asks
}

// Exchange returns the lines that show a request, nil if the entry is not one. They are recorded
// or, where nothing was, put together from the examples of the schemas.
func (e *Entry) Exchange() *Exchange {
	if !e.Definition.IsRequest() {
		return nil
	}
	fromCLI := e.Definition.Direction == "cli-to-sdk"
	if x := e.Shown.Example; x != nil && x.Line != nil {
		source := "Recorded, `" + x.Recording + "`"
		if bytes.Contains(x.Line, []byte("…")) || bytes.Contains(x.Answer, []byte("…")) {
			source += ", with what is long cut"
		}
		return &Exchange{Source: source + ":", Request: x.Line, Answer: x.Answer, FromCLI: fromCLI}
	}
	const id = "1"
	success := object.Of("subtype", "success", "request_id", id)
	if e.Pair != nil {
		success.Set("response", raw(e.Pair.Example()))
	}
	return &Exchange{
		Source:  "From the examples of the schemas; none was recorded:",
		Request: object.Append(nil, object.Of("type", "control_request", "request_id", id, "request", raw(e.Example()))),
		Answer:  object.Append(nil, object.Of("type", "control_response", "response", success)),
		FromCLI: fromCLI,
	}
}

// raw returns a value that is written as it is.
func raw(text []byte) any {
	v, err := object.ParseExact(text)
	if err != nil {
		panic(fmt.Sprintf("an example of a schema is not JSON: %v", err)) // the schemas are checked when they are loaded
	}
	return v
}

// Answers says who answers the request.

func (x *Exchange) Answers() string { return side(!x.FromCLI) }

func side(cli bool) string {
	if cli {
		return "CLI"
	}
	return "SDK"
}

// Line returns the entry of what a line is about, by its kind, such as system/init or
// control_request/can_use_tool; answers is the subtype of the request that it answers. It is nil if
// there is none.
func (m *Manual) Line(kind, answers string) *Entry {
	first, second, _ := strings.Cut(kind, "/")
	var names []string
	switch {
	case answers != "":
		for _, folder := range []string{"control/", "host/"} {
			names = append(names, folder+answers+".json#/$defs/Response")
		}
	case first == "control_request":
		for _, folder := range []string{"control/", "host/"} {
			names = append(names, folder+second+".json#/$defs/Request")
		}
	case first == "result" && second != "success":
		names = []string{"message/result.error.json"}
	}
	names = append(names, "message/"+first+"."+second+".json", "message/"+first+".json", "envelope/"+first+".json")
	for _, name := range names {
		if e := m.entries[name]; e != nil {
			return e
		}
	}
	return nil
}
