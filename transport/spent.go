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
	mu     sync.Mutex // guards the field below
	frames []wire.Frame
}

// add takes a message that nobody uses any more. It is kept if it carries a piece of text, without
// what it holds.
func (s *spent) add(f wire.Frame) {
	frame, ok := f.(*wire.StreamEvent)
	if !ok {
		return
	}
	event, ok := frame.Event.(*wire.ContentBlockDeltaEvent)
	if !ok {
		return
	}
	delta, ok := event.Delta.(*wire.TextDelta)
	if !ok {
		return
	}
	*delta = wire.TextDelta{}
	*event = wire.ContentBlockDeltaEvent{Delta: delta}
	*frame = wire.StreamEvent{Event: event}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.frames) < maxSpent {
		s.frames = append(s.frames, f)
	}
}

// reuse gives the messages to a decoder.
func (s *spent) reuse(d *wire.Decoder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.frames {
		d.Reuse(f)
	}
	clear(s.frames)
	s.frames = s.frames[:0]
}
