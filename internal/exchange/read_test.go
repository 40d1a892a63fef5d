package exchange

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/values"
	"github.com/ccwire/ccwire/schema"
)

func TestReadFindsWhatALineSaysOfAnExchange(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		want       Line
		body       string
	}{
		{
			"request", `{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}`,
			Line{Kind: Request, ID: `"1`, Subject: Subject{Subtype: "interrupt"}}, "",
		},
		{
			"members in another order", `{"request":{"input":{"hook_event_name":"Stop"},"subtype":"hook_callback"},"request_id":"\u0031","type":"control_request"}`,
			Line{Kind: Request, ID: `"1`, Subject: Subject{Subtype: "hook_callback", Event: "Stop"}}, "",
		},
		{
			"JSON-RPC request", `{"type":"control_request","request_id":"1","request":{"subtype":"mcp_message","message":{"id":"a","method":"ping"}}}`,
			Line{Kind: Request, ID: `"1`, Subject: Subject{Subtype: "mcp_message", Call: `"a`}}, "",
		},
		{
			"JSON-RPC response", `{"type":"control_request","request_id":"1","request":{"subtype":"mcp_message","message":{"id":7,"result":{}}}}`,
			Line{Kind: Request, ID: `"1`, Subject: Subject{Subtype: "mcp_message"}}, "",
		},
		{
			"number for an id", `{"type":"control_request","request_id":1,"request":{"subtype":"interrupt"}}`,
			Line{Kind: Request, ID: `1`, Subject: Subject{Subtype: "interrupt"}}, "",
		},
		{
			"variables", `{"type":"update_environment_variables","request_id":"1","variables":{}}`,
			Line{Kind: Request, ID: `"1`, Subject: Subject{Subtype: "update_environment_variables", whole: true}}, "",
		},
		{
			"wrapped request of older peers", `{"type":"control_request","message":{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}}`,
			Line{Kind: Request, ID: `"1`, Subject: Subject{Subtype: "interrupt"}}, "",
		},
		{
			"success", `{"type":"control_response","response":{"subtype":"success","request_id":"1","response": {"a":1} }}`,
			Line{Kind: Success, ID: `"1`}, `{"a":1}`,
		},
		{"success without a body", `{"type":"control_response","response":{"subtype":"success","request_id":"1"}}`, Line{Kind: Success, ID: `"1`, Outer: 38}, ""},
		{"failure", `{"type":"control_response","response":{"subtype":"error","request_id":"1","error":"no"}}`, Line{Kind: Failure, ID: `"1`}, ""},
		{"new outcome", `{"type":"control_response","response":{"subtype":"partial","request_id":"1","response":null}}`, Line{Kind: Success, ID: `"1`}, "null"},
		{"id outside, as older peers have it", `{"type":"control_response","response":{"subtype":"success","response":{}},"request_id":"1"}`, Line{Kind: Success, ID: `"1`}, "{}"},
		{
			"input of another request", `{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool","input":{"hook_event_name":"Stop"}}}`,
			Line{Kind: Request, ID: `"1`, Subject: Subject{Subtype: "can_use_tool"}}, "",
		},
		{"duplicate id", `{"type":"control_request","request_id":"0","request_id":"1","request":{"subtype":"interrupt"}}`, Line{Kind: Request, ID: `"1`, Subject: Subject{Subtype: "interrupt"}}, ""},
		{"answer in a request", `{"type":"control_request","message":{"type":"control_response","response":{"request_id":"1","response":{}}}}`, Line{}, ""},
		{"no id", `{"type":"control_request","request":{"subtype":"interrupt"}}`, Line{}, ""},
		{"no request", `{"type":"control_request","request_id":"1"}`, Line{}, ""},
		{"null for a response", `{"type":"control_response","request_id":"1","response":null}`, Line{}, ""},
		{"another type", `{"type":"user","request_id":"1","request":{},"response":{}}`, Line{}, ""},
		{"broken", `{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}`, Line{}, ""},
		{"two values", `{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}} {}`, Line{}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Read([]byte(tt.line))
			if ok != (tt.want.Kind != 0) {
				t.Fatalf("got %+v, %v", got, ok)
			}
			if body := got.Body([]byte(tt.line)); string(body) != tt.body {
				t.Errorf("the body is %s, want %s", body, tt.body)
			}
			ignore := cmpopts.IgnoreFields(Line{}, "Start", "End")
			if diff := cmp.Diff(tt.want, got, ignore, cmp.AllowUnexported(Subject{})); ok && diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// sameLine fails unless a line that the strict decoder takes says the same with its frame as
// without. It returns whether it has a part in an exchange.
func sameLine(t interface{ Fatalf(string, ...any) }, line []byte) bool {
	f, err := wire.DecodeFrame(line, strictly)
	if err != nil {
		return false
	}
	got, ok := Of(f, line)
	if want, also := Read(line); got != want || ok != also {
		t.Fatalf("got %+v, %v, want %+v, %v\n%s", got, ok, want, also, line)
	}
	return ok
}

func TestAFrameSaysOfAnExchangeWhatItsLineSays(t *testing.T) {
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	parts := 0
	for _, s := range sessions {
		for _, l := range s.Lines {
			if sameLine(t, l.Text) {
				parts++
			}
		}
	}
	if parts == 0 {
		t.Error("no line has a part in an exchange")
	}
	lines := values.Of(schema.Default(), schema.Either.Definition())
	rapid.Check(t, func(t *rapid.T) {
		for range 8 {
			sameLine(t, lines.Draw(t, "line"))
		}
	})
}

// FuzzReadAndJudge looks for lines that do harm.
func FuzzReadAndJudge(f *testing.F) {
	for _, d := range schema.Default().Definitions() {
		for _, text := range d.Examples {
			f.Add([]byte(text), "hook_callback", "Stop", "1")
		}
	}
	f.Add([]byte(`{"type":"control_response","response":{"request_id":1,"response":{"mcp_response":{}}}}`), "mcp_message", "", "1")
	f.Fuzz(func(t *testing.T, line []byte, subtype, event, call string) {
		sameLine(t, line)
		l, ok := Read(line)
		if !ok {
			return
		}
		var b Book
		b.Ask(schema.FromSDK, &l)
		b.Answer(schema.FromCLI, &l, nil)
		if body := l.Body(line); body != nil {
			s := Subject{Subtype: subtype, Event: event, Call: call}
			if s.Clean(body) && len(s.Mismatches(body, schema.Default().Closed())) > 0 {
				t.Errorf("%+v: clean, but it does not match: %s", s, body)
			}
			s.Unnamed(body)
		}
	})
}
