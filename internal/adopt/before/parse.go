package before

import (
	"encoding/json"
	"errors"
	"fmt"
)

//doc:parse

// ParseMessage reads a line.
func ParseMessage(line []byte) (Message, error) {
	var data map[string]any
	if err := json.Unmarshal(line, &data); err != nil {
		return nil, &ParseError{line, err}
	}
	msg, err := parseMessage(data)
	if err != nil {
		return nil, &ParseError{line, err}
	}
	return msg, nil
}

func parseMessage(data map[string]any) (Message, error) {
	kind, ok := data["type"].(string)
	if !ok {
		return nil, errors.New("missing type field")
	}
	switch kind {
	case "user":
		return parseUser(data)
	case "assistant":
		return parseAssistant(data)
	case "system":
		return parseSystem(data)
	case "result":
		return parseResult(data)
	case "stream_event":
		return parseStreamEvent(data)
	}
	return nil, fmt.Errorf("unknown message type: %s", kind)
}

//doc:end

func parseUser(data map[string]any) (Message, error) {
	message, ok := data["message"].(map[string]any)
	if !ok {
		return nil, errors.New("user message: missing message field")
	}
	msg := &UserMessage{UUID: optional(data, "uuid"), ParentToolUseID: optional(data, "parent_tool_use_id")}
	msg.ToolUseResult, _ = data["tool_use_result"].(map[string]any)
	switch content := message["content"].(type) {
	case string:
		msg.Content = content
	case []any:
		blocks, err := parseBlocks(content)
		if err != nil {
			return nil, fmt.Errorf("user message: %w", err)
		}
		msg.Content = blocks
	default:
		return nil, errors.New("user message: missing content field")
	}
	return msg, nil
}

func parseAssistant(data map[string]any) (Message, error) {
	message, ok := data["message"].(map[string]any)
	if !ok {
		return nil, errors.New("assistant message: missing message field")
	}
	content, ok := message["content"].([]any)
	if !ok {
		return nil, errors.New("assistant message: missing content field")
	}
	model, ok := message["model"].(string)
	if !ok {
		return nil, errors.New("assistant message: missing model field")
	}
	blocks, err := parseBlocks(content)
	if err != nil {
		return nil, fmt.Errorf("assistant message: %w", err)
	}
	return &AssistantMessage{
		Content:         blocks,
		Model:           model,
		ParentToolUseID: optional(data, "parent_tool_use_id"),
		Error:           optional(message, "error"),
	}, nil
}

func parseSystem(data map[string]any) (Message, error) {
	subtype, ok := data["subtype"].(string)
	if !ok {
		return nil, errors.New("system message: missing subtype field")
	}
	return &SystemMessage{Subtype: subtype, Data: data}, nil
}

//doc:result

func parseResult(data map[string]any) (Message, error) {
	msg := &ResultMessage{Result: optional(data, "result"), StructuredOutput: data["structured_output"]}
	var ok bool
	if msg.Subtype, ok = data["subtype"].(string); !ok {
		return nil, errors.New("result message: missing subtype field")
	}
	if msg.IsError, ok = data["is_error"].(bool); !ok {
		return nil, errors.New("result message: missing is_error field")
	}
	if msg.SessionID, ok = data["session_id"].(string); !ok {
		return nil, errors.New("result message: missing session_id field")
	}
	for _, member := range []struct {
		name string
		to   *int
	}{{"duration_ms", &msg.DurationMS}, {"duration_api_ms", &msg.DurationAPIMS}, {"num_turns", &msg.NumTurns}} {
		number, ok := data[member.name].(float64)
		if !ok {
			return nil, fmt.Errorf("result message: missing %s field", member.name)
		}
		*member.to = int(number)
	}
	if cost, ok := data["total_cost_usd"].(float64); ok {
		msg.TotalCostUSD = &cost
	}
	msg.Usage, _ = data["usage"].(map[string]any)
	return msg, nil
}

//doc:end

func parseStreamEvent(data map[string]any) (Message, error) {
	msg := &StreamEvent{ParentToolUseID: optional(data, "parent_tool_use_id")}
	var ok bool
	if msg.UUID, ok = data["uuid"].(string); !ok {
		return nil, errors.New("stream event: missing uuid field")
	}
	if msg.SessionID, ok = data["session_id"].(string); !ok {
		return nil, errors.New("stream event: missing session_id field")
	}
	if msg.Event, ok = data["event"].(map[string]any); !ok {
		return nil, errors.New("stream event: missing event field")
	}
	return msg, nil
}

func parseBlocks(list []any) ([]ContentBlock, error) {
	blocks := make([]ContentBlock, len(list))
	for i, item := range list {
		data, ok := item.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("content block %d is not an object", i)
		}
		block, err := parseBlock(data)
		if err != nil {
			return nil, fmt.Errorf("content block %d: %w", i, err)
		}
		blocks[i] = block
	}
	return blocks, nil
}

//doc:block

func parseBlock(data map[string]any) (ContentBlock, error) {
	kind, _ := data["type"].(string)
	switch kind {
	case "text":
		text, ok := data["text"].(string)
		if !ok {
			return nil, errors.New("missing text field")
		}
		return &TextBlock{text}, nil
	case "thinking":
		thinking, ok := data["thinking"].(string)
		if !ok {
			return nil, errors.New("missing thinking field")
		}
		signature, _ := data["signature"].(string)
		return &ThinkingBlock{thinking, signature}, nil
	case "tool_use":
		id, _ := data["id"].(string)
		name, _ := data["name"].(string)
		if id == "" || name == "" {
			return nil, errors.New("missing id or name field")
		}
		input, _ := data["input"].(map[string]any)
		return &ToolUseBlock{id, name, input}, nil
	case "tool_result":
		id, ok := data["tool_use_id"].(string)
		if !ok {
			return nil, errors.New("missing tool_use_id field")
		}
		block := &ToolResultBlock{ToolUseID: id, Content: data["content"]}
		if failed, ok := data["is_error"].(bool); ok {
			block.IsError = &failed
		}
		return block, nil
	}
	return nil, fmt.Errorf("unknown content block type: %s", kind)
}

//doc:end

// optional returns a string member, nil if there is none.
func optional(data map[string]any, name string) *string {
	if s, ok := data[name].(string); ok {
		return &s
	}
	return nil
}
