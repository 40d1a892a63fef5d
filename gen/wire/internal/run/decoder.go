package run

import (
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
)

// A Decoder reads one JSON value after the other out of lines. Its methods report success and leave
// the reason of a failure in the Decoder, where Err finds it.
//
// After a value has been read, the position is right after it; a member's reader starts at the
// value, after the colon.
type Decoder struct {
	jsontext.Scanner

	strict bool
	guess  bool // strict until Settle only
	insist bool // every required member is essential
	lacked bool // something required is missing
	alias  bool
	report func(Deviation)

	absent string // for Missing: the absent member

	scratch []byte // strings with escapes are read into it

	// Memory that the values of a line share. What is taken of it is counted instead of cut off:
	// a number is cheaper to write than a pointer while the collector runs.
	chunk      []byte    // strings and small raw values are copied to it
	used       int       // bytes of it
	taken      int       // bytes of the line's chunks before it
	kind       uint8     // of the line as far as its tags are known, a hash
	sized      uint8     // kind when the first chunk was made
	usual      [32]int16 // bytes of chunks that the last line of a kind took
	slots      []string  // string variables for optional members and lists
	filled     int       // how many of them
	given      int       // how many of the line before them
	listed     uint8     // kind when the first of them were made
	usualSlots [32]uint8 // how many the last line of a kind took
	memo       [8]string // strings that repeat from line to line
	ints       []int64   // free variables for optional members
	floats     []float64

	tags   tags       // of the object that is about to be read
	late   [4]lateTag // of objects that did not begin with their tags
	lates  uint8      // the next of them to replace
	legacy LegacyConst
	list   []string // memory for a list whose length is not known yet

	extraOf *Members            // the object whose unknown members extras holds
	extras  map[string]struct{} // for objects with many of them

	again   int    // bytes that were read more than once
	guesses int    // that are open
	long    *spans // nil unless much is read again

	notes []note               // the first of what is wrong with the line
	noted int                  // how much of it there is
	most  int                  // how many notes are kept; negative means all
	many  map[ErrorKind]*Error // the errors that elements share where many are wrong

	// Block is memory that a caller sets aside for nested values of the line, so that they share
	// one allocation.
	Block any
}

// Reset makes the Decoder read line under the options; nil means the zero Options. What was decoded
// before stays valid.
//
//go:noinline
func (d *Decoder) Reset(line []byte, o *Options) {
	if d.Data != nil {
		d.Forget()
	}
	d.Data, d.Pos, d.Depth = line, 0, 0
	d.Fault = jsontext.Fault{}
	d.absent, d.legacy = "", LegacyConst{}
	d.MaxDepth, d.strict, d.guess, d.alias = codec.DefaultMaxDepth, false, false, false
	d.insist, d.lacked = false, false
	d.taken, d.given, d.kind, d.sized = 0, 0, 0, 0
	d.noted, d.most = 0, codec.DefaultMaxDeviations
	d.again, d.guesses = 0, 0
	if o != nil {
		if o.MaxDeviations != 0 {
			d.most = o.MaxDeviations
		}
		if o.MaxDepth > 0 {
			d.MaxDepth = o.MaxDepth
		}
		d.strict, d.alias, d.report = o.Strict, o.Alias, o.Report
	}
}

// Forget drops the Decoder's hold on the line and on the memory lent to it.
//
//go:noinline
func (d *Decoder) Forget() {
	d.Data, d.chunk, d.slots = nil, nil, nil
	d.tags.first, d.tags.second = nil, nil
	d.used, d.filled = 0, 0
	if d.Block != nil {
		d.Block = nil
	}
	if d.report != nil {
		d.report = nil
	}
	if d.extraOf != nil || d.notes != nil || d.many != nil || d.long != nil {
		d.extraOf, d.notes, d.many, d.long = nil, nil, nil, nil
	}
}

// Insist makes every required member essential, until Reset.
func (d *Decoder) Insist() { d.insist = true }

// Lacked reports whether something that is required was missing, and has been tolerated.
func (d *Decoder) Lacked() bool { return d.lacked }

// Lend gives the Decoder memory for the strings of this line, so that they lie in the same
// allocation as the value that holds them.
func (d *Decoder) Lend(text []byte, slots []string) {
	d.chunk, d.slots, d.sized, d.listed = text, slots, d.kind, d.kind
}

// Err returns the first failure, with its path, or nil.
func (d *Decoder) Err() error {
	if d.OK() {
		return nil
	}
	e := d.failure()
	e.Path = jsontext.PathAt(d.Data, e.Offset) + e.Path
	return e
}

// failure returns the first failure. Its path is that after the value at its offset.
func (d *Decoder) failure() *Error {
	f := &d.Fault
	e := &Error{Kind: ErrorKind(f.Kind), Offset: f.At, Want: f.Want}
	if e.Kind == codec.Missing {
		e.Path = "/" + jsontext.EscapePointer(d.absent)
		e.Want = "a value is required"
	}
	return e
}

// Fail records a failure at an offset. It returns false, so that a reader can return it.
func (d *Decoder) Fail(kind ErrorKind, at int, want string) bool {
	return d.Scanner.Fail(jsontext.Kind(kind), at, want)
}

// Lacks records that the object at an offset has no member of the name.
func (d *Decoder) Lacks(at int, name string) bool {
	d.absent = name
	return d.Fail(codec.Missing, at, "")
}

// Finish reports whether nothing but space is left, and fails otherwise. Where it succeeds, it
// reports the deviations of the line.
func (d *Decoder) Finish() bool {
	if !d.Scanner.Finish() {
		return false
	}
	if d.noted > 0 {
		d.endNotes()
	}
	if d.chunk != nil {
		d.usual[d.sized&31] = int16(min(d.taken+d.used, maxChunk))
	}
	if d.slots != nil {
		d.usualSlots[d.listed&31] = uint8(min(d.given+d.filled, maxSlots))
	}
	return true
}

// Mark is a position to which Salvage and Settle can go back.
type Mark struct {
	pos, depth, noted int
	strict, guess     bool
}

// Mark returns the position of the value that is about to be read.
//
//go:noinline
func (d *Decoder) Mark() Mark { return Mark{d.Pos, d.Depth, d.noted, d.strict, d.guess} }

// Guess begins to read a value as what it most likely is. Until Settle, everything that the strict
// mode does not take is a failure, so that a wrong guess ends soon; what it takes, the tolerant
// mode would read as the same.
//
//go:noinline
func (d *Decoder) Guess() Mark {
	m := d.Mark()
	d.guess = !d.strict || d.guess
	d.strict = true
	d.guesses++
	return m
}

// Settle ends a guess. Where it was wrong, the Decoder is as it was before, and the failure is
// forgotten.
//
//go:noinline
func (d *Decoder) Settle(m Mark, right bool) bool {
	d.strict, d.guess = m.strict, m.guess
	d.guesses--
	if !right {
		read := d.Pos - m.pos
		d.Pos, d.Depth, d.Fault = m.pos, m.depth, jsontext.Fault{}
		d.forgetNotes(m.noted)
		d.readAgain(copied * read)
	}
	return right
}

// Extra keeps a member that the schema does not name, or names as one of older peers.
func (d *Decoder) Extra(to **Members, key []byte, legacy bool) bool {
	kind := codec.UnknownMember
	if legacy {
		kind = codec.LegacyShape
	}
	if d.strict {
		return d.Fail(codec.NotAllowed, d.Pos, kind.String()+" "+quote(key))
	}
	if d.report != nil {
		detail := ""
		if d.hasRoom() {
			detail = quote(key)
		}
		d.Deviate(kind, d.Pos, detail)
	}
	return d.keepMember(to, key)
}

// keepMember keeps a member as it is.
func (d *Decoder) keepMember(to **Members, key []byte) bool {
	name := d.copyString(key)
	if d.repeats(*to, name) {
		return d.Fail(codec.Duplicate, d.Pos, jsontext.DuplicateMember)
	}
	var v Raw
	if !d.Raw(&v) {
		return false
	}
	addMember(to, name, v)
	return true
}

// addMember appends a member to those of *to.
func addMember(to **Members, name string, v Raw) {
	if *to == nil {
		*to = new(Members)
	}
	**to = append(**to, codec.Member{Name: name, Value: v})
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

// Salvage recovers from a value that did not decode: it goes back to it and returns it raw. It
// fails in strict mode, and when the text itself is broken.
func (d *Decoder) Salvage(m Mark) (Raw, bool) { return d.salvage(m, nil) }

// SalvageArm is Salvage for a value of a union, and returns what was wrong with it too. The error
// has its path once the line has been read to its end. If many values are wrong, the later ones
// share an error that says no more than its kind.
func (d *Decoder) SalvageArm(m Mark) (v Raw, why *Error, ok bool) {
	if d.strict || malformed(ErrorKind(d.Fault.Kind)) {
		return nil, nil, false
	}
	d.forgetNotes(m.noted)
	if d.hasRoom() {
		why = d.failure()
	} else {
		why = d.oneOfMany(ErrorKind(d.Fault.Kind))
	}
	v, ok = d.salvage(m, why)
	return v, why, ok
}

// oneOfMany returns the error that values share where many are wrong.
func (d *Decoder) oneOfMany(kind ErrorKind) *Error {
	if d.many == nil {
		d.many = map[ErrorKind]*Error{}
	}
	if d.many[kind] == nil {
		d.many[kind] = &Error{Kind: kind, Offset: -1, Want: "one of many values that do not fit"}
	}
	return d.many[kind]
}

func (d *Decoder) salvage(m Mark, e *Error) (Raw, bool) {
	if d.strict || malformed(ErrorKind(d.Fault.Kind)) {
		return nil, false
	}
	fault, absent := d.Fault, d.absent
	d.Fault, d.absent = jsontext.Fault{}, ""
	d.Pos, d.Depth = m.pos, m.depth
	var v Raw
	if !d.Raw(&v) || !d.readAgain(copied*len(v)) {
		return nil, false
	}
	d.forgetNotes(m.noted) // of what is inside the value: it is kept as it is
	if ErrorKind(fault.Kind) == codec.Missing {
		fault.Want = "no member " + quote([]byte(absent))
		d.lacked = true
	}
	d.note(note{kind: codec.Invalid, at: fault.At, detail: fault.Want, absent: absent, err: e})
	return v, true
}

// malformed reports whether the kind means that the text itself is broken, so that nothing of the
// line can be kept.
func malformed(k ErrorKind) bool {
	switch k {
	case codec.Syntax, codec.BadUTF8, codec.TooDeep, codec.TooLong, codec.Duplicate:
		return true
	}
	return false
}

// Unknown handles a tag or a value that the schema does not name: an error in strict mode, else a
// deviation. It returns whether to go on.
func (d *Decoder) Unknown(kind codec.DeviationKind, at int, found string) bool {
	if most := 64; len(found) > most {
		found = strings.ToValidUTF8(found[:most], "") + "…"
	}
	if d.strict {
		return d.Fail(codec.NotAllowed, at, kind.String()+" "+found)
	}
	d.Deviate(kind, at, found)
	return true
}

func quote(b []byte) string {
	const most = 64
	if len(b) > most {
		b = b[:most]
	}
	return strconv.Quote(string(b))
}
