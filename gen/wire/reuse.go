package wire

import "github.com/ccwire/ccwire/internal/jsontext"

// maxSpares is how many frames a Decoder keeps to use again.
const maxSpares = 512

// spares are frames of a piece of text that nobody uses any more.
type spares struct {
	*Decoder
	list []spare
	room []byte // for the strings of frames to come
}

// A spare is the memory of such a frame.
type spare struct {
	frame *StreamEvent
	event *ContentBlockDeltaEvent
	delta *TextDelta
}

// Reuse gives the Decoder a frame that nobody uses any more, nor anything that it points to: its
// memory is taken for a frame that comes later, and what it points to stays until then. Strings
// that were taken out of it stay valid; those of frames that follow each other share memory, 1 KiB
// at most. Frames with a piece of text, which are most of a stream, are kept, up to a number;
// others are left to the collector.
func (d *Decoder) Reuse(f Frame) {
	if _, ok := f.(*StreamEvent); !ok {
		return
	}
	if d.spare == nil {
		d.spare = (&spares{Decoder: d}).use
	}
	d.spare(nil, f)
}

// use keeps a frame, or without one makes a frame of a line.
func (s *spares) use(line []byte, f Frame) Frame {
	frame, ok := f.(*StreamEvent)
	if !ok {
		return s.read(line)
	}
	event, ok := frame.Event.(*ContentBlockDeltaEvent)
	if !ok {
		return nil
	}
	if delta, ok := event.Delta.(*TextDelta); ok && len(s.list) < maxSpares {
		s.list = append(s.list, spare{frame, event, delta})
	}
	return nil
}

// read returns the frame of a line that fits the mold which is tried first, nil for any other line
// and where no memory is left.
func (s *spares) read(line []byte) Frame {
	ms, o := &s.molds, s.Options
	if len(s.list) == 0 || len(line) < 16 || jsontext.Load8(line, 8) != ms.start || o != nil && (o.Alias || o.MaxDepth > 0 && o.MaxDepth < 3) {
		return nil
	}
	guess := ms.after[ms.last&7]
	m := ms.list[guess&7]
	if m == nil || m.piece != "text" {
		return nil
	}
	end, plain, ok := m.fit(line)
	if !ok {
		return nil
	}
	f := s.refill(m, line[len(m.head):end+1], line[end+len(m.middle):][:uuidSize], plain)
	if f == nil {
		return nil
	}
	ms.after[ms.last&7], ms.last, ms.idle = guess, guess, 0
	return f
}

// refill makes a frame in the memory of the spare that was given last, nil if the piece has a fault
// or does not end where it should. The strings are in new memory: those of the frame before may be
// in use.
func (s *spares) refill(m *mold, piece, uuid []byte, plain bool) *StreamEvent {
	n := len(piece) - 1
	text := s.newText(n + uuidSize)
	if plain {
		text = append(text, piece[:n]...)
	} else {
		var end int
		var fault jsontext.Kind
		if text, end, fault = jsontext.ReadText(text, piece, 0); fault != 0 || end != n {
			return nil
		}
	}
	last := len(s.list) - 1
	b := s.list[last]
	s.list[last] = spare{}
	s.list = s.list[:last]
	*b.frame = StreamEvent{SessionID: m.sessionID, ParentToolUseID: m.parent, Event: b.event}
	*b.event = ContentBlockDeltaEvent{Index: m.index, Delta: b.delta}
	*b.delta = TextDelta{Text: jsontext.Shared(text)}
	if m.hasID {
		id := m.messageID
		b.frame.APIMessageID = &id
	}
	if n > maxTogether {
		b.frame.UUID = string(uuid) // which must not keep a long piece alive
	} else {
		b.frame.UUID = jsontext.Shared(append(text, uuid...)[len(text):])
	}
	return b.frame
}

// newText returns memory for n bytes of strings.
func (s *spares) newText(n int) []byte {
	if n > maxTogether+uuidSize {
		return make([]byte, 0, n)
	}
	if len(s.room) < n {
		s.room = make([]byte, roomSize)
	}
	text := s.room[:0:n]
	s.room = s.room[n:]
	return text
}

// roomSize is how much memory strings of frames share: all of it stays while one of them is used.
const roomSize = 1 << 10

// maxTogether is the longest piece that shares its memory with the uuid of its line.
const maxTogether = 160 - uuidSize
