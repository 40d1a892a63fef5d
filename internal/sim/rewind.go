package sim

import (
	"context"
	"slices"

	"github.com/ccwire/ccwire/internal/object"
)

// mark is a place in the conversation to which it can be taken back: before a message of the user.
type mark struct {
	uuid   string // of the message
	text   string
	at     int    // how many messages there were before it
	before string // the uuid of the assistant's line before it
}

// marked notes that a message of the user comes next.
func (a *agent) marked(p *prompt) {
	if p.uuid != "" {
		a.marks = append(a.marks, mark{p.uuid, p.text(), len(a.messages), a.lastLine})
	}
}

// rewindConversation serves rewind_conversation.
func (s *Session) rewindConversation(_ context.Context, r object.Object) (reply, error) {
	if !s.turnMu.TryLock() {
		return reply{body: object.Of("rewound", false, "prefillText", nil, "precedingAssistantUuid", nil, "error", "a turn is running", "reason", "busy")}, nil
	}
	defer s.turnMu.Unlock()
	target := r.Text("target_message_uuid")
	i := slices.IndexFunc(s.main.marks, func(m mark) bool { return m.uuid == target })
	if i < 0 {
		return reply{body: object.Of("rewound", false, "prefillText", nil, "precedingAssistantUuid", nil, "error", "target not found", "reason", "target_not_found")}, nil
	}
	m := s.main.marks[i]
	s.main.marks = s.main.marks[:i]
	s.main.messages = s.main.messages[:min(m.at, len(s.main.messages))]
	s.main.lastLine = m.before
	return reply{body: object.Of("rewound", true, "targetMessageUuid", target, "prefillText", m.text, "precedingAssistantUuid", object.If(m.before != "", m.before))}, nil
}
