package fakeapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// call is what the server reads of a request's body. Everything else in it is ignored.
type call struct {
	Model     string        `json:"model"`
	Stream    bool          `json:"stream"`
	MaxTokens int           `json:"max_tokens"`
	System    callResults   `json:"system"`
	Messages  []callMessage `json:"messages"`
	Tools     []callTool    `json:"tools"`
	// ContextManagement is what the API may forget of a conversation; of no use for one question.
	ContextManagement json.RawMessage `json:"context_management"`

	uses   map[string]callToolUse // by id
	digest digest
}

// callToolUse is a tool use of the conversation.
type callToolUse struct {
	name  string
	input json.RawMessage
}

type callMessage struct {
	Role    string      `json:"role"`
	Content callContent `json:"content"`
}

// callTool is a tool's type: a tool that the client runs has none, or "custom".
type callTool struct {
	Type string `json:"type"`
}

// callContent is a list of blocks; a plain string is read as one text block.
type callContent []callBlock

type callBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	IsError   bool            `json:"is_error"`
	Content   callResults     `json:"content"`
}

// callResults is the content of a tool result. Other blocks have other things in a member of that
// name, so what is neither a string nor a list of blocks reads as empty.
type callResults struct{ text string }

// parseCall reads the body of a messages request (or of count_tokens, which has no max_tokens). An
// error says what is wrong in words for the client.
func parseCall(body []byte, counting bool) (*call, error) {
	c := call{uses: make(map[string]callToolUse)}
	if err := json.Unmarshal(body, &c); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("the request body is not valid JSON: %w", err)
		}
		return nil, fmt.Errorf("the request body does not fit: %w", err)
	}
	switch {
	case c.Model == "":
		return nil, errors.New("model: field required")
	case c.MaxTokens < 1 && !counting:
		return nil, errors.New("max_tokens: a number of at least 1 is required")
	case len(c.Messages) == 0:
		return nil, errors.New("messages: at least one message is required")
	}
	for i, m := range c.Messages {
		switch m.Role {
		case "user", "assistant", "system":
		default:
			return nil, fmt.Errorf("messages.%d.role: unexpected value %q", i, m.Role)
		}
		for _, b := range m.Content {
			if b.Type == "tool_use" {
				c.uses[b.ID] = callToolUse{b.Name, b.Input}
			}
		}
	}
	c.digest = c.sum()
	return &c, nil
}

func (c *callContent) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		*c = callContent{{Type: "text", Text: s}}
		return nil
	}
	if bytes.Equal(data, []byte("null")) {
		return errors.New("messages.content: a string or a list is required")
	}
	return json.Unmarshal(data, (*[]callBlock)(c))
}

func (r *callResults) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &r.text) == nil {
		return nil
	}
	var blocks []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(data, &blocks) != nil {
		return nil
	}
	var parts []string
	for _, b := range blocks {
		if b.Type == "text" {
			parts = append(parts, b.Text)
		}
	}
	r.text = strings.Join(parts, "\n")
	return nil
}

// lastUser returns the content of the last user message; system messages may follow it.
func (c *call) lastUser() callContent {
	for i := len(c.Messages) - 1; i >= 0; i-- {
		if c.Messages[i].Role == "user" {
			return c.Messages[i].Content
		}
	}
	return nil
}

// firstUser returns the content of the first user message.
func (c *call) firstUser() callContent {
	for _, m := range c.Messages {
		if m.Role == "user" {
			return m.Content
		}
	}
	return nil
}

// clientTools counts the tools that the client itself would run.
func (c *call) clientTools() int {
	n := 0
	for _, t := range c.Tools {
		if t.Type == "" || t.Type == "custom" {
			n++
		}
	}
	return n
}
