package sdk

import (
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/exchange"
	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/schema"
)

// ask is a request from the CLI that the lines of the test may answer.
const (
	askTool = `{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool","tool_name":"Write","input":{}}}`
	askHook = `{"type":"control_request","request_id":"q","request":{"subtype":"hook_callback","callback_id":"h","input":{"hook_event_name":"Stop","session_id":"s","transcript_path":"t","cwd":"c","stop_hook_active":false}}}`
)

func TestLineIsAnAccusationOnlyIfACLIMindsIt(t *testing.T) {
	for _, test := range []struct {
		name, asked, line string
		accused, noted    string // parts of what is said; "" for nothing
	}{
		{"a good request", "", `{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}`, "", ""},
		{"a system prompt that is a string", "", `{"type":"control_request","request_id":"1","request":{"subtype":"initialize","systemPrompt":""}}`, "", ""},
		{"a member that nobody knows", "", `{"type":"control_request","request_id":"1","request":{"subtype":"initialize","sdk_mcp_servers":["a"]}}`, "", ""},
		{"a model that is a number", "", `{"type":"control_request","request_id":"1","request":{"subtype":"set_model","model":5}}`, "refuse", ""},
		{"an allow", askTool, `{"type":"control_response","response":{"subtype":"success","request_id":"q","response":{"behavior":"allow","updatedInput":{}}}}`, "", ""},
		{"an answer to nothing", "", `{"type":"control_response","response":{"subtype":"success","request_id":"q","response":{}}}`, "nobody has asked", ""},
		{"not JSON", "", `hello`, "not a JSON object: CLI", ""},
		{"a carriage return", "", `{"type":"keep_alive"}` + "\r", "", "carriage return"},
		{"a hook's output", askHook, `{"type":"control_response","response":{"subtype":"success","request_id":"q","response":{}}}`, "", ""},
	} {
		book := &exchange.Book{}
		if l, ok := exchange.Read([]byte(test.asked)); ok {
			book.Ask(schema.FromCLI, &l)
		}
		note, accusation := weighLine(&logged{Entry: journal.Entry{Dir: journal.ToCLI, Line: test.line}}, book, map[string]bool{})
		said := ""
		if accusation != nil {
			said = accusation.Error()
		}
		if !saysOnly(said, test.accused) || !saysOnly(note, test.noted) {
			t.Errorf("%s: accusation %q, note %q", test.name, said, note)
		}
	}
}

// saysOnly reports whether a text has a part, or is empty if there is none.
func saysOnly(text, part string) bool {
	return strings.Contains(text, part) && (part != "" || text == "")
}

func TestSecondAnswerIsAnAccusation(t *testing.T) {
	book, answered := &exchange.Book{}, map[string]bool{}
	if l, ok := exchange.Read([]byte(askTool)); ok {
		book.Ask(schema.FromCLI, &l)
	}
	e := &logged{Entry: journal.Entry{Dir: journal.ToCLI, Line: `{"type":"control_response","response":{"subtype":"success","request_id":"q","response":{"behavior":"allow","updatedInput":{}}}}`}}
	if _, err := weighLine(e, book, answered); err != nil {
		t.Errorf("the first: %v", err)
	}
	if _, err := weighLine(e, book, answered); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("the second: %v", err)
	}
}

func TestALineThatTheEndOfTheSessionCutIsNoAccusation(t *testing.T) {
	for _, text := range []string{`{"type":"user","mess`, "oops"} {
		p := &play{board: newBoard()}
		p.board.lines = []logged{
			{Entry: journal.Entry{Dir: journal.Header, Args: []string{"--input-format", "stream-json"}}},
			{Entry: journal.Entry{Dir: journal.ToCLI, Line: text, Unterminated: true}},
		}
		if list, _ := p.checkLines(); len(list) != 0 {
			t.Errorf("%s: %v", text, list)
		}
		p.board.lines[1].Unterminated = false
		if list, _ := p.checkLines(); len(list) != 1 {
			t.Errorf("%s with a line feed: %v", text, list)
		}
	}
}
