package laws

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
)

func TestEveryRecordedSessionKeepsTheLaws(t *testing.T) {
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sessions {
		for _, b := range Check(s.Lines) {
			t.Errorf("%s: %v", s.At(&s.Lines[b.Line]), &b)
		}
	}
}

func TestALineThatBreaksALawIsFound(t *testing.T) {
	const (
		init      = `{"type":"system","subtype":"init","session_id":"s","uuid":"1"}`
		assistant = `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t"}]},"parent_tool_use_id":null,"session_id":"s","uuid":"2"}`
		user      = `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t"}]},"parent_tool_use_id":null,"session_id":"s","uuid":"3"}`
		result    = `{"type":"result","session_id":"s","uuid":"4"}`
		notice    = `{"type":"system","subtype":"ui_status","session_id":"s","uuid":"8"}`
		reset     = `{"type":"conversation_reset","session_id":"s","uuid":"7"}`
		ask       = `{"type":"control_request","request_id":"r"}`
	)
	event := func(kind string, index int) string {
		data, _ := json.Marshal(map[string]any{"type": "stream_event", "event": map[string]any{"type": kind, "index": index}})
		return string(data)
	}
	with := func(line string, old, new string) string { return strings.Replace(line, old, new, 1) }
	for _, tt := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"a turn", []string{ask, init, assistant, user, result}, nil},
		{"a carriage return", []string{init, result + "\r"}, []string{"framing"}},
		{"no JSON", []string{init, "Warning: something", result}, []string{"framing"}},
		{"another session id", []string{init, with(assistant, `"s"`, `"x"`), user, result}, []string{"one session id"}},
		{"another session id after a reset", []string{init, result, reset, with(notice, `"s"`, `"x"`), with(with(init, `"s"`, `"x"`), `"1"`, `"9"`)}, nil},
		{"two session ids after a reset", []string{init, result, reset, with(notice, `"s"`, `"x"`), with(with(notice, `"s"`, `"y"`), `"8"`, `"9"`)}, []string{"one session id"}},
		{"a uuid twice", []string{init, assistant, with(user, `"3"`, `"2"`), result}, []string{"one line for a uuid"}},
		{"a line twice", []string{init, assistant, assistant, user, result}, []string{"one line for a uuid", "one tool use for an id"}},
		{"a replayed line", []string{init, `{"type":"user","isReplay":true,"uuid":"1"}`, result}, nil},
		{"no result of a tool", []string{init, assistant, result}, []string{"one result for a tool use"}},
		{"two results of a tool", []string{init, assistant, user, with(user, `"3"`, `"5"`), result}, []string{"one result for a tool use"}},
		{"no use of a tool", []string{init, user, result}, []string{"one tool use for a result"}},
		{"another parent", []string{init, assistant, with(user, "null", `"p"`), result}, []string{"a result is where its tool use is"}},
		{"a deferred tool", []string{init, assistant, with(result, `{`, `{"deferred_tool_use":{"id":"t"},`)}, nil},
		{"a denial of nothing", []string{init, with(result, `{`, `{"permission_denials":[{"tool_use_id":"t"}],`)}, []string{"denials are those of tool uses"}},
		{"a denial of an ask", []string{init, with(ask, `"r"`, `"r","request":{"subtype":"can_use_tool","tool_use_id":"t"}`), with(result, `{`, `{"permission_denials":[{"tool_use_id":"t"}],`)}, nil},
		{"two results", []string{init, result, with(result, `"4"`, `"5"`)}, []string{"one result for a turn"}},
		{"a line after the result", []string{init, result, with(assistant, "tool_use", "text")}, []string{"nothing of a turn after its result"}},
		{"a second turn", []string{init, result, with(init, `"1"`, `"5"`), with(result, `"4"`, `"6"`)}, nil},
		{"a request twice", []string{ask, ask}, []string{"one request for an id"}},
		{"a message", []string{event("message_start", 0), event("content_block_start", 0), event("content_block_delta", 0),
			event("content_block_stop", 0), event("message_delta", 0), event("message_stop", 0)}, nil},
		{"no start of a message", []string{event("content_block_start", 0)}, []string{"the grammar of stream events"}},
		{"no start of a block", []string{event("message_start", 0), event("content_block_delta", 0)}, []string{"the grammar of stream events"}},
		{"no end of a block", []string{event("message_start", 0), event("content_block_start", 0), event("message_stop", 0)}, []string{"the grammar of stream events"}},
		{"a block is left out", []string{event("message_start", 0), event("content_block_start", 1)}, []string{"the grammar of stream events"}},
		{"no end of a message", []string{event("message_start", 0), event("message_start", 0)}, []string{"the grammar of stream events"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var lines []recording.Line
			for _, text := range tt.lines {
				lines = append(lines, recording.Line{Dir: recording.ToSDK, Text: []byte(text)})
			}
			var got []string
			for _, b := range Check(lines) {
				got = append(got, b.Law)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
