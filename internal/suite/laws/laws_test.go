package laws

import (
	"encoding/json"
	"fmt"
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
	const (
		setMode = `{"type":"control_request","request_id":"x","request":{"subtype":"set_permission_mode","mode":"plan"}}`
		ok      = `{"type":"control_response","response":{"subtype":"success","request_id":"x","response":{}}}`
		hello   = `> {"type":"control_request","request_id":"x","request":{"subtype":"initialize"}}`
		listed  = `{"type":"control_response","response":{"subtype":"success","request_id":"x","response":{"commands":[{"name":"a"}]}}}`
		more    = `{"type":"system","subtype":"commands_changed","session_id":"s","commands":[{"name":"a"},{"name":"b"}]}`
	)
	cost := func(total, model, since float64) string {
		return fmt.Sprintf(`{"type":"result","total_cost_usd":%v,"modelUsage":{"m":{"costUSD":%v}},"model_usage_since_last_result":{"m":{"costUSD":%v}}}`, total, model, since)
	}
	tokens := func(n int) string {
		return fmt.Sprintf(`{"type":"result","total_cost_usd":0,"modelUsage":{"m":{"inputTokens":%d}}}`, n)
	}
	start := func(id string, tokens int) string {
		return fmt.Sprintf(`{"type":"stream_event","event":{"type":"message_start","message":{"id":%q,"usage":{"output_tokens":%d}}}}`, id, tokens)
	}
	open := func(kind string) string {
		return fmt.Sprintf(`{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":%q,"text":""}}}`, kind)
	}
	delta := func(text string) string {
		return fmt.Sprintf(`{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%q}}}`, text)
	}
	said := func(id, text string) string {
		return fmt.Sprintf(`{"type":"assistant","message":{"id":%q,"content":[{"type":"text","text":%q}]},"parent_tool_use_id":null}`, id, text)
	}
	completed := func(text string) string {
		return fmt.Sprintf(`{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed","result":%q}`, text)
	}
	tools := func(uuid string, names ...string) string {
		return fmt.Sprintf(`{"type":"system","subtype":"init","session_id":"s","uuid":%q,"tools":["%s"]}`, uuid, strings.Join(names, `","`))
	}
	used := func(name string) string {
		return fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":%q}]},"parent_tool_use_id":null,"session_id":"s","uuid":"2"}`, name)
	}
	turns := func(n int) string {
		return fmt.Sprintf(`{"type":"result","terminal_reason":"completed","num_turns":%d}`, n)
	}
	at := func(uuid, time string) string {
		return fmt.Sprintf(`{"type":"user","message":{"content":"x"},"uuid":%q,"timestamp":%q}`, uuid, time)
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
		{"no result of a tool that the budget ended", []string{init, assistant, with(result, `{`, `{"subtype":"error_max_budget_usd",`), with(init, `"1"`, `"5"`), with(result, `"4"`, `"6"`)}, nil},
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
		{"costs that add up", []string{init, cost(2, 2, 2), with(init, `"1"`, `"5"`), cost(3, 3, 1)}, nil},
		{"a cost that does not", []string{init, cost(2000, 2, 2)}, []string{"costs add up"}},
		{"a cost that goes down", []string{init, cost(2, 2, 2), with(init, `"1"`, `"5"`), `{"type":"result","total_cost_usd":1}`}, []string{"costs never go down"}},
		{"usage that goes down", []string{init, tokens(5), with(init, `"1"`, `"5"`), tokens(1)}, []string{"usage never goes down"}},
		{"usage that does not add up", []string{init, cost(2, 2, 2), with(init, `"1"`, `"5"`), cost(3, 3, 3)}, []string{"usage adds up"}},
		{"usage after a reset", []string{init, cost(2, 2, 2), reset, with(init, `"1"`, `"5"`), cost(1, 1, 1)}, nil},
		{"a negative time", []string{init, with(result, `{`, `{"duration_ms":-5,`)}, []string{"no amount is negative"}},
		{"a negative number that may be", []string{init, with(notice, `{`, `{"offset":-5,`)}, nil},
		{"deltas of a text", []string{start("m", 1), open("text"), delta("a"), delta("b"), said("m", "ab")}, nil},
		{"a text that is cut", []string{start("m", 1), open("text"), delta("a"), delta("b"), said("m", "a")}, []string{"the deltas make the message"}},
		{"a text of another message", []string{start("m", 1), open("text"), delta("a"), said("n", "c")}, nil},
		{"fewer tokens at the end", []string{start("m", 3), `{"type":"stream_event","event":{"type":"message_delta","usage":{"output_tokens":2}}}`}, []string{"tokens of a message never go down"}},
		{"the text said last", []string{init, said("m", "a"), said("m", "b"), completed("b")}, nil},
		{"another text", []string{init, said("m", "a"), said("m", "b"), completed("a")}, []string{"the result is what was said last"}},
		{"a structured output", []string{init, said("m", "a"), with(completed("{}"), `{`, `{"structured_output":{},`)}, nil},
		{"the mode that was set", []string{"> " + setMode, ok, with(init, `{`, `{"permissionMode":"plan",`)}, nil},
		{"another mode", []string{"> " + setMode, ok, with(init, `{`, `{"permissionMode":"default",`)}, []string{"the mode is that which was set"}},
		{"the mode that was set, as the status says", []string{"> " + setMode, ok, with(notice, `{`, `{"permissionMode":"plan",`), with(init, `{`, `{"permissionMode":"default",`)}, []string{"the mode is that which was set"}},
		{"a mode that was left", []string{"> " + setMode, ok, with(notice, `{`, `{"permissionMode":"default",`), with(init, `{`, `{"permissionMode":"default",`)}, nil},
		{"a mode that was refused", []string{"> " + setMode, with(ok, "success", "error"), with(init, `{`, `{"permissionMode":"default",`)}, nil},
		{"tools that stay", []string{tools("1", "Bash", "Read"), result, tools("5", "Read", "Bash", "mcp__a__b")}, nil},
		{"a tool is gone", []string{tools("1", "Bash", "Read"), result, tools("5", "Read")}, []string{"tools stay"}},
		{"a tool is new", []string{tools("1", "Read"), result, tools("5", "Bash", "Read")}, []string{"tools stay"}},
		{"a tool is gone with a model", []string{tools("1", "Bash", "Read"), result, `> {"type":"control_request","request_id":"x","request":{"subtype":"set_model"}}`, tools("5", "Read")}, nil},
		{"commands of the handshake", []string{hello, listed, with(init, `{`, `{"slash_commands":["a","mcp__x__y"],`)}, nil},
		{"a command that the handshake has not", []string{hello, listed, with(init, `{`, `{"slash_commands":["b"],`)}, []string{"commands are those of the handshake"}},
		{"a command that came before the first turn", []string{hello, listed, more, with(init, `{`, `{"slash_commands":["a","b"],`)}, nil},
		{"a command that neither list has", []string{hello, listed, more, with(init, `{`, `{"slash_commands":["c"],`)}, []string{"commands are those of the handshake"}},
		{"a tool that was listed", []string{tools("1", "Bash", "Read"), used("Bash"), user, result}, nil},
		{"a tool that was listed by its other name", []string{tools("1", "Task", "Read"), used("Agent"), user, result}, nil},
		{"a tool that was not listed", []string{tools("1", "Bash", "Read"), used("Write"), user, result}, []string{"a tool that runs was listed"}},
		{"a tool that was not listed and did not run", []string{tools("1", "Bash", "Read"), used("Write"), with(user, `"tool_use_id"`, `"is_error":true,"tool_use_id"`), result}, nil},
		{"a tool of a server", []string{tools("1", "Bash", "Read"), used("mcp__a__b"), user, result}, nil},
		{"rounds of a turn", []string{init, assistant, user, turns(2)}, nil},
		{"too many rounds", []string{init, assistant, user, turns(3)}, []string{"turns are counted"}},
		{"rounds of a turn after another", []string{init, turns(1), with(init, `"1"`, `"5"`), assistant, user, turns(2)}, nil},
		{"rounds of a subagent", []string{init, with(user, `null`, `"p"`), turns(1)}, []string{"one tool use for a result"}},
		{"rounds of a turn that was stopped", []string{init, assistant, user, with(turns(7), "completed", "aborted_tools")}, nil},
		{"times of a session", []string{at("1", "2026-01-02T10:00:00Z"), at("2", "2026-01-02T09:00:00Z")}, nil},
		{"a time of another year", []string{at("1", "2026-01-02T10:00:00Z"), at("2", "1999-01-02T10:00:00Z")}, []string{"timestamps lie inside the session"}},
		{"members of another kind", []string{with(init, `{`, `{"tools":{},"slash_commands":1,"timestamp":1,`), with(result, `{`, `{"result":1,"modelUsage":[],`)}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var entries []recording.Entry
			for _, text := range tt.lines {
				dir := recording.ToSDK
				if sent, ok := strings.CutPrefix(text, "> "); ok {
					dir, text = recording.ToCLI, sent
				}
				entries = append(entries, recording.Entry{Dir: dir, Line: text})
			}
			lines, err := recording.Lines(entries)
			if err != nil {
				t.Fatal(err)
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
