package wire

import (
	"strings"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire/internal/run"
	"github.com/ccwire/ccwire/internal/jsontext"
)

// Most lines of a stream are pieces of a reply: text, thinking, the input of a tool. Two that
// follow each other differ in that piece and in their uuid, and in nothing else. A mold remembers
// the rest of such a line, as bytes and as values: the next line is compared with it instead of
// being read.
//
// A line that fits is what the general reader would make of it, since it has the same bytes but for
// two strings that end where the mold says; a line that does not is read by the general reader.

// molds are those of the last few kinds of lines: blocks of one message, subagents, other sessions.
type molds struct {
	list   [8]*mold
	start  uint64   // bytes 8 to 15 of the lines they are of, which tells most others apart
	last   uint8    // the one that fitted last
	after  [8]uint8 // for each, the one that fitted after it
	victim uint8    // the one to replace next
	idle   int      // lines that could have fitted since one did
}

// A mold is what a line has in common with those that follow it.
type mold struct {
	head, middle, tail []byte // around the piece, and the uuid after it
	probe              uint64 // the last bytes of head, which few other lines have there

	sessionID string
	parent    codec.Nullable[string]
	messageID string // of the API, if hasID
	hasID     bool
	index     int64
	piece     string                // name of the member that carries it
	tokens    codec.Nullable[int64] // of thinking
	display   StreamEventThinkingDisplay
}

// read returns the frame of a line that fits a mold, nil for any other line. Sessions that
// alternate do so for a while: the mold to try first is the one that came after the last.
func (ms *molds) read(line []byte, o *Options) Frame {
	if len(line) < 16 || jsontext.Load8(line, 8) != ms.start || o != nil && o.MaxDepth > 0 && o.MaxDepth < 3 {
		return nil
	}
	guess := ms.after[ms.last&7]
	if m := ms.list[guess&7]; m != nil {
		if end, plain, ok := m.fit(line); ok {
			return ms.took(guess, line, end, plain, o)
		}
	}
	for i, m := range ms.list[:] {
		if m == nil || i == int(guess) {
			continue
		}
		if end, plain, ok := m.fit(line); ok {
			return ms.took(uint8(i), line, end, plain, o)
		}
	}
	return nil
}

// took returns the frame of a line that fits a mold.
func (ms *molds) took(i uint8, line []byte, end int, plain bool, o *Options) Frame {
	f := ms.list[i&7].frameOf(line, end, plain, o != nil && o.Alias)
	if f != nil {
		ms.after[ms.last&7], ms.last = i, i
		ms.idle = 0
	}
	return f
}

const uuidSize = 36

// fit reports whether a line is like the one remembered, but for its piece. It returns the end of
// that, and whether it has no escapes and no fault. The length of the line tells where the piece
// and the uuid are, so that nothing is searched for.
func (m *mold) fit(line []byte) (end int, plain, ok bool) {
	from := len(m.head)
	to := len(line) - len(m.tail) - uuidSize - len(m.middle)
	if to < from || jsontext.Load8(line, from-8) != m.probe {
		return 0, false, false
	}
	at := to + len(m.middle)
	if string(line[to:at]) != string(m.middle) || string(line[:from]) != string(m.head) || string(line[at+uuidSize:]) != string(m.tail) {
		return 0, false, false
	}
	// The uuid has no escapes.
	if special(line, at)|special(line, at+8)|special(line, at+16)|special(line, at+24)|special(line, at+uuidSize-8) != 0 {
		return 0, false, false
	}
	// Up to 32 bytes are checked without a loop, some of them twice.
	if n := to - from; n >= 8 && n <= 32 {
		last := to - 8
		if special(line, from)|special(line, min(from+8, last))|special(line, min(from+16, last))|special(line, last) == 0 {
			return to, true, true
		}
	}
	end, fault := jsontext.PlainEnd(line, from)
	if fault != 0 || end > to || end < to && line[end] == '"' {
		return 0, false, false
	}
	return to, end == to, true
}

func special(b []byte, i int) uint64 { return jsontext.Special(jsontext.Load8(b, i)) }

// frameOf returns the frame of a line that fits, nil if its piece does not end where it should or
// has a fault.
func (m *mold) frameOf(line []byte, end int, plain, alias bool) Frame {
	piece, uuid := line[len(m.head):end+1], line[end+len(m.middle):][:uuidSize]
	switch m.piece {
	case "text":
		b, text, ok := pour[TextDelta](m, piece, uuid, plain, alias)
		if !ok {
			return nil
		}
		b.delta.Text, b.event.Delta = text, &b.delta
		return &b.frame
	case "thinking":
		b, text, ok := pour[shownThinking](m, piece, uuid, plain, alias)
		if !ok {
			return nil
		}
		b.delta.Thinking, b.delta.EstimatedTokens, b.event.Delta = text, m.tokens, &b.delta.ThinkingDelta
		if m.display != "" {
			b.delta.display = m.display
			b.frame.ThinkingDisplay = &b.delta.display
		}
		return &b.frame
	default:
		b, text, ok := pour[InputJSONDelta](m, piece, uuid, plain, alias)
		if !ok {
			return nil
		}
		b.delta.PartialJSON, b.event.Delta = text, &b.delta
		return &b.frame
	}
}

// A pieceOf is the memory of a line that carries a piece, with a delta of type D.
type pieceOf[D any] struct {
	frame StreamEvent
	event ContentBlockDeltaEvent
	delta D
	slots [1]string
}

// shownThinking is thinking, and the member of its line that says how to show it.
type shownThinking struct {
	ThinkingDelta
	display StreamEventThinkingDisplay
}

// newPiece sets memory aside for a line and n bytes of its strings, in one allocation unless they
// are long. The sizes fill classes of the allocator.
func newPiece[D any](n int) (*pieceOf[D], []byte) {
	switch {
	case n <= 64:
		b := new(struct {
			pieceOf[D]
			text [64]byte
		})
		return &b.pieceOf, b.text[:]
	case n <= 96:
		b := new(struct {
			pieceOf[D]
			text [96]byte
		})
		return &b.pieceOf, b.text[:]
	case n <= 160:
		b := new(struct {
			pieceOf[D]
			text [160]byte
		})
		return &b.pieceOf, b.text[:]
	}
	return new(pieceOf[D]), nil
}

// pour makes a frame of what the mold remembers and of a line's uuid, and returns the piece, which
// comes with its closing quote, as a string.
func pour[D any](m *mold, piece, uuid []byte, plain, alias bool) (*pieceOf[D], string, bool) {
	b, room := newPiece[D](len(piece) - 1 + uuidSize)
	text, id, ok := pourText(room, piece, uuid, plain, alias)
	if !ok {
		return nil, "", false
	}
	if m.hasID {
		b.slots[0] = m.messageID
		b.frame.APIMessageID = &b.slots[0]
	}
	b.frame.UUID, b.frame.SessionID, b.frame.ParentToolUseID = id, m.sessionID, m.parent
	b.frame.Event, b.event.Index = &b.event, m.index
	return b, text, true
}

// pourText returns a piece and a uuid as strings, in the room if there is any, or as parts of the
// line.
func pourText(room, piece, uuid []byte, plain, alias bool) (text, id string, ok bool) {
	n := len(piece) - 1
	if plain && alias {
		return jsontext.Shared(piece[:n]), jsontext.Shared(uuid), true
	}
	b := room
	switch {
	case !plain:
		var end int
		var fault jsontext.Kind
		if b, end, fault = jsontext.ReadText(room[:0], piece, 0); fault != 0 || end != n {
			return "", "", false
		}
	case room != nil:
		b = b[:copy(b, piece[:n])]
	default:
		b = append(b, piece[:n]...)
	}
	if room == nil { // the uuid must not keep a long piece alive
		return jsontext.Shared(b), string(uuid), true
	}
	n = len(b)
	*(*[uuidSize]byte)(room[n:]) = [uuidSize]byte(uuid)
	return jsontext.Shared(b), jsontext.Shared(room[n : n+uuidSize]), true
}

// learn makes a mold of a line that the general reader has read, if it carries a piece and nothing
// unusual. Where none of the molds fits, as with members in another order on each line, it would
// not be worth it: they are dropped, and one line in a hundred or so is tried.
func (ms *molds) learn(line []byte, f Frame) {
	frame, ok := f.(*StreamEvent)
	if !ok {
		return
	}
	event, ok := frame.Event.(*ContentBlockDeltaEvent)
	if !ok {
		return
	}
	ms.idle++
	if ms.idle > len(ms.list) && ms.idle%128 != 0 {
		return
	}
	if ms.idle%128 == 0 {
		clear(ms.list[:])
	}
	piece := usualPiece(frame, event)
	if piece == "" {
		return
	}
	i := ms.victim & 7
	m := ms.list[i]
	if m == nil {
		m = new(mold)
	}
	ms.list[i] = nil
	if m.cast(line, frame, event, piece) {
		if start := jsontext.Load8(line, 8); start != ms.start {
			clear(ms.list[:])
			ms.start = start
		}
		ms.list[i] = m
		ms.after[ms.last&7], ms.after[i], ms.last = i, i, i
		ms.victim = i + 1
	}
}

// usualPiece returns the name of the member that carries the piece, "" if the line has anything
// that two frames must not share or that the strict mode would not take: unknown members, members
// that few lines have.
func usualPiece(f *StreamEvent, e *ContentBlockDeltaEvent) string {
	if f.TTFTMS != nil || f.AbandonedBlocks != nil || f.UserMessageUUID != nil ||
		f.UserMessageUUIDs != nil || f.ResumeReason != nil || f.OwedRows != nil || f.TextRunsJoined != nil ||
		f.Extra != nil || e.Extra != nil {
		return ""
	}
	switch d := e.Delta.(type) {
	case *TextDelta:
		if d.Extra == nil && f.ThinkingDisplay == nil {
			return "text"
		}
	case *ThinkingDelta:
		if d.Extra == nil && (f.ThinkingDisplay == nil || *f.ThinkingDisplay == StreamEventThinkingDisplayUpdates) {
			return "thinking"
		}
	case *InputJSONDelta:
		if d.Extra == nil && f.ThinkingDisplay == nil {
			return "partial_json"
		}
	}
	return ""
}

// maxMold is the longest line that a mold remembers, without its piece.
const maxMold = 4 << 10

// cast makes the mold that of a line. It is false if the line's uuid is not one or comes before the
// piece, or if the rest of the line is long.
func (m *mold) cast(line []byte, frame *StreamEvent, event *ContentBlockDeltaEvent, name string) bool {
	piece, ok := jsontext.Locate(line, "event", "delta", name)
	uuid, found := jsontext.Locate(line, "uuid")
	if !ok || !found || uuid.Start < piece.End || uuid.End-uuid.Start != uuidSize+2 || len(line)-(piece.End-piece.Start) > maxMold {
		return false
	}
	m.head = append(m.head[:0], line[:piece.Start+1]...)
	m.probe = jsontext.Load8(m.head, len(m.head)-8)
	m.middle = append(m.middle[:0], line[piece.End-1:uuid.Start+1]...)
	m.tail = append(m.tail[:0], line[uuid.End-1:]...)
	m.sessionID, m.index = frame.SessionID, event.Index
	if m.parent.Value != frame.ParentToolUseID.Value {
		m.parent.Value = strings.Clone(frame.ParentToolUseID.Value) // it may share the memory of the line
	}
	m.parent.Valid, m.parent.Null = frame.ParentToolUseID.Valid, frame.ParentToolUseID.Null
	if m.hasID = frame.APIMessageID != nil; m.hasID {
		m.messageID = *frame.APIMessageID
	}
	m.piece, m.display = name, ""
	if frame.ThinkingDisplay != nil {
		m.display = StreamEventThinkingDisplayUpdates
	}
	if d, ok := event.Delta.(*ThinkingDelta); ok {
		m.tokens = d.EstimatedTokens
	}
	end, plain, ok := m.fit(line)
	return ok && m.frameOf(line, end, plain, false) != nil
}

// The general reader's memory for such lines: text comes in thousands of them, so that one
// allocation for each matters.

func newStreamEvent(d *run.Decoder) *StreamEvent {
	if len(d.Data) > 512 {
		return new(StreamEvent)
	}
	b, text := newPiece[TextDelta](96)
	d.Block = b
	d.Lend(text, b.slots[:])
	return &b.frame
}

func newContentBlockDelta(d *run.Decoder) *ContentBlockDeltaEvent {
	if b, ok := d.Block.(*pieceOf[TextDelta]); ok {
		return &b.event
	}
	return new(ContentBlockDeltaEvent)
}

func newTextDelta(d *run.Decoder) *TextDelta {
	if b, ok := d.Block.(*pieceOf[TextDelta]); ok {
		return &b.delta
	}
	return new(TextDelta)
}
