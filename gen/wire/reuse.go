package wire

import "github.com/ccwire/ccwire/internal/jsontext"

// maxSpares is how many frames a Decoder keeps to use again.
const maxSpares = 512

// A spare is the memory of a frame with a piece of text that nobody uses any more.
type spare struct {
	frame *StreamEvent
	event *ContentBlockDeltaEvent
	delta *TextDelta
}

// Reuse gives the Decoder a frame that nobody uses any more, nor anything that it points to: its
// memory is taken for a frame that comes later, and what it points to stays until then. Strings
// that were taken out of it stay valid. Frames with a piece of text, which are most of a stream,
// are kept, up to a number; others are left to the collector.
func (d *Decoder) Reuse(f Frame) {
	frame, ok := f.(*StreamEvent)
	if !ok || len(d.molds.spares) == maxSpares {
		return
	}
	event, ok := frame.Event.(*ContentBlockDeltaEvent)
	if !ok {
		return
	}
	if delta, ok := event.Delta.(*TextDelta); ok {
		d.molds.spares = append(d.molds.spares, spare{frame, event, delta})
	}
}

// takeSpare returns the spare that was given last, if there is one.
func (ms *molds) takeSpare() (spare, bool) {
	i := len(ms.spares) - 1
	if i < 0 {
		return spare{}, false
	}
	s := ms.spares[i]
	ms.spares[i] = spare{}
	ms.spares = ms.spares[:i]
	return s, true
}

// refill is frameOf in the memory of a spare. The strings are in memory of their own: those of the
// frame before may be in use.
func (m *mold) refill(s spare, piece, uuid []byte, plain bool) Frame {
	n := len(piece) - 1
	text := make([]byte, 0, n+uuidSize)
	if plain {
		text = append(text, piece[:n]...)
	} else {
		var end int
		var fault jsontext.Kind
		if text, end, fault = jsontext.ReadText(text, piece, 0); fault != 0 || end != n {
			return nil
		}
	}
	*s.frame = StreamEvent{SessionID: m.sessionID, ParentToolUseID: m.parent, Event: s.event}
	*s.event = ContentBlockDeltaEvent{Index: m.index, Delta: s.delta}
	*s.delta = TextDelta{Text: jsontext.Shared(text)}
	if m.hasID {
		id := m.messageID
		s.frame.APIMessageID = &id
	}
	if n > maxTogether {
		s.frame.UUID = string(uuid) // which must not keep a long piece alive
	} else {
		s.frame.UUID = jsontext.Shared(append(text, uuid...)[len(text):])
	}
	return s.frame
}

// maxTogether is the longest piece that shares its memory with the uuid of its line.
const maxTogether = 160 - uuidSize
