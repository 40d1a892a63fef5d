package run

import (
	"math/bits"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
)

const (
	// maxShared is the longest string that is copied into a chunk shared with others; a longer one
	// has an allocation of its own, so that a short string never keeps more than maxChunk bytes
	// alive.
	maxShared = 512
	maxChunk  = 2048
	// maxSlots is how many string variables of a line share an allocation.
	maxSlots = 64
	// maxRepeated is the longest string that a Decoder remembers.
	maxRepeated = 128
	// scratchSize is how much memory a Decoder keeps to read strings with escapes into.
	scratchSize = 32 << 10
)

// room returns n bytes of the line's chunk that nothing else uses.
func (d *Decoder) room(n int) []byte {
	if len(d.chunk)-d.used < n {
		d.newChunk(n)
	}
	from := d.used
	d.used += n
	return d.chunk[from:d.used:d.used]
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
	d.taken += d.used
	size := n + len(d.Data) - d.Pos
	if usual := int(d.usual[d.sized&31]); usual > d.taken {
		size = min(size, max(usual-d.taken, n)+32)
	} else if usual > 0 {
		size = min(size, some)
	}
	d.chunk, d.used = make([]byte, max(min(size, maxChunk), n, 32)), 0
}

// copyString returns b as a string of its own memory.
func (d *Decoder) copyString(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if len(b) > maxShared {
		return string(b)
	}
	c := d.room(len(b))
	copy(c, b)
	return jsontext.Shared(c)
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
	c := d.room(len(text))
	copy(c, text)
	return c, false, true
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
	if !d.alias && d.shortString(p, start) {
		return true
	}
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

// shortString reads a short string of ASCII characters without escapes, which most are: it copies
// and looks for the end in one go. It is false for any other.
func (d *Decoder) shortString(p *string, start int) bool {
	const most = 48
	if len(d.chunk)-d.used < most || len(d.Data)-start < most {
		return false
	}
	to := d.chunk[d.used:]
	for n := 0; n < most; n += 8 {
		x := jsontext.Load8(d.Data, start+n)
		jsontext.Store8(to, n, x)
		m := jsontext.Special(x)
		if m == 0 {
			continue
		}
		n += bits.TrailingZeros64(m) >> 3
		if d.Data[start+n] != '"' {
			return false
		}
		if *p = ""; n > 0 {
			*p = jsontext.Shared(to[:n])
		}
		d.used += n
		d.Pos = start + n + 1
		return true
	}
	return false
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
	if len(*s) > maxShared { // the line's other variables must not keep it alive
		own := new(string)
		*own, *s = *s, ""
		s = own
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

// Slot returns a string variable for an optional member. Those of a line share an allocation.
func (d *Decoder) Slot() *string { return &d.strings(1)[0] }

// strings returns n string variables.
//
//go:noinline
func (d *Decoder) strings(n int) []string {
	if len(d.slots)-d.filled < n {
		if n > maxSlots {
			return make([]string, n)
		}
		d.newSlots(n)
	}
	from := d.filled
	d.filled += n
	return d.slots[from:d.filled:d.filled]
}

// newSlots sets n string variables aside, and as many more as the line is likely to need: those
// that the last of its kind took.
func (d *Decoder) newSlots(n int) {
	const some = 4 // where that is not known, or was not enough
	if d.slots == nil {
		d.listed = d.kind
	}
	d.given += d.filled
	more := int(d.usualSlots[d.listed&31]) - d.given
	if more <= 0 {
		more = some
	}
	d.slots, d.filled = make([]string, min(max(n, more), maxSlots)), 0
}

// Strings reads an array of strings.
func (d *Decoder) Strings(p *[]string) bool {
	if !d.OpenArray() {
		return false
	}
	list := d.list[:0]
	long := false
	for i := 0; d.More(i); i++ {
		var s string
		if !d.String(&s) {
			clear(list)
			return false
		}
		long = long || len(s) > maxShared
		list = append(list, s)
	}
	if long || len(list) == 0 {
		*p = append(make([]string, 0, len(list)), list...)
	} else {
		*p = d.strings(len(list))
		copy(*p, list)
	}
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

// OptionalEnum reads a string with known values and returns it in new memory, nil if that fails.
//
//go:noinline
func (d *Decoder) OptionalEnum(e *Enum) *string {
	if s := d.Slot(); d.Enum(s, e) {
		return s
	}
	return nil
}

// Enum reads a string with known values.
func (d *Decoder) Enum(p *string, e *Enum) bool {
	if v, ok := d.known(e.Values); ok {
		*p = v
		return true
	}
	d.Peek()
	at := d.Pos
	text, plain, ok := d.body()
	if !ok {
		return false
	}
	for _, v := range e.Values {
		if v == string(text) { // written with escapes, or after a space
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

// known moves past a string that is one of the values, which have no characters to escape, and
// returns that value: it shares the memory of the schema's.
func (d *Decoder) known(values []string) (string, bool) {
	rest := d.Data[d.Pos:]
	for _, v := range values {
		end := len(v) + 1
		if end < len(rest) && rest[end] == '"' && rest[0] == '"' && string(rest[1:end]) == v {
			d.Pos += end + 1
			return v, true
		}
	}
	return "", false
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
