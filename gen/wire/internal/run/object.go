package run

import (
	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
)

// An Object is the reading of one object:
//
//	o := run.ReadObject(d, &shape, &v.Extra)
//	for ok := o.Begin(tagged); o.Next(ok); {
//		switch o.Member {
//		case 0:
//			ok = …
//		}
//	}
//	return o.End()
type Object struct {
	// Member is the number of the member to read. The key is found by it each time: to store a
	// pointer here has a price while the collector runs.
	Member int

	d     *Decoder
	shape *Shape
	extra **Members // for the members that the schema does not name
	at    int       // offset of the object
	value int       // offset of the member's value
	depth int
	noted int // what had been noted before the member
	seen  Bits
}

// ReadObject returns the reading of an object of a shape, whose unknown members go to extra.
func ReadObject(d *Decoder, s *Shape, extra **Members) Object {
	return Object{d: d, shape: s, extra: extra, Member: -1}
}

// Begin starts to read the object. If it is tagged, Tag has found its tags, and the first of them
// may have been read already. It is false if there is no object.
func (o *Object) Begin(tagged bool) bool {
	d, s := o.d, o.shape
	if tagged && d.tags.inline > 0 {
		o.at = d.tags.at
		for _, i := range s.Tags[:d.tags.inline] {
			o.Member = i
			o.seen.add(i)
		}
	} else {
		if !d.Open() {
			return false
		}
		o.at = d.Pos
	}
	o.depth = d.Depth
	return true
}

// Next moves to the next member that the schema names. Ok says whether the one before it could be
// read; if it could not and is not essential, it is kept raw beside the unknown members. Next is
// false at the end of the object and after a failure.
func (o *Object) Next(ok bool) bool {
	if !ok && !o.keep() {
		return false
	}
	d, x, i := o.d, o.shape.indexed(), -1
	if pos := d.Pos; pos < len(d.Data) {
		switch c := d.Data[pos]; {
		case c == '}':
			d.Pos++
			return false
		case c == ',' || pos == o.at:
			i = x.next(o.Member, d.Data[pos+1:]) // the guess
		}
	}
	if i >= 0 {
		d.Pos += 1 + x.keys[i+1].size
	} else if i = o.search(); i < 0 {
		return false
	}
	o.Member, o.value, o.noted = i, d.Pos, d.noted
	if o.seen.has(i) {
		return d.Fail(codec.Duplicate, d.Pos, jsontext.DuplicateMember)
	}
	o.seen.add(i)
	return true
}

// search moves to the next member that the schema names and returns its number, -1 at the end of
// the object and after a failure.
func (o *Object) search() int {
	d, s := o.d, o.shape
	for {
		key, ok := d.Key()
		if !ok {
			return -1
		}
		if i := s.member(key); i >= 0 {
			s.indexed().keys[o.Member+1].learn(i)
			return i
		}
		if contains(s.Untyped, key) {
			ok = d.keepMember(o.extra, key)
		} else {
			ok = d.Extra(o.extra, key, contains(s.Legacy, key))
		}
		if !ok {
			return -1
		}
	}
}

// keep recovers from a member that did not decode: it goes back to the value and keeps it raw. It
// fails for an essential member, in strict mode, and when the text itself is broken.
func (o *Object) keep() bool {
	if o.Member < 0 || o.insists(o.Member) {
		return false
	}
	v, ok := o.d.Salvage(Mark{pos: o.value, depth: o.depth, noted: o.noted})
	if ok {
		addMember(o.extra, o.shape.name(o.Member), v)
	}
	return ok
}

// Lacked returns the error for a required member that the object does not have. It has its path
// once the line has been read to its end.
func (o *Object) Lacked(i int) error { return o.d.absentError(o.at, o.shape.name(i)) }

// insists reports whether the object cannot be read without the member, or with one that does not
// decode.
func (o *Object) insists(i int) bool {
	return o.shape.essential(i) || o.d.insist && o.shape.Need.has(i)
}

// End reports whether the object has been read to its end and has every member that it must have. A
// required member that it lacks and that is not essential is noted, and marked beside the unknown
// members, so that the Encoder does not write it.
func (o *Object) End() bool {
	d := o.d
	if !d.OK() {
		return false
	}
	d.Depth--
	need := &o.shape.Need
	if need[0]&^o.seen[0]|need[1]&^o.seen[1] == 0 {
		return true
	}
	return o.lack()
}

// lack handles the required members that the object does not have.
//
//go:noinline
func (o *Object) lack() bool {
	d, s := o.d, o.shape
	for i := range s.Keys {
		if !s.Need.has(i) || o.seen.has(i) {
			continue
		}
		if d.strict || o.insists(i) {
			return d.Lacks(o.at, s.name(i))
		}
		d.noteAbsent(o.at, s.name(i))
		addMember(o.extra, s.name(i), nil)
	}
	return true
}
