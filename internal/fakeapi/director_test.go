package fakeapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testCall makes a call with one tool from its messages.
func testCall(t testing.TB, messages ...string) *call {
	t.Helper()
	c, err := parseCall(fmt.Appendf(nil, `{"model":"claude-test","max_tokens":9,"tools":[{"name":"Write"}],"messages":[%s]}`,
		strings.Join(messages, ",")), false)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func user(text string) string { return fmt.Sprintf(`{"role":"user","content":%s}`, quote(text)) }

const (
	assistantWrite  = `{"role":"assistant","content":[{"type":"tool_use","id":"toolu_0001_0","name":"Write","input":{}}]}`
	assistantWrites = `{"role":"assistant","content":[{"type":"tool_use","id":"toolu_0001_0","name":"Write","input":{"file_path":"a.txt","more":{"list":[1,"x"]}}}]}`
	userResult      = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_0001_0","content":"ok"}]}`
)

func TestMainConversationTakesTurnsInOrder(t *testing.T) {
	d := newDirector(mustScript(t, `{"turns":[{"text":"a"},{"text":"b","times":2},{"text":"m","match":{"text":"never"}},{"text":"c"}]}`))
	var got []string
	for range 6 {
		q := d.cue(testCall(t, user("x")), nil)
		got = append(got, fmt.Sprint(q.turn.Text, " ", q.number, " ", q.key, " ", q.answer))
	}
	want := []string{
		"a 1 0001 turn", "b 2 0002 turn", "b 2 0002r2 turn", "c 4 0004 turn",
		"done 0 done_0001 exhausted", "done 0 done_0002 exhausted",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if got := d.unused(); !slices.Equal(got, []int{3}) {
		t.Errorf("unused %v, want [3]", got)
	}
}

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		name, match string
		messages    []string
		fits        bool
	}{
		{"text", `{"text":"quest"}`, []string{user("a question")}, true},
		{"text of an earlier message", `{"text":"quest"}`, []string{user("a question"), assistantWrite, userResult}, false},
		{"text in a reminder", `{"text":"quest"}`, []string{user("hi <system-reminder>question</system-reminder>")}, false},
		{"text in a lone reminder", `{"text":"quest"}`, []string{user("<system-reminder>question</system-reminder>")}, true},
		{"text before a system message", `{"text":"quest"}`, []string{user("question"), `{"role":"system","content":"x"}`}, true},
		{"prompt", `{"prompt":"quest"}`, []string{user("a question"), assistantWrite, userResult}, true},
		{"tool result by id", `{"tool_result":"toolu_0001_0"}`, []string{user("a"), assistantWrite, userResult}, true},
		{"tool result by tool", `{"tool_result":"Write"}`, []string{user("a"), assistantWrite, userResult}, true},
		{"tool result of another", `{"tool_result":"Read"}`, []string{user("a"), assistantWrite, userResult}, false},
		{"old tool result", `{"tool_result":"Write"}`, []string{user("a"), assistantWrite, userResult, user("b")}, false},
		{"told in a reminder", `{"told":"quest"}`, []string{user("hi <system-reminder>question</system-reminder>")}, true},
		{"told in a tool result", `{"told":"ok"}`, []string{user("a"), assistantWrite, userResult}, true},
		{"told by a system message", `{"told":"quest"}`, []string{user("a"), `{"role":"system","content":"question"}`}, true},
		{"told by the model itself", `{"told":"quest"}`, []string{user("a"), `{"role":"assistant","content":"question"}`}, false},
		{"model", `{"model":"test"}`, []string{user("a")}, true},
		{"other model", `{"model":"haiku"}`, []string{user("a")}, false},
		{"from", `{"from":"main"}`, []string{user("a")}, true},
		{"from elsewhere", `{"from":"helper"}`, []string{user("a")}, false},
		{"pattern", `{"pattern":"^a .*n$"}`, []string{user("a question")}, true},
		{"pattern that does not fit", `{"pattern":"^question"}`, []string{user("a question")}, false},
		{"input", `{"input":{"file_path":"a.txt"}}`, []string{user("a"), assistantWrites, userResult}, true},
		{"input with a pattern", `{"tool_result":"Write","input":{"file_path":{"pattern":"\\.txt$"}}}`, []string{user("a"), assistantWrites, userResult}, true},
		{"input of another value", `{"input":{"file_path":"b.txt"}}`, []string{user("a"), assistantWrites, userResult}, false},
		{"input with a pattern that does not fit", `{"input":{"file_path":{"pattern":"^/"}}}`, []string{user("a"), assistantWrites, userResult}, false},
		{"input inside it", `{"input":{"more":{"list":[1,"x"]}}}`, []string{user("a"), assistantWrites, userResult}, true},
		{"input without the member", `{"input":{"command":"ls"}}`, []string{user("a"), assistantWrites, userResult}, false},
		{"input of another tool", `{"tool_result":"Read","input":{"file_path":"a.txt"}}`, []string{user("a"), assistantWrites, userResult}, false},
		{"input without a result", `{"input":{}}`, []string{user("a")}, false},
		{"result", `{"result":"ok"}`, []string{user("a"), assistantWrite, userResult}, true},
		{"result of another text", `{"result":"no"}`, []string{user("a"), assistantWrite, userResult}, false},
		{"result that is not an error", `{"is_error":true}`, []string{user("a"), assistantWrite, userResult}, false},
		{"the first time", `{"text":"a","nth":1}`, []string{user("a")}, true},
		{"not yet the second time", `{"text":"a","nth":2}`, []string{user("a")}, false},
		{"all must hold", `{"model":"test","text":"b"}`, []string{user("a")}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDirector(mustScript(t, `{"turns":[{"text":"rest"},{"text":"matched","match":`+test.match+`}]}`))
			want := "rest"
			if test.fits {
				want = "matched"
			}
			if got := d.cue(testCall(t, test.messages...), nil).turn.Text; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestTheNthRequestThatFitsIsAnswered(t *testing.T) {
	d := newDirector(mustScript(t, `{"turns":[
		{"match":{"text":"b"},"text":"b"},
		{"match":{"pattern":"[ab]","nth":3},"text":"third"},
		{"match":{"text":"a","nth":2},"text":"second a"},
		{"text":"rest","times":-1}]}`))
	var got []string
	for _, said := range []string{"a", "b", "a", "x", "a"} {
		got = append(got, d.cue(testCall(t, user(said)), nil).turn.Text)
	}
	if diff := cmp.Diff([]string{"rest", "b", "third", "rest", "rest"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestSubagentsDoNotTakeTurnsOfTheMainConversation(t *testing.T) {
	const script = `{"turns":[
		{"content":[{"type":"tool_use","name":"Task","input":{"prompt":" look around\n"}}]},
		{"text":"main"},
		{"text":"sub","match":{"from":"subagent"}}]}`
	header := http.Header{}
	header.Set(agentHeader, "a1")
	for _, test := range []struct {
		name   string
		header http.Header
		prompt string
	}{
		{"known by its header", header, "anything"},
		{"known by its prompt", nil, "look around"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDirector(mustScript(t, script))
			if q := d.cue(testCall(t, user("start")), nil); q.number != 1 {
				t.Fatalf("turn %d, want 1", q.number)
			}
			first := d.cue(testCall(t, user(test.prompt)), test.header)
			second := d.cue(testCall(t, user(test.prompt), assistantWrite, userResult), test.header)
			main := d.cue(testCall(t, user("start"), assistantWrite, userResult), nil)
			got := []string{first.turn.Text, second.turn.Text, string(second.answer), second.key, main.turn.Text}
			want := []string{"sub", "done", "default", "subagent_0001", "main"}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestHelperCallsDoNotTakeTurns(t *testing.T) {
	bare := testCall(t, user("name this session"))
	bare.Tools = nil
	server := testCall(t, user("search the web"))
	server.Tools = []callTool{{Type: "web_search_20250305"}}
	d := newDirector(mustScript(t, `{"turns":[{"text":"main"},{"text":"found","match":{"text":"search"}}]}`))
	if q := d.cue(bare, nil); q.from != Helper || q.answer != ByDefault || q.turn.Text != helperText {
		t.Errorf("without tools: %+v", q)
	}
	if q := d.cue(testCall(t, user("Warmup")), nil); q.from != Helper {
		t.Errorf("warm-up is from %s", q.from)
	}
	if q := d.cue(server, nil); q.from != Helper || q.turn.Text != "found" {
		t.Errorf("with a server tool only: %+v", q)
	}
	if q := d.cue(testCall(t, user("hi")), nil); q.turn.Text != "main" {
		t.Errorf("main conversation: %+v", q)
	}
	d = newDirector(mustScript(t, `{"turns":[{"text":"main"}]}`))
	toolless := testCall(t, user("hi"))
	toolless.Tools, toolless.ContextManagement = nil, json.RawMessage(`{}`)
	if q := d.cue(toolless, nil); q.from != Main || q.turn.Text != "main" {
		t.Errorf("a conversation without tools: %+v", q)
	}
	d = newDirector(mustScript(t, `{"no_helpers":true,"turns":[{"text":"main"}]}`))
	if q := d.cue(bare, nil); q.from != Main || q.turn.Text != "main" {
		t.Errorf("no_helpers: %+v", q)
	}
}

func TestRetriesAreAnsweredByTheSameTurn(t *testing.T) {
	d := newDirector(mustScript(t, `{"turns":[{"error":{"status":400},"retries":true},{"text":"next"},{"text":"last"}]}`))
	var got []string
	for _, messages := range [][]string{
		{user("a")},
		{user("a"), `{"role":"system","content":"x"}`},
		{user("<system-reminder>x</system-reminder>"), user(" a <system-reminder>y</system-reminder>")},
		{user("a"), user("b")},
		{user("a"), user("b")},
	} {
		got = append(got, d.cue(testCall(t, messages...), nil).key)
	}
	if diff := cmp.Diff([]string{"0001", "0001r2", "0001r3", "0002", "0003"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
