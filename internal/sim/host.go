package sim

import (
	"slices"

	"github.com/ccwire/ccwire/internal/object"
)

// hostState is what the SDK has told the session about itself. The session's lock guards it.
type hostState struct {
	initialized  bool // once, at least
	title        string
	systemPrompt string        // in place of the CLI's own
	appended     string        // to the system prompt
	subagents    string        // appended to the system prompts of subagents
	jsonSchema   object.Object // of the model's answer; nil for none
	proactivity  bool
	suggestions  bool     // the SDK wants to be told what the user may say next
	perTaskStop  bool     // background tasks survive an interrupt
	clients      []client // of the user interface
	overrides    map[string]any
	claimed      bool
}

// client is a user interface that has attached itself.
type client struct{ id, surface string }

// override keeps a permission mode for a server, nil for none.
func (h *hostState) override(server string, mode any) {
	if h.overrides == nil {
		h.overrides = map[string]any{}
	}
	h.overrides[server] = mode
}

// surfaces are the places where clients draw.
func (h *hostState) surfaces() []any {
	list := []any{}
	for _, c := range h.clients {
		if !slices.Contains(list, any(c.surface)) {
			list = append(list, c.surface)
		}
	}
	return list
}

// texts returns the elements of a list that are texts.
func texts(list []any) (out []string) {
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
