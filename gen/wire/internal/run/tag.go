package run

import (
	"bytes"
	"math/bits"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
)

// A TagSet names the members that tell the arms of a union apart.
type TagSet struct {
	First, Second string // Second is empty where a union has one tag only
	Open          string // what an object usually begins with, up to the first tag's value: `{"type":"`
	Then          string // what usually follows the first tag, up to the second's value: `,"subtype":"`
}

// tags are the values of the discriminating members of the object that is about to be read.
type tags struct {
	set    *TagSet
	first  []byte // valid until the Decoder's next line
	second []byte

	hasFirst, hasSecond bool
	asked               bool // for the second tag
	open                bool // the tag that decides has a value that no arm names

	inline            int // how many tags have been read: they were the first members
	at                int // offset of the object
	firstAt, secondAt int // offsets of the tags' values
}

// Tag finds the first tag of the object at the position. Where it is not the first member, the
// object's members are searched for both tags. Until the object is read, First and Second return
// them.
func (d *Decoder) Tag(set *TagSet) bool {
	d.tags = tags{set: set, at: d.Pos}
	t := &d.tags
	if d.Next(set.Open) {
		t.firstAt = d.Pos - 1
		if tag, ok := d.plainTag(); ok {
			t.first, t.hasFirst, t.inline = tag, true, 1
			return d.Deeper()
		}
		d.Pos = t.at
	}
	return d.findTags(false) && (t.hasFirst || d.Lacks(t.at, set.First))
}

// TagIsLate reports whether the object at the position does not begin with its tag but with another
// member of the shape.
//
//go:noinline
func (d *Decoder) TagIsLate(set *TagSet, s *Shape) bool {
	rest := d.Data[d.Pos:]
	if len(rest) <= len(set.Open) || rest[0] != '{' || rest[1] != '"' || string(rest[:len(set.Open)]) == set.Open {
		return false
	}
	for i, key := range s.Keys {
		if begins(rest[1:], key) {
			return i != s.Tags[0]
		}
	}
	return false
}

// First returns the value of the first tag.
func (d *Decoder) First() []byte { return d.tags.first }

// Second returns the value of the second tag, nil after a failure.
func (d *Decoder) Second() []byte {
	t := &d.tags
	t.asked = true
	if t.hasSecond {
		return t.second
	}
	if t.inline == 1 && d.Next(t.set.Then) {
		t.secondAt = d.Pos - 1
		if tag, ok := d.plainTag(); ok {
			t.second, t.hasSecond, t.inline = tag, true, 2
			return tag
		}
	}
	d.rewind()
	t.hasFirst = false
	if d.findTags(true) && !t.hasSecond {
		d.Lacks(t.at, t.set.Second)
	}
	return t.second
}

// Decisive returns the tag that tells the arms apart.
//
//go:noinline
func (d *Decoder) Decisive() string {
	if d.tags.asked {
		return string(d.tags.second)
	}
	return string(d.tags.first)
}

// OpenTag says that the tag that decides has a value that no arm names, and that there is an arm
// for such values.
//
//go:noinline
func (d *Decoder) OpenTag() { d.tags.open = true }

// TagIsOpen reports whether OpenTag has been called for the object that is about to be read.
func (d *Decoder) TagIsOpen() bool { return d.tags.open }

// MarkTagged is Mark for the object whose tags were found.
//
//go:noinline
func (d *Decoder) MarkTagged() Mark {
	m := d.Mark()
	m.pos = d.tags.at
	if d.tags.inline > 0 {
		m.depth--
	}
	return m
}

// TagIn sets p to the tag that decides, if it has been read already. A value that the schema does
// not name is handled as Unknown does.
//
//go:noinline
func (d *Decoder) TagIn(p *string, e *Enum) bool {
	t := &d.tags
	if t.inline == 0 { // it is read with the other members
		return true
	}
	at := t.firstAt
	if t.asked {
		at = t.secondAt
	}
	*p = d.Decisive()
	return e.Known(*p) || d.Unknown(codec.UnknownValue, at, *p)
}

// UnknownTag handles the tag that decides and that the schema does not name, as Unknown does.
//
//go:noinline
func (d *Decoder) UnknownTag() bool {
	t := &d.tags
	if t.asked {
		return d.Unknown(codec.UnknownTag, t.secondAt, string(t.second))
	}
	return d.Unknown(codec.UnknownTag, t.firstAt, string(t.first))
}

// LegacyTag handles a first tag that only older peers send: an error in strict mode, else a
// deviation. It returns whether to go on.
//
//go:noinline
func (d *Decoder) LegacyTag() bool {
	return d.Unknown(codec.LegacyShape, d.tags.firstAt, string(d.tags.first))
}

// A LegacyConst is a tag of older peers that Const takes in objects of one depth.
type LegacyConst struct {
	tag   string
	depth int
}

// BeginLegacy lets Const take the first tag where the object has its own, until EndLegacy gets what
// it returns.
//
//go:noinline
func (d *Decoder) BeginLegacy() (before LegacyConst) {
	before = d.legacy
	d.legacy = LegacyConst{string(d.tags.first), d.Depth}
	if d.tags.inline == 0 {
		d.legacy.depth++ // the object is still to be opened
	}
	return before
}

// EndLegacy ends what BeginLegacy began.
//
//go:noinline
func (d *Decoder) EndLegacy(before LegacyConst) { d.legacy = before }

// Tagged reads the object whose tags were found as text.
//
//go:noinline
func (d *Decoder) Tagged(p *Raw) bool {
	d.rewind()
	return d.Raw(p)
}

// Const reads a tag whose value is fixed.
func (d *Decoder) Const(want string) bool {
	if end := d.Pos + 1 + len(want); end < len(d.Data) && d.Data[d.Pos] == '"' && d.Data[end] == '"' && string(d.Data[d.Pos+1:end]) == want {
		d.Pos = end + 1
		return true
	}
	d.Peek()
	at := d.Pos
	text, _, ok := d.body()
	if !ok {
		return false
	}
	if string(text) != want && (d.legacy.tag == "" || d.legacy.depth != d.Depth || string(text) != d.legacy.tag) {
		return d.Fail(codec.WrongKind, at, "want "+quote([]byte(want))+", got "+quote(text))
	}
	return true
}

// rewind goes back to the start of the object, so that it can be kept whole.
func (d *Decoder) rewind() {
	t := &d.tags
	d.Pos = t.at
	if t.inline > 0 {
		d.Depth--
		t.inline = 0
	}
}

// plainTag reads the rest of a tag that has no escapes, up to and with its closing quote.
func (d *Decoder) plainTag() ([]byte, bool) {
	data, i := d.Data, d.Pos
	for i+8 <= len(data) {
		m := jsontext.Special(jsontext.Load8(data, i))
		if m == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(m) >> 3
		if data[i] != '"' {
			return nil, false
		}
		tag := data[d.Pos:i]
		d.Pos = i + 1
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
	tag := data[d.Pos : i+end]
	d.Pos = i + end + 1
	return tag, true
}

// findTags looks for the tags among the members of the object at the position, and leaves the
// position there. A tag that is not a string is a failure; the second only where it must decide,
// since not every arm has it.
func (d *Decoder) findTags(must bool) bool {
	t := &d.tags
	if d.Peek() != '{' {
		return d.Mismatch("an object")
	}
	t.at = d.Pos
	start, depth := d.Pos, d.Depth
	if !d.Deeper() {
		return false
	}
	name, second := t.set.First, t.set.Second
	for !t.hasFirst || second != "" && !t.hasSecond {
		key, ok := d.Key()
		if !ok {
			if !d.OK() {
				return false
			}
			break
		}
		isFirst := !t.hasFirst && string(key) == name
		isSecond := !isFirst && second != "" && !t.hasSecond && string(key) == second
		if !isFirst && (!isSecond || !must && d.Kind() != jsontext.KindString) {
			if !d.Hop() {
				return false
			}
			continue
		}
		d.Peek()
		at := d.Pos
		text, _, ok := d.body()
		if !ok {
			return false
		}
		if isFirst {
			t.first, t.hasFirst, t.firstAt = text, true, at
		} else {
			t.second, t.hasSecond, t.secondAt = text, true, at
		}
	}
	d.Pos, d.Depth = start, depth
	return true
}
