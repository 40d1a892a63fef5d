package sim

import (
	"slices"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
)

// prompt is a message that waits for its turn.
type prompt struct {
	content any           // a text, a list of blocks, or nil
	uuid    string        // that the SDK gave it; "" for none
	line    object.Object // as the SDK wrote it; nil if it is the CLI's own
	origin  object.Object // what has caused a message of the CLI itself
}

// blocks returns the content as a list of blocks.
func (p *prompt) blocks() []any {
	switch c := p.content.(type) {
	case string:
		return []any{object.Of("type", "text", "text", c)}
	case []any:
		return c
	}
	return []any{object.Of("type", "text", "text", "")}
}

// text returns the text of the content, with a line for each block of text.
func (p *prompt) text() string {
	if s, ok := p.content.(string); ok {
		return s
	}
	return textOf(p.blocks())
}

// textOf joins the texts of blocks.
func textOf(blocks []any) (text string) {
	for _, b := range blocks {
		if o, ok := b.(object.Object); ok && o.Text("type") == "text" {
			if text != "" {
				text += "\n"
			}
			text += o.Text("text")
		}
	}
	return text
}

// enqueue takes a message of the user.
func (s *Session) enqueue(p *prompt) {
	s.mu.Lock()
	if p.uuid != "" {
		if s.seenUUIDs[p.uuid] {
			s.mu.Unlock()
			if s.flags.Has("replay-user-messages") {
				s.replay(p, false)
			}
			return
		}
		s.seenUUIDs[p.uuid] = true
	}
	s.mu.Unlock()
	s.lifecycle(p, "queued")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, p)
	s.wakeLocked()
}

// lifecycle tells what becomes of a message that has an id.
func (s *Session) lifecycle(p *prompt, state string) {
	if p.uuid != "" {
		s.out.Tell("type", "command_lifecycle", "command_uuid", p.uuid, "state", state)
	}
}

// replay repeats a message of the user.
func (s *Session) replay(p *prompt, first bool) {
	id := p.uuid
	if id == "" {
		id = ids.UUID()
	}
	message := any(object.Of("role", "user", "content", p.content))
	if p.line != nil {
		message = p.line.Get("message")
	}
	s.out.Line(object.Of("type", "user", "message", message, "session_id", s.out.ID(), "parent_tool_use_id", nil,
		"uuid", id, "timestamp", object.If(first, ids.Now()), "isReplay", true, "origin", object.If(p.origin != nil, p.origin)))
}

// takeQueue removes all messages that wait.
func (s *Session) takeQueue() []*prompt {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.queue
	s.queue = nil
	return list
}

// cancelQueued removes the messages with these ids, all that have one if it is nil, and returns
// the ids.
func (s *Session) cancelQueued(only []string) []string {
	cancelled := []string{}
	s.mu.Lock()
	s.queue = slices.DeleteFunc(s.queue, func(p *prompt) bool {
		gone := p.uuid != "" && (only == nil || slices.Contains(only, p.uuid))
		if gone {
			cancelled = append(cancelled, p.uuid)
		}
		return gone
	})
	s.mu.Unlock()
	return cancelled
}

// queuedUUIDs are the ids of the messages that wait.
func (s *Session) queuedUUIDs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []string{}
	for _, p := range s.queue {
		if p.uuid != "" {
			list = append(list, p.uuid)
		}
	}
	return list
}

// play plays a turn for the messages that wait, until the input has ended and nothing is left to
// do.
func (s *Session) play() {
	for !s.life.Over() {
		if list := s.takeQueue(); len(list) > 0 {
			s.playTurn(list)
			continue
		}
		s.mu.Lock()
		done := s.inputDone && len(s.queue) == 0
		code := 0
		if s.lastError {
			code = 1
		}
		s.mu.Unlock()
		if done && s.tasks.idle() {
			s.life.End(code)
			return
		}
		select {
		case <-s.wake:
		case <-s.tasks.changed():
		case <-s.life.Context().Done():
		}
	}
}
