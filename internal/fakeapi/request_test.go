package fakeapi

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBadBodyIsAnError(t *testing.T) {
	for _, test := range []struct{ name, body, want string }{
		{"empty", ``, "not valid JSON"},
		{"text", `hello`, "not valid JSON"},
		{"two values", `{} {}`, "not valid JSON"},
		{"too deep", strings.Repeat("[", 20_000), "not valid JSON"},
		{"list", `[]`, "does not fit"},
		{"null", `null`, "model"},
		{"no model", `{"max_tokens":1,"messages":[{"role":"user","content":"a"}]}`, "model"},
		{"model is a number", `{"model":5}`, "does not fit"},
		{"no max_tokens", `{"model":"m","messages":[{"role":"user","content":"a"}]}`, "max_tokens"},
		{"no messages", `{"model":"m","max_tokens":1}`, "messages"},
		{"role", `{"model":"m","max_tokens":1,"messages":[{"role":"king","content":"a"}]}`, "messages.0.role"},
		{"content is null", `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":null}]}`, "content"},
		{"content is a number", `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":5}]}`, "does not fit"},
		{"tools is an object", `{"model":"m","max_tokens":1,"tools":{},"messages":[]}`, "does not fit"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := parseCall([]byte(test.body), false); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// toolResultBody is the shape of a request after two tool uses, as recent versions of the CLI send
// it.
const toolResultBody = `{"model":"claude-test","max_tokens":9,"stream":true,"system":[{"type":"text","text":"secret"}],
	"tools":[{"name":"Write","description":"secret","input_schema":{}},{"type":"custom","name":"Read"},{"type":"web_search_20250305","name":"web_search"}],
	"messages":[
		{"role":"user","content":[{"type":"text","text":"<system-reminder>secret</system-reminder>\n"},{"type":"text","text":"go on"}]},
		{"role":"system","content":"secret"},
		{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"y"},
			{"type":"tool_use","id":"toolu_0001_0","name":"Write","input":{}},{"type":"tool_use","id":"toolu_0001_1","name":"Read","input":{}}]},
		{"role":"user","content":[
			{"type":"tool_result","tool_use_id":"toolu_0001_0","content":"written"},
			{"type":"tool_result","tool_use_id":"toolu_0001_1","is_error":true,"content":[{"type":"text","text":"no such file"},{"type":"image","source":{}}]},
			{"type":"text","text":"and more"}]},
		{"role":"system","content":[{"type":"text","text":"secret"}]}]}`

func TestSummaryOfARequest(t *testing.T) {
	c, err := parseCall([]byte(toolResultBody), false)
	if err != nil {
		t.Fatal(err)
	}
	var got Request
	got.describe(c, false)
	want := Request{
		Model: "claude-test", Stream: true, Messages: 5, Tools: 3, Text: "and more",
		ToolResults: []ToolResult{
			{ToolUseID: "toolu_0001_0", Tool: "Write", Text: "written"},
			{ToolUseID: "toolu_0001_1", Tool: "Read", IsError: true, Text: "no such file"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if got := c.clientTools(); got != 2 {
		t.Errorf("%d tools of the client, want 2", got)
	}
	if got := c.firstUser().userText(); got != "go on" {
		t.Errorf("first text %q", got)
	}
}

func TestLongTextsAreNotKept(t *testing.T) {
	long := strings.Repeat("x", maxText+1)
	half := strings.Repeat("y", maxText/2+1)
	for _, test := range []struct {
		name    string
		content callContent
		want    string
	}{
		{"one long", callContent{{Type: "text", Text: long}}, ""},
		{"long and short", callContent{{Type: "text", Text: long}, {Type: "text", Text: "short"}}, "short"},
		{"long together", callContent{{Type: "text", Text: half}, {Type: "text", Text: half}}, ""},
		{"long reminder", callContent{{Type: "text", Text: reminderOpen + long + reminderClose + " a "}}, "a"},
	} {
		if got := test.content.shortText(); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
	var q Request
	many := make(callContent, maxResults+5)
	for i := range many {
		many[i] = callBlock{Type: "tool_result", Content: callResults{text: long}}
	}
	q.describe(&call{Messages: []callMessage{{Role: "user", Content: many}}}, false)
	if len(q.ToolResults) != maxResults || q.ToolResults[0].Text != "" {
		t.Errorf("kept %d results, the first with %d bytes", len(q.ToolResults), len(q.ToolResults[0].Text))
	}
}

func TestRemindersAreLeftOut(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"plain", "plain"},
		{"<system-reminder>a</system-reminder>", ""},
		{" a <system-reminder>x</system-reminder> b<system-reminder>y</system-reminder>", "a  b"},
		{"a<system-reminder>never closed", "a"},
		{"</system-reminder>a", "</system-reminder>a"},
	} {
		if got := withoutReminders(test.in); got != test.want {
			t.Errorf("%q: got %q, want %q", test.in, got, test.want)
		}
	}
	only := callContent{{Type: "text", Text: "<system-reminder>task 7 ended</system-reminder>"}}
	if got := only.matchText(); !strings.Contains(got, "task 7") {
		t.Errorf("a message of reminders only cannot be matched: %q", got)
	}
}

// FuzzRequest holds the parser to: no panic, a summary of bounded size, and an answer to each valid
// request.
func FuzzRequest(f *testing.F) {
	f.Add([]byte(toolResultBody))
	f.Add([]byte(mainBody("hello", true)))
	f.Add([]byte(`{"model":"m","messages":[{"role":"user","content":"foo"}]}`))
	f.Add([]byte(`{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"tool_result","content":{"a":1}}]}]}`))
	f.Add([]byte(`{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"<system-reminder>"}]}]}`))
	f.Add([]byte("{\"model\":\"\xff\",\"max_tokens\":1e999}"))
	f.Add([]byte(`null`))
	script := Script{Turns: []Turn{
		{Text: "a", Match: &Match{Text: "hello", Prompt: "h", Model: "m", From: Main}},
		{Text: "b", Match: &Match{ToolResult: "Write"}},
		{Text: "c", Retries: true},
	}}
	f.Fuzz(func(t *testing.T, body []byte) {
		c, err := parseCall(body, false)
		if err != nil {
			return
		}
		var q Request
		q.describe(c, false)
		if len(q.Text) > maxText || len(q.ToolResults) > maxResults {
			t.Errorf("kept too much: %+v", q)
		}
		if cue := newDirector(script).cue(c, nil); cue.turn == nil || cue.key == "" || cue.from == "" {
			t.Errorf("no answer: %+v", cue)
		}
	})
}
