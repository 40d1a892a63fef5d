package fakeapi

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestAnswersRepeatWhatWasAsked(t *testing.T) {
	tool := []string{user("write it"), assistantWrites, userResult}
	for _, test := range []struct {
		name, turn string
		messages   []string
		want       string // the first block
	}{
		{"what the user said", `{"text":"You said {{text}}."}`, []string{user("hi <system-reminder>x</system-reminder>")}, `{"text":"You said hi.","type":"text"}`},
		{"what the user said before the tool", `{"text":"{{text}}"}`, tool, `{"text":"write it","type":"text"}`},
		{"what the user said first", `{"text":"{{prompt}}, {{ model }}"}`, []string{user("a"), user("b")}, `{"text":"a, claude-test","type":"text"}`},
		{"groups", `{"match":{"pattern":"in (?P<city>\\w+) (\\w+)"},"text":"{{city}} {{2}} {{0}}"}`, []string{user("weather in Rome now")}, `{"text":"Rome now in Rome now","type":"text"}`},
		{"a result", `{"text":"{{tool}} of {{input.file_path}}, {{input.more.list}}: {{result}}{{input.none}}"}`, tool, `{"text":"Write of a.txt, [1,\"x\"]: ok","type":"text"}`},
		{"no result", `{"text":"[{{tool}}{{result}}{{input}}]"}`, []string{user("a")}, `{"text":"[]","type":"text"}`},
		{"how often", `{"text":"{{times}}","times":-1}`, []string{user("a")}, `{"text":"1","type":"text"}`},
		{"inside JSON", `{"content":[{"type":"x","{{text}}":["{{text}}"]}]}`, []string{user(`say "a"`)}, `{"type":"x","{{text}}":["say \"a\""]}`},
		{"as it is", `{"text":"\\{{text}} {{text}} {{name}} {text} ${{ HOME }}"}`, []string{user("a")}, `{"text":"{{text}} a {{name}} {text} ${{ HOME }}","type":"text"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := newDirector(mustScript(t, `{"turns":[`+test.turn+`]}`)).cue(testCall(t, test.messages...), nil)
			if got, want := mustJSON(t, q.msg.Content[0]), mustJSON(t, mustBlock(t, test.want)); string(got) != string(want) {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestATimeInAHeaderIsSoManySecondsAway(t *testing.T) {
	before := time.Now().Unix()
	q := newDirector(mustScript(t, `{"turns":[{"text":"a","header":{"resets":"{{later.3600}}","before":"{{later.-60}}"}}]}`)).cue(testCall(t, user("a")), nil)
	at, err := strconv.ParseInt(q.turn.Header["resets"], 10, 64)
	if err != nil || at < before+3600 || at > time.Now().Unix()+3600 {
		t.Errorf("got %q at %d", q.turn.Header["resets"], before)
	}
	if got := q.turn.Header["before"]; got != "{{later.-60}}" {
		t.Errorf("got %q, which is no name", got)
	}
}

func TestAScriptWithoutTemplatesIsSaidAsItIs(t *testing.T) {
	q := newDirector(mustScript(t, `{"templates":false,"turns":[{"text":"{{text}} {{txt}}"}]}`)).cue(testCall(t, user("a")), nil)
	if q.turn.Text != "{{text}} {{txt}}" {
		t.Errorf("got %q", q.turn.Text)
	}
}

func TestAPlaceholderThatIsMisspeltIsRefused(t *testing.T) {
	for turn, want := range map[string]string{
		`{"text":"{{promt}}"}`:                                       "{{promt}} is not known; did you mean {{prompt}}?",
		`{"content":[{"type":"text","text":"{{resutl}}"}]}`:          "did you mean {{result}}?",
		`{"match":{"pattern":"(?P<city>.)"},"text":"{{ctiy}}"}`:      "did you mean {{city}}?",
		`{"match":{"pattern":"(.)"},"text":"{{2}}"}`:                 "{{2}} is not a group",
		`{"match":{"pattern":"("},"text":"a"}`:                       "match pattern: ",
		`{"match":{"input":{"command":{"pattern":"["}}},"text":"a"}`: "match input: ",
		`{"match":{"input":["ls"]},"text":"a"}`:                      "match input: is not an object",
		`{"match":{"nth":-1},"text":"a"}`:                            "match nth -1",
		`{"error":{"status":500,"message":"{{txt}}"}}`:               "did you mean {{text}}?",
	} {
		_, err := ParseScript([]byte("{\"turns\":[{\"text\":\"a\"},\n" + turn + "]}"))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "script:2:1: ") {
			t.Errorf("%s: %v, want %s", turn, err, want)
		}
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func mustBlock(t *testing.T, text string) (b Block) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &b); err != nil {
		t.Fatal(err)
	}
	return b
}
