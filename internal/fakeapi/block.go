package fakeapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
)

// Block is a content block: the members of its JSON object. It is sent as it is, so it can be of
// any type, also one that this package has never heard of.
type Block map[string]json.RawMessage

// Text is a text block.
func Text(text string) Block {
	return Block{"type": quote("text"), "text": quote(text)}
}

// Thinking is a thinking block with its signature.
func Thinking(thinking, signature string) Block {
	return Block{"type": quote("thinking"), "thinking": quote(thinking), "signature": quote(signature)}
}

// ToolUse is a tool_use block; input is its JSON object. The server gives it an id.
func ToolUse(name, input string) Block {
	return Block{"type": quote("tool_use"), "name": quote(name), "input": json.RawMessage(input)}
}

// str returns the member as a string, "" if it is absent or no string.
func (b Block) str(member string) string {
	var s string
	if json.Unmarshal(b[member], &s) != nil {
		return ""
	}
	return s
}

func (b Block) validate() error {
	if b.str("type") == "" {
		return errors.New("has no type")
	}
	for _, member := range []string{"text", "thinking", "signature", "id"} {
		if raw, ok := b[member]; ok {
			var s string
			if err := json.Unmarshal(raw, &s); err != nil {
				return fmt.Errorf("%s: %w", member, err)
			}
		}
	}
	if raw, ok := b["citations"]; ok && b.str("type") == "text" {
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			return fmt.Errorf("citations: %w", err)
		}
	}
	for member, raw := range b {
		if !json.Valid(raw) {
			return fmt.Errorf("%s is not JSON", member)
		}
	}
	if b.hasInput() {
		var o map[string]json.RawMessage
		if err := json.Unmarshal(b["input"], &o); err != nil || o == nil {
			return fmt.Errorf("input of %s is not a JSON object", b.str("type"))
		}
	}
	return nil
}

// hasInput reports whether the block's input is streamed as JSON text.
func (b Block) hasInput() bool {
	switch b.str("type") {
	case "tool_use", "server_tool_use", "mcp_tool_use":
		return true
	}
	return false
}

// withID returns the block with the id of its place in the script, if it is of a type that needs
// one and has none.
func (b Block) withID(key string, index int) Block {
	if !b.hasInput() || b.str("id") != "" {
		return b
	}
	prefix := map[string]string{"server_tool_use": "srvtoolu", "mcp_tool_use": "mcptoolu"}[b.str("type")]
	if prefix == "" {
		prefix = "toolu"
	}
	return b.with("id", quote(fmt.Sprintf("%s_%s_%d", prefix, key, index)))
}

func (b Block) with(member string, value json.RawMessage) Block {
	c := maps.Clone(b)
	c[member] = value
	return c
}

// quote returns s as a JSON string.
func quote(s string) json.RawMessage {
	data, _ := json.Marshal(s) // a string always marshals
	return data
}
