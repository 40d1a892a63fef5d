package turn

import (
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/transcript"
)

// say writes what a local command says.
func (t *Turn) say(text, source string, more ...any) Outcome {
	s := t.stage
	id, members := ids.UUID(), object.Of(more...)
	o := object.Of("type", "assistant", "message", syntheticMessage(text, "end_turn"), "parent_tool_use_id", nil, "local_command_source", source,
		"session_id", s.Out.ID(), "uuid", id, "timestamp", ids.Now())
	s.Out.Line(append(o, members...))
	prompt, outcome := t.prompts[0].Text(), any(object.Absent)
	if run := members.Object("local_command_run"); run != nil {
		prompt = transcript.CommandText(run.Text("command"), run.Text("args"))
	}
	if members.Has("local_command_outcome") {
		outcome = members.Get("local_command_outcome")
	}
	s.Transcript.Main().Command(prompt, id, source, outcome)
	return Outcome{Text: text}
}

// synthetic writes a line of the assistant that is the CLI's own. own are the members that only its
// entry in the transcript has.
func (t *Turn) synthetic(a *Agent, text, stopReason string, own object.Object, more ...any) {
	id, message := ids.UUID(), syntheticMessage(text, stopReason)
	a.keep(id, "assistant", message, own, more...)
	a.tell(id, "assistant", message, more...)
}

// syntheticMessage is a message of the assistant that is the CLI's own.
func syntheticMessage(text, stopReason string) object.Object {
	var sequence any
	if stopReason != "end_turn" && stopReason != "tool_use" {
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
