package fakeapi

import (
	"encoding/json"
	"maps"
)

// Message is an assistant message as the API sends it.
type Message struct {
	ID           string  `json:"id"`
	Type         string  `json:"type"`
	Role         string  `json:"role"`
	Model        string  `json:"model"`
	Content      []Block `json:"content"`
	StopReason   *string `json:"stop_reason"`
	StopSequence *string `json:"stop_sequence"`
	Usage        Usage   `json:"usage"`
}

// newMessage returns the message of a turn. key stands for the turn in all ids.
func newMessage(t *Turn, key, model string) Message {
	m := Message{
		ID: "msg_" + key, Type: "message", Role: "assistant", Model: model, Content: []Block{},
		Usage: Usage{
			"input_tokens":                json.RawMessage("10"),
			"cache_creation_input_tokens": json.RawMessage("0"),
			"cache_read_input_tokens":     json.RawMessage("0"),
			"output_tokens":               json.RawMessage("5"),
			"service_tier":                quote("standard"),
		},
	}
	if t.Model != "" {
		m.Model = t.Model
	}
	if t.Text != "" {
		m.Content = append(m.Content, Text(t.Text))
	}
	reason := t.DefaultStopReason()
	for i, b := range t.Content {
		m.Content = append(m.Content, b.withID(key, i))
	}
	if t.StopReason != "" {
		reason = t.StopReason
	}
	m.StopReason = &reason
	if t.StopSequence != "" {
		m.StopSequence = &t.StopSequence
	}
	maps.Copy(m.Usage, t.Usage)
	return m
}

// DefaultStopReason is the stop reason of a turn that says none.
func (t *Turn) DefaultStopReason() string {
	for _, b := range t.Content {
		if b.str("type") == "tool_use" {
			return "tool_use"
		}
	}
	return "end_turn"
}

// prompts returns the prompts with which the message starts subagents.
func (m Message) prompts() []string {
	var list []string
	for _, b := range m.Content {
		if b.str("type") != "tool_use" || (b.str("name") != "Agent" && b.str("name") != "Task") {
			continue
		}
		var input struct {
			Prompt string `json:"prompt"`
		}
		if json.Unmarshal(b["input"], &input) == nil && input.Prompt != "" {
			list = append(list, input.Prompt)
		}
	}
	return list
}
