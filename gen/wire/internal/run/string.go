package run

import (
	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
)

const (
	// maxShared is the longest string that is copied into a chunk shared with others; a longer one
	// has an allocation of its own, so that a short string never keeps more than maxChunk bytes
	// alive.
	maxShared = 512
	maxChunk  = 2048
	// maxRepeated is the longest string that a Decoder remembers.
	maxRepeated = 128
	// scratchSize is how much memory a Decoder keeps to read strings with escapes into.
	scratchSize = 32 << 10
)

// room returns a chunk with space for n more bytes at its end.
func (d *Decoder) room(n int) []byte {
	if cap(d.chunk)-len(d.chunk) < n {
		d.newChunk(n)
	}
	return d.chunk
}

// newChunk makes a chunk with space for n bytes, and for as many more as the line is likely to
// need: those that the last of its kind took, or what is left of it.
//
//go:noinline
func (d *Decoder) newChunk(n int) {
	const some = 256 // where the line needs more than the last one
	if d.chunk == nil {
		d.sized = d.kind
	}
	d.taken += len(d.chunk)
	size := n + len(d.Data) - d.Pos
	if usual := int(d.usual[d.sized&31]); usual > d.taken {
		size = min(size, max(usual-d.taken, n)+32)
	} else if usual > 0 {
		size = min(size, some)
	}
	d.chunk = make([]byte, 0, max(min(size, maxChunk), n, 32))
}

// copyString returns b as a string of its own memory.
func (d *Decoder) copyString(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if len(b) > maxShared {
		return string(b)
	}
	c := append(d.room(len(b)), b...)
	s := jsontext.Shared(c[len(d.chunk):])
	d.chunk = c
	return s
}

// body reads a string and returns its text: in the line where plain, else in memory of its own.
func (d *Decoder) body() (text []byte, plain, ok bool) {
	if d.Peek() != '"' {
		return nil, false, d.Mismatch("a string")
	}
	start := d.Pos + 1
	end, fault := jsontext.PlainEnd(d.Data, start)
	if fault == 0 && d.Data[end] == '"' {
		d.Pos = end + 1
		return d.Data[start:end], true, true
	}
	text, own, ok := d.escaped(start)
	switch {
	case !ok || own:
		return text, false, ok
	case len(text) > maxShared:
		return append([]byte(nil), text...), false, true
	}
	c := append(d.room(len(text)), text...)
	text = c[len(d.chunk):]
	d.chunk = c
	return text, false, true
}

// escaped reads the string whose first character is at start, which may have escapes. The text is
// valid until the next call, unless it is long and has memory of its own.
func (d *Decoder) escaped(start int) (text []byte, own, ok bool) {
	if d.scratch == nil {
		d.scratch = make([]byte, scratchSize)
	}
	text, end, fault := jsontext.ReadText(d.scratch[:0], d.Data, start)
	if fault != 0 {
		return nil, false, d.FailString(fault, end)
	}
	d.Pos = end + 1
	return text, cap(text) != cap(d.scratch), true
}

// String reads a string.
func (d *Decoder) String(p *string) bool {
	if d.Peek() != '"' {
		return d.Mismatch("a string")
	}
	start := d.Pos + 1
	if end, fault := jsontext.PlainEnd(d.Data, start); fault == 0 && d.Data[end] == '"' {
		d.Pos = end + 1
		if d.alias {
			*p = jsontext.Shared(d.Data[start:end])
		} else {
			*p = d.copyString(d.Data[start:end])
		}
		return true
	}
	text, own, ok := d.escaped(start)
	if own {
		*p = jsontext.Shared(text)
	} else if ok {
		*p = d.copyString(text)
	}
	return ok
}

// Repeated reads a string that is likely to be the same as on the lines before, such as a session
// id, and then shares its memory. Slot numbers the member.
func (d *Decoder) Repeated(p *string, slot int) bool {
	m := &d.memo[slot&7]
	// The guess: the text of the line before. It has no escapes.
	if end := d.Pos + 1 + len(*m); *m != "" && end < len(d.Data) && d.Data[d.Pos] == '"' && d.Data[end] == '"' &&
		string(d.Data[d.Pos+1:end]) == *m {
		d.Pos = end + 1
		*p = *m
		return true
	}
	text, plain, ok := d.body()
	if !ok {
		return false
	}
	*p = string(text)
	if plain && len(text) <= maxRepeated {
		*m = *p
	}
	return true
}

// OptionalString reads a string into a variable of its own.
func (d *Decoder) OptionalString(p **string) bool {
	s := d.Slot()
	if !d.String(s) {
		return false
	}
	*p = s
	return true
}

// OptionalRepeated is Repeated for an optional member.
func (d *Decoder) OptionalRepeated(p **string, slot int) bool {
	s := d.Slot()
	if !d.Repeated(s, slot) {
		return false
	}
	*p = s
	return true
}

// Slot returns a string variable for an optional member. A few of them share an allocation.
//
//go:noinline
func (d *Decoder) Slot() *string {
	if len(d.slots) == 0 {
		d.slots = make([]string, 4)
	}
	s := &d.slots[0]
	d.slots = d.slots[1:]
	return s
}

// Strings reads an array of strings.
func (d *Decoder) Strings(p *[]string) bool {
	if !d.OpenArray() {
		return false
	}
	list := d.list[:0]
	for i := 0; d.More(i); i++ {
		var s string
		if !d.String(&s) {
			clear(list)
			return false
		}
		list = append(list, s)
	}
	*p = append(make([]string, 0, len(list)), list...)
	clear(list)
	if cap(list) <= maxList {
		d.list = list
	}
	return d.OK()
}

// maxList is the longest list that a Decoder keeps the memory of.
const maxList = 1024

// An Enum is the values that a schema names for a string.
type Enum struct {
	Values []string
	Closed bool // no others are allowed

	// Partial says that the list is known to lack values, so others are no deviation.
	Partial bool
}

// Known reports whether the schema names the value.
//
//go:noinline
func (e *Enum) Known(value string) bool {
	for _, v := range e.Values {
		if v == value {
			return true
		}
	}
	return false
}

// Enum reads a string with known values.
func (d *Decoder) Enum(p *string, e *Enum) bool {
	d.Peek()
	at := d.Pos
	text, plain, ok := d.body()
	if !ok {
		return false
	}
	for _, v := range e.Values { // a known value shares the memory of the schema's
		if v == string(text) {
			*p = v
			return true
		}
	}
	if e.Closed {
		return d.Fail(codec.WrongKind, at, "a value that the schema names")
	}
	if !e.Partial && !d.Unknown(codec.UnknownValue, at, string(text)) {
		return false
	}
	if !plain || d.alias {
		*p = jsontext.Shared(text)
	} else {
		*p = d.copyString(text)
	}
	return true
}

// Only reads a string with one known value. An empty string is kept beside the unknown members too:
// the Encoder writes the known value for an empty field.
func (d *Decoder) Only(p *string, e *Enum, name string, extra **Members) bool {
	if !d.Enum(p, e) {
		return false
	}
	if *p == "" {
		addMember(extra, name, Raw(`""`))
	}
	return true
}
