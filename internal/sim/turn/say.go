package turn

import (
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
)

// say writes what a local command says.
func (t *Turn) say(text, source string, more ...any) Outcome {
	s := t.stage
	o := object.Of("type", "assistant", "message", syntheticMessage(text, "end_turn"), "parent_tool_use_id", nil, "local_command_source", source,
		"session_id", s.Out.ID(), "uuid", ids.UUID(), "timestamp", ids.Now())
	s.Out.Line(append(o, object.Of(more...)...))
	return Outcome{Text: text}
}

// synthetic writes a line of the assistant that is the CLI's own, and puts it into the
// conversation.
func (t *Turn) synthetic(a *Agent, text, stopReason string, more ...any) {
	a.line("assistant", syntheticMessage(text, stopReason), more...)
}

// syntheticMessage is a message of the assistant that is the CLI's own.
func syntheticMessage(text, stopReason string) object.Object {
	var sequence any
	if stopReason != "end_turn" {
		sequence = ""
	}
	return object.Of("diagnostics", nil, "id", ids.UUID(), "container", nil, "model", "<synthetic>", "role", "assistant", "stop_details", nil,
		"stop_reason", stopReason, "stop_sequence", sequence, "type", "message",
		"usage", object.Of("output_tokens_details", nil, "input_tokens", 0, "output_tokens", 0, "cache_creation_input_tokens", 0,
			"cache_read_input_tokens", 0, "server_tool_use", object.Of("web_search_requests", 0, "web_fetch_requests", 0), "service_tier", nil,
			"cache_creation", object.Of("ephemeral_1h_input_tokens", 0, "ephemeral_5m_input_tokens", 0), "inference_geo", nil, "iterations", nil,
			"speed", nil, "fallback_credit", nil),
		"content", []any{object.Of("type", "text", "text", text)}, "context_management", nil)
}

func textOrNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// jsText is how JavaScript puts a value into a text.
func jsText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return object.Text(v)
}
