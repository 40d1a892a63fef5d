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

	inline            int // how many tags have been read: they were the first members
	at                int // offset of the object
	firstAt, secondAt int // offsets of the tags' values
}

// begin forgets the tags and begins with those of the object at an offset. Pointers are written
// only where they change, since that has a price while the collector runs.
func (t *tags) begin(set *TagSet, at int) {
	if t.set != set {
		t.set = set
	}
	if t.second != nil {
		t.second = nil
	}
	t.hasFirst, t.hasSecond, t.asked = false, false, false
	t.inline, t.at, t.firstAt, t.secondAt = 0, at, 0, 0
}

// Tag finds the first tag of the object at the position. Where it is not the first member, the
// object's members are searched for both tags. Until the object is read, First and Second return
// them.
func (d *Decoder) Tag(set *TagSet) bool {
	t := &d.tags
	t.begin(set, d.Pos)
	if d.Next(set.Open) {
		t.firstAt = d.Pos - 1
		if tag, ok := d.plainTag(); ok {
			t.first, t.hasFirst, t.inline = tag, true, 1
			d.noteKind(tag)
			return d.Deeper()
		}
		d.Pos = t.at
	}
	if !d.findTags(false) || !t.hasFirst && !d.Lacks(t.at, set.First) {
		return false
	}
	d.noteKind(t.first)
	d.learnTag()
	return true
}

// noteKind tells lines apart by the tag of the outermost object or of one inside it.
func (d *Decoder) noteKind(tag []byte) {
	if d.Depth < 2 {
		d.kind = d.kind*5 + uint8(hash(tag))
	}
}

// A lateTag is what the tags of an object were that did not begin with them.
type lateTag struct {
	set           *TagSet
	open          string // the object's first bytes, to the end of its first name
	first, second []byte
	hasSecond     bool
	wrong         uint8 // how many objects more are not to be taken for one like it
}

const (
	// maxOpen is the longest beginning of an object that a Decoder remembers.
	maxOpen = 40
	// pause is how many objects are searched after a guess that was wrong.
	pause = 64
)

// learnTag remembers the tags that have been found for the next object that begins as this one.
func (d *Decoder) learnTag() {
	t := &d.tags
	rest := d.Data[t.at:]
	end := bytes.IndexByte(rest[:min(len(rest), maxOpen)], ':')
	if end < 0 || len(t.first)+len(t.second) > maxOpen {
		return
	}
	open := rest[:end+1]
	for i := range d.late {
		if l := &d.late[i]; l.set == t.set && l.open == string(open) {
			if l.wrong > 0 {
				l.wrong--
			}
			if string(l.first) != string(t.first) || string(l.second) != string(t.second) || l.hasSecond != t.hasSecond {
				l.first, l.second, l.hasSecond = append(l.first[:0], t.first...), append(l.second[:0], t.second...), t.hasSecond
				l.wrong = pause // objects of several kinds begin so
			}
			return
		}
	}
	d.late[d.lates&3] = lateTag{t.set, string(open), bytes.Clone(t.first), bytes.Clone(t.second), t.hasSecond, 0}
	d.lates++
}

// GuessTag takes the tags of the object at the position for those of one before it that began with
// the same member and not with its tags: it is faster to be wrong now and then than to search for
// them. The object must then be read between Guess and Settle, and WrongTag be called if that
// fails.
//
//go:noinline
func (d *Decoder) GuessTag(set *TagSet) bool {
	if !d.mayGuess() {
		return false
	}
	for i := range d.late {
		l := &d.late[i]
		if l.set == set && l.wrong == 0 && len(d.Data)-d.Pos > len(l.open) && string(d.Data[d.Pos:d.Pos+len(l.open)]) == l.open {
			d.tags.begin(set, d.Pos)
			d.tags.first, d.tags.hasFirst = l.first, true
			if l.hasSecond {
				d.tags.second, d.tags.hasSecond = l.second, true
			}
			d.noteKind(d.tags.first)
			return true
		}
	}
	return false
}

// WrongTag says that GuessTag was wrong. The next objects that begin so are searched.
func (d *Decoder) WrongTag(set *TagSet) {
	for i := range d.late {
		if l := &d.late[i]; l.set == set && len(d.Data)-d.Pos > len(l.open) && string(d.Data[d.Pos:d.Pos+len(l.open)]) == l.open {
			l.wrong = pause
		}
	}
}

// TagIsLate reports whether the object at the position does not begin with its tag but with another
// member of the shape.
//
//go:noinline
func (d *Decoder) TagIsLate(set *TagSet, s *Shape) bool {
	rest := d.Data[d.Pos:]
	if !d.mayGuess() || len(rest) <= len(set.Open) || rest[0] != '{' || rest[1] != '"' || string(rest[:len(set.Open)]) == set.Open {
		return false
	}
	for i, key := range s.Keys {
		if len(rest) > len(key) && string(rest[1:1+len(key)]) == key {
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
			if !d.passed() && !d.Hop() {
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
	read := d.Pos - start
	d.Pos, d.Depth = start, depth
	return d.readAgain(read)
}
