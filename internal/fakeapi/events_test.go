package fakeapi

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// wantStream is the whole stream of a turn with a block of each kind, with six characters to a
// delta.
const wantStream = `
message_start {"message":{"id":"msg_0001","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"input_tokens":3,"output_tokens":1,"service_tier":"standard"}},"type":"message_start"}
content_block_start {"content_block":{"signature":"","thinking":"","type":"thinking"},"index":0,"type":"content_block_start"}
content_block_delta {"delta":{"thinking":"let me","type":"thinking_delta"},"index":0,"type":"content_block_delta"}
content_block_delta {"delta":{"thinking":" see","type":"thinking_delta"},"index":0,"type":"content_block_delta"}
content_block_delta {"delta":{"signature":"c2lnbmF0dXJl","type":"signature_delta"},"index":0,"type":"content_block_delta"}
content_block_stop {"index":0,"type":"content_block_stop"}
content_block_start {"content_block":{"data":"b3BhcXVl","type":"redacted_thinking"},"index":1,"type":"content_block_start"}
content_block_stop {"index":1,"type":"content_block_stop"}
content_block_start {"content_block":{"text":"","type":"text"},"index":2,"type":"content_block_start"}
content_block_delta {"delta":{"text":"héllo ","type":"text_delta"},"index":2,"type":"content_block_delta"}
content_block_delta {"delta":{"text":"wörld","type":"text_delta"},"index":2,"type":"content_block_delta"}
content_block_stop {"index":2,"type":"content_block_stop"}
content_block_start {"content_block":{"id":"toolu_0001_3","input":{},"name":"Write","type":"tool_use"},"index":3,"type":"content_block_start"}
content_block_delta {"delta":{"partial_json":"{\"a\":1","type":"input_json_delta"},"index":3,"type":"content_block_delta"}
content_block_delta {"delta":{"partial_json":"}","type":"input_json_delta"},"index":3,"type":"content_block_delta"}
content_block_stop {"index":3,"type":"content_block_stop"}
content_block_start {"content_block":{"id":"srvtoolu_0001_4","input":{},"name":"web_search","type":"server_tool_use"},"index":4,"type":"content_block_start"}
content_block_delta {"delta":{"partial_json":"{}","type":"input_json_delta"},"index":4,"type":"content_block_delta"}
content_block_stop {"index":4,"type":"content_block_stop"}
content_block_start {"content_block":{"content":[],"tool_use_id":"srvtoolu_0001_4","type":"web_search_tool_result"},"index":5,"type":"content_block_start"}
content_block_stop {"index":5,"type":"content_block_stop"}
content_block_start {"content_block":{"citations":[],"text":"","type":"text"},"index":6,"type":"content_block_start"}
content_block_delta {"delta":{"text":"quoted","type":"text_delta"},"index":6,"type":"content_block_delta"}
content_block_delta {"delta":{"citation":{"type":"a","n":1},"type":"citations_delta"},"index":6,"type":"content_block_delta"}
content_block_delta {"delta":{"citation":{"type":"b"},"type":"citations_delta"},"index":6,"type":"content_block_delta"}
content_block_stop {"index":6,"type":"content_block_stop"}
message_delta {"delta":{"stop_reason":"tool_use","stop_sequence":null},"type":"message_delta","usage":{"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"input_tokens":3,"output_tokens":9,"service_tier":"standard"}}
message_stop {"type":"message_stop"}
`

func TestStreamOfEachBlockType(t *testing.T) {
	turn := mustScript(t, `{"turns":[{"content":[
		{"type":"thinking","thinking":"let me see","signature":"c2lnbmF0dXJl"},
		{"type":"redacted_thinking","data":"b3BhcXVl"},
		{"type":"text","text":"héllo wörld"},
		{"type":"tool_use","name":"Write","input":{ "a" : 1 }},
		{"type":"server_tool_use","name":"web_search","input":{}},
		{"type":"web_search_tool_result","tool_use_id":"srvtoolu_0001_4","content":[]},
		{"type":"text","text":"quoted","citations":[{"type":"a","n":1},{"type":"b"}]}
	],"usage":{"input_tokens":3,"output_tokens":9}}]}`).Turns[0]
	var got strings.Builder
	for e := range events(newMessage(&turn, "0001", "m"), 6) {
		got.WriteString("\n" + e.name + " " + string(e.data))
	}
	if diff := cmp.Diff(wantStream, got.String()+"\n"); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestStreamCanBeLeftAtEachEvent(t *testing.T) {
	turn := Turn{Content: []Block{Thinking("abc", "s"), Text("abc"), ToolUse("A", `{"a":1}`)}}
	m := newMessage(&turn, "0001", "m")
	total := 0
	for range events(m, 1) {
		total++
	}
	for n := 1; n <= total; n++ {
		seen := 0
		for range events(m, 1) {
			if seen++; seen == n {
				break
			}
		}
		if seen != n {
			t.Errorf("left at %d, saw %d", n, seen)
		}
	}
}

func TestIDsAndStopReason(t *testing.T) {
	own := ToolUse("Read", `{}`)
	own["id"] = quote("toolu_own")
	turn := Turn{Content: []Block{own, ToolUse("Read", `{}`)}, StopReason: "pause_turn", StopSequence: "X", Model: "other"}
	m := newMessage(&turn, "0002r3", "m")
	got := []string{m.ID, m.Content[0].str("id"), m.Content[1].str("id"), *m.StopReason, *m.StopSequence, m.Model}
	want := []string{"msg_0002r3", "toolu_own", "toolu_0002r3_1", "pause_turn", "X", "other"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if _, ok := turn.Content[1]["id"]; ok {
		t.Error("the script itself was changed")
	}
}

func TestSplit(t *testing.T) {
	for _, test := range []struct {
		text string
		n    int
		want []string
	}{
		{"", 2, nil},
		{"abc", 0, []string{"abc"}},
		{"abcd", 2, []string{"ab", "cd"}},
		{"äöü", 2, []string{"äö", "ü"}},
		{"ab", 9, []string{"ab"}},
	} {
		if got := slices.Collect(split(test.text, test.n)); !slices.Equal(got, test.want) {
			t.Errorf("split(%q, %d) = %q, want %q", test.text, test.n, got, test.want)
		}
	}
}
