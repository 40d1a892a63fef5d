package capture_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// object is a line, or a part of one.
type object = map[string]any

// inLines returns a change of the first lines of the CLI that change takes: as many as most, or all
// for 0.
func inLines(most int, change func(line object) bool) func([]recording.Entry) []recording.Entry {
	return func(entries []recording.Entry) []recording.Entry {
		entries = slices.Clone(entries)
		changed := 0
		for i := range entries {
			var line object
			if entries[i].Dir != recording.ToSDK || json.Unmarshal([]byte(entries[i].Line), &line) != nil || !change(line) {
				continue
			}
			text, err := json.Marshal(line)
			if err != nil {
				panic(err) // never: it was decoded
			}
			entries[i].Line = string(text)
			if changed++; changed == most {
				break
			}
		}
		if changed == 0 {
			return nil
		}
		return entries
	}
}

// set returns a change of a member of lines of a type and subtype.
func set(kind, subtype, member string, value any) func(object) bool {
	return func(line object) bool {
		if line["type"] != kind || subtype != "" && line["subtype"] != subtype || line[member] == nil {
			return false
		}
		line[member] = value
		return true
	}
}

// part returns a member of an object as an object, nil if it is none.
func part(line object, names ...string) object {
	for _, name := range names {
		line, _ = line[name].(object)
	}
	return line
}

// models returns a change of what a result says of each model.
func models(nth int, member string, value any) func(object) bool {
	return func(line object) bool {
		if line["type"] != "result" || len(part(line, "modelUsage")) == 0 {
			return false
		}
		if nth--; nth > 0 {
			return false
		}
		for name := range part(line, "modelUsage") {
			part(line, "modelUsage", name)[member] = value
		}
		return true
	}
}

// without takes a tool out of the lists of init, from the nth on.
func without(tool string, nth int) func(object) bool {
	return func(line object) bool {
		tools, ok := line["tools"].([]any)
		if !ok || line["subtype"] != "init" || !slices.Contains(tools, any(tool)) {
			return false
		}
		if nth--; nth > 0 {
			return false
		}
		line["tools"] = slices.DeleteFunc(tools, func(t any) bool { return t == tool })
		return true
	}
}

// again doubles the first line of a type, or moves it to the end of the lines.
func again(kind string, entry func(object)) func([]recording.Entry) []recording.Entry {
	return func(entries []recording.Entry) []recording.Entry {
		for i, e := range entries {
			var line object
			if e.Dir != recording.ToSDK || json.Unmarshal([]byte(e.Line), &line) != nil || line["type"] != kind {
				continue
			}
			entry(line)
			text, err := json.Marshal(line)
			if err != nil {
				panic(err) // never: it was decoded
			}
			return slices.Insert(slices.Clone(entries), i+1, recording.Entry{Dir: recording.ToSDK, Line: string(text)})
		}
		return nil
	}
}

// TestImpossibleValuesAreNoticed changes what a CLI writes so that the lines still fit the schemas
// and the scenario holds: nothing but the law that is named notices it, in a version that nobody
// has recorded.
func TestImpossibleValuesAreNoticed(t *testing.T) {
	target := replayed(t)
	for _, tt := range []struct {
		name, scenario, law string
		change              func([]recording.Entry) []recording.Entry
	}{
		{"a negative cost", "turn/multi", "no amount is negative", inLines(1, set("result", "", "total_cost_usd", -1))},
		{"a cost a thousand times as high", "turn/multi", "costs add up", inLines(1, set("result", "", "total_cost_usd", 31.4))},
		{"a cost that goes down", "turn/multi", "costs never go down", inLines(1, func(line object) bool {
			return set("result", "", "total_cost_usd", 2.5)(line) && models(1, "costUSD", 2.5)(line)
		})},
		{"tokens that go down", "turn/multi", "usage never goes down", inLines(1, models(1, "outputTokens", 1e6))},
		{"tokens that do not add up", "turn/multi", "usage adds up", inLines(1, models(2, "outputTokens", 1e6))},
		{"a negative time", "turn/text", "no amount is negative", inLines(1, set("result", "", "duration_ms", -5))},
		{"a time of 1999", "permission/allow", "timestamps lie inside the session", inLines(2, func(line object) bool {
			return line["isReplay"] == nil && set("user", "", "timestamp", "1999-12-01T00:00:00Z")(line)
		})},
		{"Bash is gone in the second turn", "task/failing-shell", "tools stay", inLines(1, without("Bash", 2))},
		{"a tool that no turn has", "permission/allow", "a tool that runs was listed", inLines(0, func(line object) bool {
			if line["subtype"] != "init" {
				return false
			}
			line["tools"] = []any{"Bash", "Read"}
			return true
		})},
		{"one round more", "turn/multi", "turns are counted", inLines(1, set("result", "", "num_turns", 7))},
		{"a text that is cut", "stream/user-uuids", "the deltas make the message", inLines(1, func(line object) bool {
			content, _ := part(line, "message")["content"].([]any)
			if line["type"] != "assistant" || len(content) == 0 {
				return false
			}
			block, _ := content[0].(object)
			text, _ := block["text"].(string)
			if len(text) < 4 {
				return false
			}
			block["text"] = text[:2]
			return true
		})},
		{"another text", "permission/ask-members", "the result is what was said last", inLines(1, set("result", "success", "result", "something else"))},
		{"another mode", "control/set-permission-mode", "the mode is that which was set", inLines(0, set("system", "init", "permissionMode", "dontAsk"))},
		{"another session", "turn/multi", "one session id", inLines(1, set("result", "", "session_id", "00000000-0000-4000-8000-0000000000ff"))},
		{"two results", "turn/multi", "one result for a turn", again("result", func(line object) { line["uuid"] = "00000000-0000-4000-8000-0000000000fe" })},
		{"a line twice", "turn/text", "one line for a uuid", again("assistant", func(object) {})},
		{"a command of nowhere", "", "commands are those of the handshake", inLines(1, set("system", "init", "slash_commands", []any{"no-such-command"}))},
		{"fewer tokens at the end of a message", "", "tokens of a message never go down", inLines(1, func(line object) bool {
			if usage := part(line, "event", "message", "usage"); usage != nil {
				usage["output_tokens"] = 1e6
				return true
			}
			return false
		})},
		{"a block that nobody has opened", "", "the grammar of stream events", inLines(1, func(line object) bool {
			if event := part(line, "event"); event != nil && event["type"] == "content_block_stop" {
				event["index"] = 5
				return true
			}
			return false
		})},
	} {
		t.Run(tt.name, func(t *testing.T) {
			all, err := scenario.All()
			if err != nil {
				t.Fatal(err)
			}
			var reasons []string
			for _, s := range all {
				if tt.scenario != "" && s.Name != tt.scenario || len(reasons) == 12 {
					continue
				}
				entries, err := corpus.Read(target.Version().String(), s.Name)
				if err != nil {
					continue // not for this version
				}
				changed := tt.change(entries)
				if changed == nil {
					continue
				}
				r := judged(t, target, nil, s, changed)
				if strings.Contains(r.Reason, `"`+tt.law+`"`) {
					return
				}
				reasons = append(reasons, s.Name+": "+r.Reason)
			}
			t.Errorf("the law %q does not notice it; %q", tt.law, reasons)
		})
	}
}
