package codec

// A Text is a string in a line, by its place.
type Text struct {
	from, to int
	plain    bool // without escapes
}

// Len returns how much memory the string may need.
func (t Text) Len() int { return t.to - t.from }

// A Mold is what a line has in common with the lines that follow it: all but a
// string of any length, and a UUID behind it. The zero Mold fits no line.
type Mold struct {
	head, middle, tail []byte
}

// Cast remembers the line around the two strings.
func (m *Mold) Cast(line []byte, text, uuid Text) {
	m.head = append(m.head[:0], line[:text.from]...)
	m.middle = append(m.middle[:0], line[text.to:uuid.from]...)
	m.tail = append(m.tail[:0], line[uuid.to:]...)
}

// Fits reports whether the line is like the one remembered, and finds its two
// strings. The length of the line tells where they are, so that nothing is
// searched for.
func (m *Mold) Fits(line []byte) (text, uuid Text, ok bool) {
	from := len(m.head)
	to := len(line) - len(m.tail) - uuidSize - len(m.middle)
	if from == 0 || to < from {
		return text, uuid, false
	}
	at := to + len(m.middle)
	if string(line[:from]) != string(m.head) || string(line[to:at]) != string(m.middle) ||
		string(line[at+uuidSize:]) != string(m.tail) || !plainUUID(line[at:]) {
		return text, uuid, false
	}
	text, uuid = Text{from, to, true}, Text{at, at + uuidSize, true}
	// Up to 32 bytes are checked without a loop, some of them twice.
	if body := line[from:to]; len(body) >= 8 && len(body) <= 32 {
		last := len(body) - 8
		if special(load8(body, 0))|special(load8(body, min(8, last)))|special(load8(body, min(16, last)))|special(load8(body, last)) == 0 {
			return text, uuid, true
		}
	}
	end, plain, fault := scanText(line, from)
	text.plain = plain
	return text, uuid, fault == nil && end == to
}

const uuidSize = 36

// plainUUID reports whether the text begins with as many plain characters as a
// UUID has; it is not shorter.
func plainUUID(b []byte) bool {
	return special(load8(b, 0))|special(load8(b, 8))|special(load8(b, 16))|special(load8(b, 24))|special(load8(b, uuidSize-8)) == 0
}

// Keep returns the two strings of a line: copied, to room if they fit there, or
// in the line if the options say so.
func Keep(line []byte, o *Options, room []byte, text, uuid Text) (string, string) {
	alias := o != nil && o.Alias
	n := text.Len()
	if text.plain && !alias && n+uuidSize <= len(room) {
		copy(room, line[text.from:text.to])
		*(*[uuidSize]byte)(room[n:]) = [uuidSize]byte(line[uuid.from:])
		return sharedString(room[:n]), sharedString(room[n : n+uuidSize])
	}
	first, room := text.keep(line, alias, room)
	second, _ := uuid.keep(line, alias, room)
	return first, second
}

// keep returns the string, and the room that is left.
func (t Text) keep(line []byte, alias bool, room []byte) (string, []byte) {
	body := line[t.from:t.to]
	if t.plain && alias {
		return sharedString(body), room
	}
	dst, fits := room[:0], len(body) <= len(room)
	if !fits {
		dst = make([]byte, 0, len(body))
	}
	if t.plain {
		dst = append(dst, body...)
	} else {
		dst = unescape(dst, body)
	}
	if fits {
		room = room[len(dst):]
	}
	return sharedString(dst), room
}
