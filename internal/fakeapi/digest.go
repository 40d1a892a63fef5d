package fakeapi

import (
	"crypto/sha256"
	"encoding/json"
)

// digest is the same for a request and for its retry.
type digest [sha256.Size]byte

// sum makes the digest of what the user, the tools and the model said. A retry may come with other
// features, and so with other tools, system messages and reminders, and with its blocks in other
// messages; all that does not count.
func (c *call) sum() digest {
	h := sha256.New()
	out := json.NewEncoder(h) // a hash takes every write
	for _, m := range c.Messages {
		if m.Role == "system" {
			continue
		}
		for _, b := range m.Content {
			text := withoutReminders(b.Text)
			if b.Type == "text" && text == "" {
				continue
			}
			_ = out.Encode([]string{m.Role, b.Type, text, b.ID, b.ToolUseID, b.Content.text})
		}
	}
	return digest(h.Sum(nil))
}
