package fakeapi

import "encoding/json"

// asked is an [Ask] as the body of a request to the API has it.
type asked struct {
	Model    string         `json:"model"`
	Agent    string         `json:"agent,omitempty"` // a header has it
	System   string         `json:"system,omitempty"`
	Before   int            `json:"messages_before,omitempty"`
	Messages []askedMessage `json:"messages"`
	Stream   bool           `json:"stream"`
}

type askedMessage struct {
	Role    string       `json:"role"`
	Content []askedBlock `json:"content"`
}

type askedBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   string          `json:"content,omitempty"`
	IsError   bool            `json:"is_error,omitempty"`
}

// JSON returns the request as the API gets it, as far as the Ask has it. Of a conversation over a
// number of bytes the oldest messages are left out: messages_before says how many.
func (q *Ask) JSON(most int) []byte {
	a := asked{Model: q.Model, Agent: q.Agent, System: q.System, Stream: !q.Plain, Messages: []askedMessage{}}
	first, size := len(q.Messages), 0
	for first > 0 {
		size += q.Messages[first-1].size()
		if size > most && first < len(q.Messages) {
			break
		}
		first--
	}
	a.Before = first
	for _, m := range q.Messages[first:] {
		if len(m.Content) == 0 {
			continue
		}
		message := askedMessage{Role: m.Role}
		for _, b := range m.Content {
			block := askedBlock{Type: b.Type, Text: b.Text, ID: b.ID, Name: b.Name, Input: b.Input, ToolUseID: b.ToolUseID, IsError: b.IsError}
			if b.Type == "tool_result" {
				block.Text, block.Content = "", b.Text
			}
			message.Content = append(message.Content, block)
		}
		a.Messages = append(a.Messages, message)
	}
	data, _ := json.Marshal(a) // made of texts
	return data
}

func (m *AskMessage) size() (n int) {
	for _, b := range m.Content {
		n += len(b.Text)
	}
	return n
}
