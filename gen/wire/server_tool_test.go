package wire_test

import (
	"fmt"
	"testing"

	"github.com/ccwire/ccwire/gen/wire"
)

func TestWhatTheAPIAddsToAMessageHasTypesAndNothingIsLost(t *testing.T) {
	text := func(citation string) string { return `{"type":"text","text":"x","citations":[` + citation + `]}` }
	result := func(tool, content string) string {
		return `{"type":"` + tool + `_tool_result","tool_use_id":"srvtoolu_1","content":` + content + `}`
	}
	d := definition(t, "shared/assistant_message.json")
	for _, tt := range []struct {
		block, usage string
		got          func(m *wire.AssistantMessage) any
		want         string // its Go type
	}{
		{text(`{"type":"web_search_result_location","cited_text":"c","url":"u","title":null,"encrypted_index":"i"}`), "", citation, "*wire.CitationWebSearchResultLocation"},
		{text(`{"cited_text":"c","document_index":0,"document_title":null,"start_char_index":0,"end_char_index":1,"type":"char_location"}`), "", citation, "*wire.CitationCharLocation"},
		{text(`{"type":"future_location","line":1.0}`), "", citation, "*wire.UnknownCitation"},
		{result("web_search", `[{"type":"web_search_result","title":"T","url":"u","encrypted_content":"e","page_age":null}]`), "", content, "[]wire.WebSearchContentHit"},
		{result("web_search", `{"type":"web_search_tool_result_error","error_code":"unavailable"}`), "", content, "*wire.WebSearchContentError"},
		{result("web_fetch", `{"type":"web_fetch_tool_result_error","error_code":"from_the_future"}`), "", content, "*wire.WebFetchContentError"},
		{result("web_fetch", `{"type":"web_fetch_other","n":1e2}`), "", content, "*wire.UnknownWebFetchContent"},
		{result("code_execution", `{"type":"code_execution_result","stdout":"","stderr":"","return_code":0,"content":[],"new":true}`), "", content, "*wire.CodeExecutionContentResult"},
		{"", `,"iterations":[{"type":"compaction","input_tokens":180,"output_tokens":3}]`, iteration, "*wire.IterationUsageCompaction"},
		{"", `,"iterations":[{"type":"future_step","n":1.50}]`, iteration, "*wire.UnknownIterationUsage"},
	} {
		text := `{"role":"assistant","content":[` + tt.block + `],"usage":{"input_tokens":1,"output_tokens":1` + tt.usage + `}}`
		roundTrip(t, d, []byte(text))
		var m wire.AssistantMessage
		if err := m.UnmarshalJSON([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := fmt.Sprintf("%T", tt.got(&m)); got != tt.want {
			t.Errorf("%s%s is a %s, want %s", tt.block, tt.usage, got, tt.want)
		}
	}
}

func citation(m *wire.AssistantMessage) any { return m.Content[0].(*wire.TextBlock).Citations.Value[0] }

func content(m *wire.AssistantMessage) any {
	switch b := m.Content[0].(type) {
	case *wire.WebSearchToolResultBlock:
		if b.Content.Object != nil {
			return b.Content.Object
		}
		return b.Content.List
	case *wire.WebFetchToolResultBlock:
		return b.Content
	case *wire.CodeExecutionToolResultBlock:
		return b.Content
	}
	return nil
}

func iteration(m *wire.AssistantMessage) any { return m.Usage.Iterations.Value[0] }
