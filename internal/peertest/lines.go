package peertest

import (
	"encoding/json"
	"testing"

	"github.com/ccwire/ccwire/gen/wire"
)

// Lines that say little, and bodies of requests from the CLI.
const (
	KeepAliveLine = `{"type":"keep_alive"}`

	InterruptBody  = `{"subtype":"interrupt"}`
	HookBody       = `{"subtype":"hook_callback","callback_id":"hook_0","input":{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}},"tool_use_id":"t"}`
	PermissionBody = `{"subtype":"can_use_tool","tool_name":"Write","input":{"file_path":"a","content":"b"},"tool_use_id":"t"}`
	MCPBody        = `{"subtype":"mcp_message","server_name":"srv","message":{"jsonrpc":"2.0","id":7,"method":"tools/list"}}`
)

// RequestLine is a control request.
func RequestLine(id, request string) string {
	return `{"type":"control_request","request_id":` + Quote(id) + `,"request":` + request + `}`
}

// CancelLine withdraws a control request.
func CancelLine(id string) string {
	return `{"type":"control_cancel_request","request_id":` + Quote(id) + `}`
}

// SuccessLine answers a control request, without a body if it is empty.
func SuccessLine(id, body string) string {
	if body != "" {
		body = `,"response":` + body
	}
	return `{"type":"control_response","response":{"subtype":"success","request_id":` + Quote(id) + body + `}}`
}

// ErrorLine refuses a control request.
func ErrorLine(id, message string) string {
	return `{"type":"control_response","response":{"subtype":"error","request_id":` + Quote(id) + `,"error":` + Quote(message) + `}}`
}

// MarkLine is a message that carries a text.
func MarkLine(text string) string { return `{"type":"keep_alive","startup_mark":` + Quote(text) + `}` }

// PromptLine is a user message.
func PromptLine(text string) string {
	return `{"type":"user","message":{"role":"user","content":` + Quote(text) + `}}`
}

// ResultLine is the result of a turn.
func ResultLine(text string) string {
	return `{"type":"result","subtype":"success","is_error":false,"duration_ms":1,"duration_api_ms":1,"num_turns":1,"result":` + Quote(text) +
		`,"session_id":"s","total_cost_usd":0,"usage":{"input_tokens":1,"output_tokens":1},"modelUsage":{},"permission_denials":[],"uuid":"u"}`
}

// Quote returns a text as JSON.
func Quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// Decode decodes a line, which must be valid.
func Decode(t testing.TB, line string) wire.Frame {
	t.Helper()
	f, err := wire.Decode([]byte(line))
	if err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return f
}

// Encode encodes a frame, which must be valid.
func Encode(t testing.TB, f wire.Frame) string {
	t.Helper()
	line, err := wire.Append(nil, f)
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}
