package fakeapi

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func pointer[T any](v T) *T { return &v }

func TestScriptReadsAsItIsWritten(t *testing.T) {
	want := Script{
		CountTokens: 7,
		Turns: []Turn{
			{Text: "hello", Times: -1, Match: &Match{Text: "hi", From: Subagent}},
			{Content: []Block{Thinking("hm", "sig"), ToolUse("Write", `{"a":1}`)}, StopReason: "max_tokens",
				Usage: Usage{"input_tokens": json.RawMessage("3")}},
			{Error: &Error{Status: 529, RetryAfter: pointer(0)}, Header: map[string]string{"x-should-retry": "false"}},
			{Text: "slow", Pace: &Pace{Before: Duration(time.Second), Chunk: 2, Every: Duration(3 * time.Millisecond)},
				Cut: &Cut{How: Stall, After: pointer(3)}},
		},
	}
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseScript(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestScriptThatCannotBePlayedIsAnError(t *testing.T) {
	for _, test := range []struct{ name, turn, want string }{
		{"nothing to say", `{}`, "turn 1: says nothing"},
		{"unknown member", `{"txt":"a"}`, `unknown member "txt"`},
		{"text and content", `{"text":"a","content":[]}`, "both text and content"},
		{"text and error", `{"text":"a","error":{"status":500}}`, "an error and a message"},
		{"status", `{"error":{"status":200}}`, "status 200"},
		{"no status", `{"error":{"type":"x"}}`, "status 0"},
		{"negative retry_after", `{"error":{"status":429,"retry_after":-1}}`, "retry_after"},
		{"error with a cut", `{"error":{"status":500},"cut":{"how":"drop"}}`, "cannot be cut"},
		{"cut", `{"text":"a","cut":{"how":"bite"}}`, `cut by "bite"`},
		{"cut by no error", `{"text":"a","cut":{"how":"error"}}`, "needs the turn's error"},
		{"cut after", `{"text":"a","cut":{"how":"drop","after":-1}}`, "negative"},
		{"times", `{"text":"a","times":-2}`, "times -2"},
		{"empty match", `{"text":"a","match":{}}`, "match is empty"},
		{"match from", `{"text":"a","match":{"from":"mars"}}`, `from "mars"`},
		{"block without type", `{"content":[{"text":"a"}]}`, "block 0: has no type"},
		{"block text", `{"content":[{"type":"text","text":5}]}`, "block 0: text"},
		{"tool without input", `{"content":[{"type":"tool_use","name":"A"}]}`, "not a JSON object"},
		{"tool input null", `{"content":[{"type":"tool_use","name":"A","input":null}]}`, "not a JSON object"},
		{"duration", `{"text":"a","pace":{"every":"soon"}}`, "invalid duration"},
		{"negative pace", `{"text":"a","pace":{"every":"-1s"}}`, "negative"},
		{"header name", `{"text":"a","header":{"a b":"c"}}`, "cannot be sent"},
		{"header value", `{"text":"a","header":{"a":"c\nd"}}`, "cannot be sent"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParseScript([]byte(`{"turns":[` + test.turn + `]}`))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	for _, text := range []string{``, `{} {}`, `[]`, `{"count_tokens":-1}`} {
		if _, err := ParseScript([]byte(text)); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestBlocksMadeInGoAreChecked(t *testing.T) {
	s := Script{Turns: []Turn{{Content: []Block{ToolUse("Write", `{"a":`)}}}}
	if _, err := Start(t.Context(), s); err == nil {
		t.Error("a tool input that is not JSON is accepted")
	}
}

func TestErrorsOfAScriptHaveTheirPlace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "s.json")
	for text, want := range map[string]string{
		"{\n\t\"turns\": oops\n}":                          ":2:11: ",
		"{\n \"turn\": []\n}":                              `:2:2: unknown member "turn"`,
		"{\"turns\": [\n {\"text\": \"a\"},\n {}\n]}":      ":3:2: turn 2: says nothing",
		"{\"turns\": [\n {\"text\": \"a\"}\n], \"count\"}": ":3:11: ",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ParseScript([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), "script"+want) {
			t.Errorf("%s: %v, want script%s", text, err, want)
		}
		if _, err := LoadScript(name); err == nil || !strings.HasPrefix(err.Error(), name+want) {
			t.Errorf("%s: %v, want %s%s", text, err, name, want)
		}
	}
}
