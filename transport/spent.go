package transport

import (
	"sync"

	"github.com/ccwire/ccwire/gen/wire"
)

// maxSpent is how many messages wait to be used again.
const maxSpent = 512

// spent holds messages whose consumer is done with them and has kept nothing of them but strings.
// The reader makes messages to come of their memory, so that a long reply does not keep the
// collector busy.
type spent struct {
	taken []wire.Frame // empty memory for frames; the reader's

	mu     sync.Mutex // guards the field below
	frames []wire.Frame
}

// add takes short pieces of text that nobody uses any more, up to a number: those that wait hold
// what they point to.
func (s *spent) add(frames []wire.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frames = append(s.frames, frames[:min(len(frames), maxSpent-len(s.frames))]...)
}

// maxShortText is the longest text of a message that waits to be used again.
const maxShortText = 256

// isShortText reports whether a message has a short piece of text and nothing that may be long.
func isShortText(f wire.Frame) bool {
	frame, ok := f.(*wire.StreamEvent)
	if !ok || frame.Extra != nil || frame.UserMessageUUIDs != nil || frame.OwedRows != nil {
		return false
	}
	event, ok := frame.Event.(*wire.ContentBlockDeltaEvent)
	if !ok || event.Extra != nil {
		return false
	}
	delta, ok := event.Delta.(*wire.TextDelta)
	return ok && delta.Extra == nil && len(delta.Text) <= maxShortText
}

// reuse gives the messages to the reader's decoder.
func (s *spent) reuse(d *wire.Decoder) {
	s.mu.Lock()
	frames := s.frames
	s.frames = s.taken
	s.mu.Unlock()
	for _, f := range frames {
		d.Reuse(f)
	}
	clear(frames)
	s.taken = frames[:0]
}
