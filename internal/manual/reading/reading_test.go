package reading_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/manual"
	"github.com/ccwire/ccwire/internal/manual/plain"
	"github.com/ccwire/ccwire/internal/manual/reading"
	"github.com/ccwire/ccwire/internal/manual/shown"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
)

func load(t *testing.T) *manual.Manual {
	t.Helper()
	m, err := manual.Load()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// read reads a line as it comes from a pipe.
func read(t *testing.T, dir schema.Direction, text string) *reading.Reading {
	t.Helper()
	line, err := codec.NewReader(strings.NewReader(text+"\n"), nil).Next()
	if err != nil {
		t.Fatal(err)
	}
	return reading.Read(load(t), dir, line)
}

// printed returns a reading as a terminal of some width gets it.
func printed(r *reading.Reading, width int) string {
	var b strings.Builder
	(&plain.Printer{W: &b, Width: width}).Reading(r)
	return b.String()
}

func TestALineIsToldMemberByMember(t *testing.T) {
	r := read(t, schema.FromCLI, `{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"Write","input":{"file_path":"/a","content":"hi"}}}`)
	var names []string
	for _, e := range r.What {
		names = append(names, e.Title())
	}
	if got := strings.Join(names, ", "); got != "control_request, can_use_tool Request" {
		t.Errorf("it is %s", got)
	}
	var members []string
	for _, m := range r.Members {
		members = append(members, m.Name)
	}
	want := []string{"type", "request_id", "request", "subtype", "tool_name", "input", "file_path", "content"}
	if !slices.Equal(members, want) {
		t.Errorf("members %q, want %q", members, want)
	}
	if !r.Clean() {
		t.Errorf("findings: %+v", r)
	}
}

func TestWhatIsUnknownWrongOrMissingIsSaid(t *testing.T) {
	for name, test := range map[string]struct{ line, want string }{
		"unknown member": {`{"type":"keep_alive","novelty":1}`, "novelty  1\n      unknown: the schemas do not have it"},
		"near member": {`{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"T","input":{},"permision_suggestions":[]}}`,
			"did you mean\n        permission_suggestions?"},
		"wrong type":   {`{"type":"control_request","request_id":7,"request":{"subtype":"interrupt"}}`, "got a number, want a string"},
		"missing":      {`{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"T"}}`, "input  is missing"},
		"unknown type": {`{"type":"no_such_type"}`, "unknown tag"},
		"no JSON":      {`{"type":`, "malformed"},
		"text":         {`Error: broken`, "not a JSON object"},
		"no id":        {`{"type":"control_request","request":{"subtype":"interrupt"}}`, "nobody can answer it"},
	} {
		t.Run(name, func(t *testing.T) {
			r := read(t, schema.Either, test.line)
			if got := printed(r, 80); r.Clean() || !strings.Contains(got, test.want) {
				t.Errorf("want %q in\n%s", test.want, got)
			}
		})
	}
}

func TestTheAnswerThatALineWantsIsTold(t *testing.T) {
	for name, test := range map[string]struct{ line, want string }{
		"question": {`{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"T","input":{}}}`,
			`The SDK answers with a control_response that repeats the request_id "r1"`},
		"hook": {`{"type":"control_request","request_id":"r1","request":{"subtype":"hook_callback","callback_id":"h","input":{"hook_event_name":"PreToolUse","tool_name":"T","tool_input":{}}}}`,
			"PreToolUse Output"},
		"MCP": {`{"type":"control_request","request_id":"r1","request":{"subtype":"mcp_message","server_name":"s","message":{"jsonrpc":"2.0","id":4,"method":"tools/list"}}}`,
			"with the JSON-RPC id 4"},
		"of the CLI":     {`{"type":"control_request","request_id":"r1","request":{"subtype":"set_model"}}`, "The CLI answers"},
		"unknown":        {`{"type":"control_request","request_id":"r1","request":{"subtype":"no_such"}}`, "the answer is an error"},
		"answer":         {`{"type":"control_response","response":{"subtype":"success","request_id":"r9"}}`, `the answer to the request "r9"`},
		"cancel":         {`{"type":"control_cancel_request","request_id":"r9"}`, `takes back the request "r9", and wants no answer`},
		"prompt":         {`{"type":"user","message":{"role":"user","content":"hi"}}`, "begins a turn, which a result ends"},
		"nothing wanted": {`{"type":"keep_alive"}`, "It wants no answer."},
	} {
		t.Run(name, func(t *testing.T) {
			if got := printed(read(t, schema.Either, test.line), 200); !strings.Contains(got, test.want) {
				t.Errorf("want %q in\n%s", test.want, got)
			}
		})
	}
}

// TestAnAnswerThatIsShownIsValid looks at the answers to all requests that were recorded.
func TestAnAnswerThatIsShownIsValid(t *testing.T) {
	sessions, err := corpus.Read(corpus.Newest(), "hook/pre-tool-use-ask")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := recording.Lines(sessions)
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, l := range lines {
		dir := schema.FromSDK
		if l.Dir == recording.ToSDK {
			dir = schema.FromCLI
		}
		r := read(t, dir, string(l.Text))
		if !r.Clean() {
			t.Errorf("%s: %+v", l.Text, r.Findings)
		}
		for _, example := range r.Answer.Examples {
			shown++
			if err := schema.Default().Closed().ValidateFrame(schema.Either, example.Line); err != nil {
				t.Errorf("%s: %v", example.Line, err)
			}
		}
	}
	if shown != 5 { // one for initialize, two each for the hook and for the question
		t.Errorf("%d answers", shown)
	}
}

func TestAQuestionIsAnsweredWithWhatWasAsked(t *testing.T) {
	r := read(t, schema.FromCLI, `{"type":"control_request","request_id":"7","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls -l"},"tool_use_id":"t"}}`)
	var got []string
	for _, example := range r.Answer.Examples {
		got = append(got, example.Does+": "+string(shown.At(example.Line, "/response/response")))
	}
	want := []string{
		`allows it as it is: {"behavior":"allow","updatedInput":{"command":"ls -l"}}`,
		`denies it: {"behavior":"deny","message":"Not allowed."}`,
	}
	if diff := cmp.Diff(want, got); diff != "" || !r.Clean() {
		t.Errorf("clean %v, -want +got\n%s", r.Clean(), diff)
	}
}

func TestTheInputOfAToolIsJudged(t *testing.T) {
	for name, line := range map[string]string{
		"a question": `{"type":"control_request","request_id":"7","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"comand":"ls"}}}`,
		"a message":  `{"type":"assistant","session_id":"s","uuid":"7c0f2f0e-52a1-4c0b-9a55-0d6f3c1be001","parent_tool_use_id":null,"message":{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"comand":"ls"}}]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			got := printed(read(t, schema.FromCLI, line), 100)
			for _, want := range []string{"unknown: the schemas do not have it; did you mean command?", "command  is missing"} {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in\n%s", want, got)
				}
			}
		})
	}
}

func TestAnUnknownTagHasTheNearestOnes(t *testing.T) {
	for line, want := range map[string]string{
		`{"type":"asistant","message":{}}`:                                             "did you mean assistant?",
		`{"type":"control_request","request_id":"7","request":{"subtype":"interupt"}}`: "did you mean interrupt?",
		`{"type":"system","subtype":"inti","session_id":"s","uuid":"u"}`:               "did you mean init?",
	} {
		if got := printed(read(t, schema.Either, line), 100); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestAHostileLineIsPrintedSafely prints lines that would move the cursor, fill the screen or take
// for ever.
func TestAHostileLineIsPrintedSafely(t *testing.T) {
	long := strings.Repeat("x", 16<<20)
	many := strings.Repeat(`"a":1,`, 100_000)
	quoted := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	for name, line := range map[string]string{
		"escape in a value":      `{"type":"user","message":{"role":"user","content":"` + "\u009b2J\u007f\u202e\u2066" + `"}}`,
		"escape in a name":       `{"type":"keep_alive",` + quoted("\x1b]0;title\a\x1b[2J") + `:1}`,
		"escape in a type":       `{"type":` + quoted("\x1b[2J") + `}`,
		"escape in an id":        `{"type":"control_request","request_id":` + quoted("\x1b[31m\u202e") + `,"request":{"subtype":"interrupt"}}`,
		"escape outside":         "\x1b[2J{\"type\"\x1b[31m",
		"broken UTF-8":           "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"\xff\xfe\x9b31m\"}}",
		"long value":             `{"type":"user","message":{"role":"user","content":"` + long[:15<<20] + `"}}`,
		"long name":              `{"type":"keep_alive","` + long[:4<<20] + `":1}`,
		"long id":                `{"type":"control_request","request_id":"` + long[:4<<20] + `","request":{"subtype":"can_use_tool","tool_name":"T","input":{}}}`,
		"over the limit":         `{"type":"user","message":{"role":"user","content":"` + long + `"}}`,
		"deep":                   `{"type":"user","message":` + strings.Repeat("[", 200_000),
		"many members":           `{"type":"keep_alive",` + strings.TrimSuffix(many, ",") + `}`,
		"many different members": `{"type":"keep_alive",` + different(20_000) + `}`,
		"many elements":          `{"type":"assistant","message":{"content":[` + strings.TrimSuffix(strings.Repeat(`{"type":"text","text":"x"},`, 50_000), ",") + `]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && len(line) > 100_000 {
				t.Skip("it takes some seconds; make test-all runs it")
			}
			got := printed(read(t, schema.Either, line), 80)
			if i := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 || !utf8.ValidString(got) {
				t.Errorf("a terminal would act upon %q", got[max(i, 0):min(max(i, 0)+20, len(got))])
			}
			if len(got) > 64<<10 || got == "" {
				t.Errorf("%d bytes are printed", len(got))
			}
			for l := range strings.Lines(got) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(l, "\n")); n > 80 {
					t.Errorf("a line has %d columns: %.100s", n, l)
				}
			}
		})
	}
}

// different returns members of different names.
func different(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"member%d":1,`, i)
	}
	return strings.TrimSuffix(b.String(), ",")
}
