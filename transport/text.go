package transport

import (
	"strings"

	"github.com/ccwire/ccwire/gen/wire"
)

// blockGap is between texts that the model wrote apart, such as before and after a tool call.
const blockGap = "\n\n"

// TextStream picks the model's text out of messages, for a program that reads [Session.Messages].
// The zero value is ready for use.
//
// With [Options.Stream] the text comes as the model writes it, otherwise by blocks. The text of
// subagents is left out, and so is what the CLI says in place of the model when the API fails,
// which is in the result. Blocks are set apart by an empty line.
type TextStream struct {
	message *string // the id of the API message that is being streamed
	deltas  bool    // text of that message came in deltas
	written bool    // something came before
	inBlock bool    // deltas go on where the last one ended
}

// Next returns the text that a message adds, usually empty.
func (s *TextStream) Next(f wire.Frame) string {
	switch f := f.(type) {
	case *wire.StreamEvent:
		if f.ParentToolUseID.Valid {
			return ""
		}
		return s.event(f.Event)
	case *wire.Assistant:
		if f.ParentToolUseID.Valid || f.Error != nil || f.IsAPIErrorMessage != nil && *f.IsAPIErrorMessage {
			return ""
		}
		if s.deltas && sameID(s.message, f.Message.ID) {
			return "" // it has come in deltas
		}
		var b strings.Builder
		for _, block := range f.Message.Content {
			if text, ok := block.(*wire.TextBlock); ok {
				s.inBlock = false
				b.WriteString(s.add(text.Text))
			}
		}
		s.inBlock = false
		return b.String()
	}
	return ""
}

func (s *TextStream) event(e wire.APIEvent) string {
	switch e := e.(type) {
	case *wire.MessageStartEvent:
		s.message, s.deltas = e.Message.ID, false
	case *wire.ContentBlockStartEvent:
		s.inBlock = false
	case *wire.ContentBlockDeltaEvent:
		if delta, ok := e.Delta.(*wire.TextDelta); ok {
			s.deltas = true
			return s.add(delta.Text)
		}
	}
	return ""
}

// add returns a text, with a gap before it if it begins a block that is not the first.
func (s *TextStream) add(text string) string {
	if text == "" {
		return ""
	}
	if s.written && !s.inBlock {
		text = blockGap + text
	}
	s.written, s.inBlock = true, true
	return text
}

func sameID(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }
