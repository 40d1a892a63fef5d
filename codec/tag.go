package codec

import (
	"bytes"
	"math/bits"
	"slices"
)

// Tags are the values of an object's discriminating members. The second is
// empty where a union has one tag only.
type Tags struct {
	First, Second []byte // valid until the Decoder's next line
	HasFirst      bool
	HasSecond     bool

	// Inline says how many of the tags have been consumed: they were the first
	// members, and the position is behind them, inside the object.
	Inline int
	// At is the offset of the object.
	At int
	// FirstAt and SecondAt are the offsets of the tags' values.
	FirstAt, SecondAt int
}

// Tag finds the member that tells the arms of a union apart. Open is the text
// that an object usually begins with, up to the tag's value: `{"type":"`. Where
// the tag stands elsewhere, the object's members are searched for it, and for
// the second tag, if the union has one.
func (d *Decoder) Tag(t *Tags, open, name, second string) bool {
	t.At = d.pos
	if d.Next(open) {
		t.FirstAt = d.pos - 1
		if tag, ok := d.plainTag(); ok {
			t.First, t.HasFirst, t.Inline = tag, true, 1
			return d.deeper()
		}
		d.pos = t.At
	}
	return d.findTags(t, name, second, false)
}

// Guess reports whether the object at the position may be of the shape although
// it does not begin with the tag: its first member is one of the shape's. It is
// then faster to read it as that, and to Undo this if it is not, than to look
// for the tag first.
func (d *Decoder) Guess(open string, s *Shape) bool {
	rest := d.data[d.pos:]
	if len(rest) < 2 || rest[0] != '{' || rest[1] != '"' || len(rest) >= len(open) && string(rest[:len(open)]) == open {
		return false
	}
	for i, key := range s.Keys {
		if begins(rest[1:], key) {
			return !slices.Contains(s.Tags, i)
		}
	}
	return false
}

// Undo goes back to m and forgets a failure and what was noted since.
func (d *Decoder) Undo(m Mark) {
	d.pos, d.depth, d.kind, d.other = m.pos, m.depth, 0, ""
	d.pending = d.pending[:m.noted]
}

// Second finds the second tag. Next is the text that usually stands between
// the first tag and the value of the second: `,"subtype":"`.
func (d *Decoder) Second(t *Tags, next, name, second string) bool {
	if t.HasSecond {
		return true
	}
	if t.Inline == 1 && d.Next(next) {
		t.SecondAt = d.pos - 1
		if tag, ok := d.plainTag(); ok {
			t.Second, t.HasSecond, t.Inline = tag, true, 2
			return true
		}
	}
	d.Rewind(t)
	t.HasFirst = false
	return d.findTags(t, name, second, true)
}

// Const reads a tag whose value is fixed.
func (d *Decoder) Const(want string) bool {
	d.peek()
	at := d.pos
	text, _, ok := d.body()
	if !ok {
		return false
	}
	if string(text) != want && (d.other == "" || d.otherAt != d.depth || string(text) != d.other) {
		return d.Fail(WrongKind, at, "want "+quote([]byte(want))+", got "+quote(text))
	}
	return true
}

// Alias lets Const accept another value for the tag of the object that t was
// found in: a legacy one that stands for a modern one. The empty string ends
// that.
func (d *Decoder) Alias(t *Tags, tag string) {
	d.other, d.otherAt = tag, d.depth
	if t.Inline == 0 {
		d.otherAt++ // the object is still to be opened
	}
}

// Rewind goes back to the start of the object, so that it can be kept whole.
func (d *Decoder) Rewind(t *Tags) {
	d.pos = t.At
	if t.Inline > 0 {
		d.depth--
		t.Inline = 0
	}
}

// plainTag reads the rest of a tag that has no escapes, up to and with its
// closing quote.
func (d *Decoder) plainTag() ([]byte, bool) {
	data, i := d.data, d.pos
	for i+8 <= len(data) {
		m := special(load8(data, i))
		if m == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(m) >> 3
		if data[i] != '"' {
			return nil, false
		}
		tag := data[d.pos:i]
		d.pos = i + 1
		return tag, true
	}
	end := bytes.IndexAny(data[i:], "\"\\")
	if end < 0 || data[i+end] != '"' {
		return nil, false
	}
	for _, c := range data[i : i+end] {
		if c < ' ' || c >= 0x80 {
			return nil, false
		}
	}
	tag := data[d.pos : i+end]
	d.pos = i + end + 1
	return tag, true
}

// findTags looks for the tags among the members of the object at the position,
// and leaves the position there. A tag that is no string is a failure; the
// second only where it must decide, since not every arm has it.
func (d *Decoder) findTags(t *Tags, name, second string, must bool) bool {
	if d.peek() != '{' {
		return d.mismatch("an object")
	}
	t.At = d.pos
	start, depth := d.pos, d.depth
	if !d.deeper() {
		return false
	}
	for !t.HasFirst || second != "" && !t.HasSecond {
		key, ok := d.Key()
		if !ok {
			if d.kind != 0 {
				return false
			}
			break
		}
		isFirst := !t.HasFirst && string(key) == name
		isSecond := !isFirst && second != "" && !t.HasSecond && string(key) == second
		if !isFirst && (!isSecond || !must && d.Kind() != KindString) {
			if !d.hop() {
				return false
			}
			continue
		}
		d.peek()
		at := d.pos
		if d.Kind() != KindString {
			return d.mismatch("a string")
		}
		text, _, ok := d.body()
		if !ok {
			return false
		}
		if isFirst {
			t.First, t.HasFirst, t.FirstAt = text, true, at
		} else {
			t.Second, t.HasSecond, t.SecondAt = text, true, at
		}
	}
	d.pos, d.depth = start, depth
	return true
}

// hop moves past any value without checking all of it: brackets are counted
// and strings are skipped. The value is checked when it is decoded.
func (d *Decoder) hop() bool {
	data := d.data
	i := d.pos
	for i < len(data) && isSpace(data[i]) {
		i++
	}
	nest := 0
	for i < len(data) {
		switch data[i] {
		case '"':
			i++
			for {
				n := bytes.IndexByte(data[i:], '"')
				if n < 0 {
					return d.Fail(Syntax, len(data), "'\"', found the end of the line")
				}
				i += n
				back := i
				for back > 0 && data[back-1] == '\\' {
					back--
				}
				i++
				if (i-1-back)&1 == 0 {
					break
				}
			}
			if nest == 0 {
				d.pos = i
				return true
			}
			continue
		case '{', '[':
			nest++
		case '}', ']':
			nest--
			if nest < 0 {
				d.pos = i
				return true
			}
			if nest == 0 {
				d.pos = i + 1
				return true
			}
		case ',':
			if nest == 0 {
				d.pos = i
				return true
			}
		}
		i++
	}
	return d.Fail(Syntax, len(data), "a value, found the end of the line")
}
