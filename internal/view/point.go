package view

import (
	"encoding/json"
	"fmt"
	"strings"
)

// inputPoints are the members of a tool's input that say what it is to do, the most telling first.
var inputPoints = []string{
	"command", "file_path", "notebook_path", "pattern", "path", "url", "query", "skill", "subagent_type", "description", "prompt",
	"plan", "task_id", "bash_id", "shell_id", "server", "question", "content", "message",
}

// linePoints are the members of a line that say what it is about, the most telling first.
var linePoints = []string{
	"status", "state", "permissionMode", "hook_event", "hook_name", "tool_name", "model", "description", "summary", "message", "reason",
	"outcome", "error", "name", "content", "text", "title", "operation", "trigger", "method", "output",
}

// requestPoints are those of a control request.
var requestPoints = []string{
	"mode", "model", "server_name", "serverName", "max_thinking_tokens", "user_message_id", "task_id", "message", "path", "name", "query", "setting",
}

// strs returns the texts, numbers and truths that an object has at some names, with a limit.
func strs(object json.RawMessage, names []string, most int) (list []string) {
	if len(object) == 0 || object[0] != '{' {
		return nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return nil
	}
	for _, name := range names {
		raw := members[name]
		if len(raw) == 0 || len(list) >= most {
			continue
		}
		var text string
		switch {
		case raw[0] == '"':
			_ = json.Unmarshal(raw, &text)
		case raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9':
			text = string(raw)
		}
		if text != "" {
			list = append(list, cut(text, briefly))
		}
	}
	return list
}

// toolPoint says what a tool is to do: its name and the most telling member of its input.
func toolPoint(name string, input json.RawMessage) string {
	if point := strs(input, inputPoints, 1); len(point) > 0 {
		return name + ": " + point[0]
	}
	return name
}

// joined joins words that are there.
func joined(separator string, words ...string) string {
	var list []string
	for _, w := range words {
		if w != "" {
			list = append(list, w)
		}
	}
	return strings.Join(list, separator)
}

// asks says what a control request wants.
func (k *kindOf) asks() string {
	r := &k.Request
	var input struct {
		Event string          `json:"hook_event_name"`
		Tool  string          `json:"tool_name"`
		Input json.RawMessage `json:"tool_input"`
	}
	_ = json.Unmarshal(r.Input, &input)
	switch r.Subtype {
	case "can_use_tool":
		return toolPoint(r.ToolName, r.Input)
	case "hook_callback":
		about := ""
		if input.Tool != "" {
			about = toolPoint(input.Tool, input.Input)
		}
		if about == "" {
			about = joined(" · ", strs(r.Input, []string{"prompt", "message", "source", "reason", "trigger", "agent_type"}, 1)...)
		}
		return joined(" · ", input.Event, about)
	case "mcp_message":
		return joined(" · ", r.Server, r.Message.Method, joined(" ", strs(r.Message.Params, []string{"name", "uri"}, 1)...))
	case "initialize":
		var hooks map[string]json.RawMessage
		if json.Unmarshal(r.Hooks, &hooks) == nil && len(hooks) > 0 {
			return fmt.Sprintf("hooks for %d events", len(hooks))
		}
		return ""
	}
	return joined(" · ", strs(k.whole("request"), requestPoints, 3)...)
}

// whole returns the member of the line at a name.
func (k *kindOf) whole(name string) json.RawMessage {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(k.text, &members)
	return members[name]
}

// streams says what an event of the API has.
func (k *kindOf) streams() string {
	e := &k.Event
	switch e.Type {
	case "content_block_delta":
		return e.Delta.Text + e.Delta.Thinking + e.Delta.PartialJSON
	case "message_start":
		return e.Message.Model
	case "message_delta":
		return e.Delta.StopReason
	case "content_block_start":
		return joined(" ", e.Block.Type, e.Block.Name)
	}
	return ""
}

// tells says what any other line is about.
func (k *kindOf) tells() string {
	switch k.name() {
	case "system/init":
		return joined(" · ", k.Model, k.PermissionMode, k.Version)
	case "rate_limit_event":
		return joined(" · ", strs(k.whole("rate_limit_info"), []string{"status", "rateLimitType"}, 2)...)
	case "attachment/file":
		return joined(" ", strs(k.whole("attachment"), []string{"filename", "path"}, 1)...)
	}
	if k.Type == "attachment" {
		return joined(" · ", strs(k.whole("attachment"), append([]string{"hookEvent", "toolName", "text"}, linePoints...), 2)...)
	}
	return joined(" · ", strs(k.text, linePoints, 2)...)
}

// ends says how a turn ended.
func (k *kindOf) ends() string {
	text := k.Result
	if text == "" && len(k.Errors) > 0 {
		text = k.Errors[0]
	}
	if reason := strings.TrimPrefix(k.TerminalReason, "completed"); reason != "" {
		text = joined(" · ", reason, text)
	}
	return text
}

// answer says what an answer has: the decision, the reason, the mode.
func (k *kindOf) answered() string {
	body := k.Response.Response
	list := strs(body, []string{"behavior", "decision", "permissionDecision", "action", "mode", "message", "reason", "stopReason", "systemMessage"}, 3)
	var out struct {
		Specific json.RawMessage `json:"hookSpecificOutput"`
		Updated  json.RawMessage `json:"updatedInput"`
		MCP      struct {
			Error json.RawMessage `json:"error"`
		} `json:"mcp_response"`
	}
	if len(body) > 0 && body[0] == '{' {
		_ = json.Unmarshal(body, &out)
	}
	list = append(list, strs(out.Specific, []string{"permissionDecision", "permissionDecisionReason", "additionalContext", "decision"}, 2)...)
	list = append(list, strs(out.MCP.Error, []string{"message"}, 1)...)
	if len(list) == 1 { // what a tool may do instead
		list = append(list, strs(out.Updated, inputPoints, 1)...)
	}
	return joined(" · ", list...)
}
