package codec

import (
	"math/bits"
	"strings"
)

// A Decoder reads one JSON value after the other out of lines. Generated code
// drives it; its methods report success and leave the reason of a failure in
// the Decoder, where Err finds it.
//
// After a value has been read, the position is just behind it; a member's
// reader starts at the value, behind the colon.
type Decoder struct {
	data  []byte
	pos   int
	depth int

	maxDepth int
	strict   bool
	alias    bool
	report   func(Deviation)

	kind ErrorKind // 0 while all is well
	at   int       // offset of the fault
	want string
	name string // for Missing: the absent member

	chunk   []byte    // strings and small raw values are copied to its end
	slots   []string  // free string variables for optional members
	memo    [8]string // strings that repeat from line to line
	key     []byte    // a member's name that had escapes
	other   string    // a legacy tag that Const accepts in objects at otherAt
	otherAt int       // a depth
	list    []string  // memory for a list whose length is not known yet

	extraOf *Members            // the object whose unknown members extras holds
	extras  map[string]struct{} // for objects with many of them

	paths   *pathFinder // of the line, for reports
	pending []Deviation // reported when the line has been read to its end

	// Block is memory that generated code sets aside for nested values of the
	// line, so that they share one allocation.
	Block any
}

// Reset makes the Decoder read line under the options; nil means the zero
// Options. What was decoded before stays valid.
func (d *Decoder) Reset(line []byte, o *Options) {
	d.Forget()
	d.data, d.pos, d.depth = line, 0, 0
	d.kind, d.want, d.name, d.other = 0, "", "", ""
	d.maxDepth, d.strict, d.alias = DefaultMaxDepth, false, false
	if o != nil {
		if o.MaxDepth > 0 {
			d.maxDepth = o.MaxDepth
		}
		d.strict, d.alias, d.report = o.Strict, o.Alias, o.Report
	}
}

// Forget drops the Decoder's hold on the line and on the memory lent to it.
func (d *Decoder) Forget() {
	d.data, d.chunk, d.slots, d.Block, d.extraOf, d.report = nil, nil, nil, nil, nil, nil
	d.paths, d.pending = nil, nil
}

// Len returns the length of the line.
func (d *Decoder) Len() int { return len(d.data) }

// Lend gives the Decoder memory for the strings of this line, so that they lie
// in the same allocation as the value that holds them.
func (d *Decoder) Lend(text []byte, slots []string) {
	d.chunk, d.slots = text[:0], slots
}

// Strict reports whether deviations are errors.
func (d *Decoder) Strict() bool { return d.strict }

// Checks reports whether anybody wants to know of unknown tags and values.
func (d *Decoder) Checks() bool { return d.strict || d.report != nil }

// Pos returns the offset of the next byte.
func (d *Decoder) Pos() int { return d.pos }

// Start returns the offset of the next value.
func (d *Decoder) Start() int {
	d.peek()
	return d.pos
}

// Err returns the first failure, with its path, or nil.
func (d *Decoder) Err() error {
	if d.kind == 0 {
		return nil
	}
	e := &Error{Kind: d.kind, Offset: d.at, Want: d.want, Path: PathAt(d.data, d.at)}
	if d.kind == Missing {
		e.Path += "/" + escapePointer(d.name)
		e.Want = "a value is required"
	}
	return e
}

// Fail records a failure at an offset. It returns false, so that a reader can
// return it.
func (d *Decoder) Fail(kind ErrorKind, at int, want string) bool {
	d.kind, d.at, d.want = kind, at, want
	return false
}

// Lacks records that the object at an offset has no member of the name.
func (d *Decoder) Lacks(at int, name string) bool {
	d.name = name
	return d.Fail(Missing, at, "")
}

// Finish reports whether nothing but space is left, and fails otherwise. Where
// it succeeds, it reports the deviations of the line.
func (d *Decoder) Finish() bool {
	if d.kind != 0 {
		return false
	}
	d.space()
	if d.pos < len(d.data) {
		return d.Fail(Syntax, d.pos, "the end of the line")
	}
	for i := range d.pending {
		d.report(d.pending[i])
	}
	d.pending = nil
	return true
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func (d *Decoder) space() {
	for d.pos < len(d.data) && isSpace(d.data[d.pos]) {
		d.pos++
	}
}

// peek returns the first byte of the next value, or 0 at the end of the line.
func (d *Decoder) peek() byte {
	if d.pos < len(d.data) {
		if c := d.data[d.pos]; c > ' ' {
			return c
		}
		d.space()
		if d.pos < len(d.data) {
			return d.data[d.pos]
		}
	}
	return 0
}

// mismatch records that the next value is not of the kind wanted. Text that is
// no JSON value at all is a syntax error instead.
func (d *Decoder) mismatch(want string) bool {
	switch c := d.peek(); {
	case c == 0:
		return d.Fail(Syntax, d.pos, "a value, found the end of the line")
	case c == '"', c == '{', c == '[', c == 't', c == 'f', c == 'n', c == '-', '0' <= c && c <= '9':
		return d.Fail(WrongKind, d.pos, "want "+want+", got "+kindOf(c))
	}
	return d.Fail(Syntax, d.pos, "a value")
}

func kindOf(c byte) string {
	switch c {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// Next moves past lit if it stands at the position. Generated code uses it to
// predict the member that usually comes next; a wrong guess costs a comparison.
func (d *Decoder) Next(lit string) bool {
	if len(d.data)-d.pos >= len(lit) && string(d.data[d.pos:d.pos+len(lit)]) == lit {
		d.pos += len(lit)
		return true
	}
	return false
}

// Open moves to the first member of an object. The position stays on the
// opening brace, which Key takes for the separator before the first member.
func (d *Decoder) Open() bool {
	if d.peek() != '{' {
		return d.mismatch("an object")
	}
	return d.deeper()
}

// deeper counts an object or array that has begun.
func (d *Decoder) deeper() bool {
	d.depth++
	if d.depth > d.maxDepth {
		return d.Fail(TooDeep, d.pos, "at most "+itoa(d.maxDepth)+" levels")
	}
	return true
}

// Key reads the next member's name and the colon behind it. It returns false
// at the end of the object, and when the text is broken. The name is valid
// until the next call.
func (d *Decoder) Key() ([]byte, bool) {
	// A short plain name without spaces around it.
	if data, i := d.data, d.pos+2; i < len(data) && data[i-1] == '"' && (data[i-2] == ',' || data[i-2] == '{' && !behindValue(data[:i-2])) {
		for i+8 <= len(data) {
			m := special(load8(data, i))
			if m == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(m) >> 3
			if data[i] == '"' && i+1 < len(data) && data[i+1] == ':' {
				key := data[d.pos+2 : i]
				d.pos = i + 2
				return key, true
			}
			break
		}
	}
	return d.anyKey()
}

// anyKey is Key for names and spaces of any form.
func (d *Decoder) anyKey() ([]byte, bool) {
	data := d.data
	i := d.pos
	for i < len(data) && isSpace(data[i]) {
		i++
	}
	if i >= len(data) {
		d.Fail(Syntax, i, "',' or '}', found the end of the line")
		return nil, false
	}
	sep := data[i]
	if sep == '}' {
		d.pos = i + 1
		return nil, false
	}
	if sep != ',' && (sep != '{' || behindValue(data[:i])) {
		d.Fail(Syntax, i, "',' or '}'")
		return nil, false
	}
	i++
	for i < len(data) && isSpace(data[i]) {
		i++
	}
	d.pos = i
	if i < len(data) && data[i] == '}' && sep == '{' {
		d.pos++
		return nil, false
	}
	if i >= len(data) || data[i] != '"' {
		d.Fail(Syntax, i, "a member's name")
		return nil, false
	}
	key, ok := d.memberName()
	if !ok {
		return nil, false
	}
	i = d.pos
	for i < len(data) && isSpace(data[i]) {
		i++
	}
	if i >= len(data) || data[i] != ':' {
		d.Fail(Syntax, i, "':'")
		return nil, false
	}
	d.pos = i + 1
	return key, true
}

// behindValue reports whether text ends with a value, so that a brace that
// follows cannot open an object.
func behindValue(text []byte) bool {
	i := len(text) - 1
	for i >= 0 && isSpace(text[i]) {
		i--
	}
	return i >= 0 && text[i] != ':' && text[i] != ',' && text[i] != '['
}

// memberName reads a member's name without copying it where it has no escapes.
func (d *Decoder) memberName() ([]byte, bool) {
	start := d.pos + 1
	end, plain, ok := d.scanString(start)
	if !ok {
		return nil, false
	}
	d.pos = end + 1
	if plain {
		return d.data[start:end], true
	}
	d.key = unescape(d.key[:0], d.data[start:end])
	return d.key, true
}

// Mark is a position to which Salvage and Undo can go back.
type Mark struct{ pos, depth, noted int }

// Mark returns the position of the value that is about to be read.
func (d *Decoder) Mark() Mark { return Mark{d.pos, d.depth, len(d.pending)} }

// Extra keeps a member that the schema does not name, or names as one of older
// peers.
func (d *Decoder) Extra(to **Members, key []byte, legacy bool) bool {
	kind := UnknownMember
	if legacy {
		kind = LegacyShape
	}
	if d.strict {
		return d.Fail(NotAllowed, d.pos, kind.String()+" "+quote(key))
	}
	name := d.copyString(key)
	if d.repeats(*to, name) {
		return d.Fail(Duplicate, d.pos, "the member stands twice")
	}
	if d.report != nil {
		d.Deviate(kind, d.pos, quote(key))
	}
	var v Raw
	if !d.Raw(&v) {
		return false
	}
	addMember(to, name, v)
	return true
}

// repeats reports whether to has a member of the name already.
func (d *Decoder) repeats(to *Members, name string) bool {
	const few = 16
	if len(to.List()) < few {
		return to.Get(name) != nil
	}
	if d.extraOf != to || len(d.extras) != len(*to) {
		d.extraOf, d.extras = to, map[string]struct{}{}
		for i := range *to {
			d.extras[(*to)[i].Name] = struct{}{}
		}
	}
	_, found := d.extras[name]
	d.extras[name] = struct{}{}
	return found
}

// Salvage recovers from a value that did not decode: it goes back to it and
// returns it raw. It fails in strict mode, and when the text itself is broken.
func (d *Decoder) Salvage(m Mark) (Raw, bool) {
	if d.strict || d.kind.malformed() {
		return nil, false
	}
	kind, at, want, name := d.kind, d.at, d.want, d.name
	d.kind, d.name = 0, ""
	d.pos, d.depth = m.pos, m.depth
	var v Raw
	if !d.Raw(&v) {
		return nil, false
	}
	if d.report != nil {
		// What was noted inside the value does not count: it is kept as it is.
		n := len(d.pending)
		for n > 0 && m.pos <= d.pending[n-1].Offset && d.pending[n-1].Offset < d.pos {
			n--
		}
		d.pending = d.pending[:n]
		if kind == Missing {
			want = "no member " + quote([]byte(name))
		}
		d.pending = append(d.pending, Deviation{Kind: Invalid, Path: d.path(at), Offset: at, Detail: want})
	}
	return v, true
}

// Deviate notes a deviation at an offset, if anybody listens. It is reported by
// Finish, so that a line that does not decode reports none.
func (d *Decoder) Deviate(kind DeviationKind, at int, detail string) {
	if d.report != nil {
		d.pending = append(d.pending, Deviation{Kind: kind, Path: d.path(at), Offset: at, Detail: detail})
	}
}

// Unknown handles a tag or a value that the schema does not name: an error in
// strict mode, else a deviation. It returns whether to go on.
func (d *Decoder) Unknown(kind DeviationKind, at int, found string) bool {
	if most := 64; len(found) > most {
		found = strings.ToValidUTF8(found[:most], "") + "…"
	}
	if d.strict {
		return d.Fail(NotAllowed, at, kind.String()+" "+found)
	}
	d.Deviate(kind, at, found)
	return true
}
