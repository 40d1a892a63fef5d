package codec

import (
	"math"
	"slices"
	"strconv"
)

// Bool reads true or false.
func (d *Decoder) Bool(p *bool) bool {
	switch {
	case d.Next("true"):
		*p = true
		return true
	case d.Next("false"):
		*p = false
		return true
	}
	switch d.peek() {
	case 't':
		*p = true
		return d.literal("true")
	case 'f':
		*p = false
		return d.literal("false")
	}
	return d.mismatch("a boolean")
}

func (d *Decoder) literal(lit string) bool {
	if d.Next(lit) {
		return true
	}
	return d.Fail(Syntax, d.pos, "a value")
}

// Null moves past a null, if one comes next.
func (d *Decoder) Null() bool {
	return d.Next("null") || d.peek() == 'n' && d.Next("null")
}

// number moves past a number and returns its text.
func (d *Decoder) number() ([]byte, bool) {
	c := d.peek()
	if c != '-' && (c < '0' || c > '9') {
		return nil, d.mismatch("a number")
	}
	start := d.pos
	end := numberEnd(d.data, start)
	if end < 0 {
		return nil, d.Fail(Syntax, start, "a number")
	}
	d.pos = end
	return d.data[start:end], true
}

// numberEnd returns the index behind the number at data[i:], or -1.
func numberEnd(data []byte, i int) int {
	if i < len(data) && data[i] == '-' {
		i++
	}
	digits := func() bool {
		from := i
		for i < len(data) && '0' <= data[i] && data[i] <= '9' {
			i++
		}
		return i > from
	}
	zero := i < len(data) && data[i] == '0'
	from := i
	if !digits() || zero && i > from+1 {
		return -1
	}
	if i < len(data) && data[i] == '.' {
		i++
		if !digits() {
			return -1
		}
	}
	if i < len(data) && data[i]|0x20 == 'e' {
		i++
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		if !digits() {
			return -1
		}
	}
	return i
}

// Int64 reads an integer. A number such as 1.0 or 1e3 is one too.
func (d *Decoder) Int64(p *int64) bool {
	data, i := d.data, d.pos
	// Up to 18 digits cannot overflow.
	var n int64
	for i < len(data) && i-d.pos < 18 && '0' <= data[i] && data[i] <= '9' {
		n = n*10 + int64(data[i]-'0')
		i++
	}
	if i > d.pos && i < len(data) && (data[i] == ',' || data[i] == '}') && (data[d.pos] != '0' || i == d.pos+1) {
		d.pos = i
		*p = n
		return true
	}
	return d.int64Slow(p)
}

func (d *Decoder) int64Slow(p *int64) bool {
	b, ok := d.number()
	if !ok {
		return false
	}
	n, err := strconv.ParseInt(string(b), 10, 64)
	if err == nil {
		*p = n
		return true
	}
	n, integral, fits := integer(b)
	switch {
	case !integral:
		return d.Fail(WrongKind, d.pos-len(b), "want an integer, got a number with a fraction")
	case !fits:
		return d.Fail(OutOfRange, d.pos-len(b), "an integer of 64 bits")
	}
	*p = n
	return true
}

// Float64 reads a number.
func (d *Decoder) Float64(p *float64) bool {
	data, i := d.data, d.pos
	var n int64
	for i < len(data) && i-d.pos < 15 && '0' <= data[i] && data[i] <= '9' {
		n = n*10 + int64(data[i]-'0')
		i++
	}
	if i > d.pos && i < len(data) && (data[i] == ',' || data[i] == '}') && (data[d.pos] != '0' || i == d.pos+1) {
		d.pos = i
		*p = float64(n)
		return true
	}
	b, ok := d.number()
	if !ok {
		return false
	}
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil || math.IsInf(f, 0) {
		return d.Fail(OutOfRange, d.pos-len(b), "a number of 64 bits")
	}
	*p = f
	return true
}

// integer parses a number that ParseInt does not take, such as 1.50e1. It
// reports whether its value is an integer and whether that fits into 64 bits.
func integer(b []byte) (n int64, integral, fits bool) {
	neg := b[0] == '-'
	if neg {
		b = b[1:]
	}
	// digits d1...dk with the point behind the first `point` of them
	var digits []byte
	point := -1
	exp := 0
	for i, c := range b {
		if c == '.' {
			point = len(digits)
		} else if c|0x20 == 'e' {
			e, err := strconv.Atoi(string(b[i+1:]))
			if err != nil { // an exponent of more than 18 digits
				e = math.MaxInt32
				if b[i+1] == '-' {
					e = -e
				}
			}
			exp = e
			break
		} else {
			digits = append(digits, c)
		}
	}
	if point < 0 {
		point = len(digits)
	}
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	lead := 0
	for lead < len(digits) && digits[lead] == '0' {
		lead++
	}
	if lead == len(digits) {
		return 0, true, true
	}
	point += exp
	if point < len(digits) {
		return 0, false, true
	}
	if point-lead > 19 {
		return 0, true, false
	}
	text := make([]byte, 0, 24)
	if neg {
		text = append(text, '-')
	}
	text = append(text, digits[lead:]...)
	for range point - len(digits) {
		text = append(text, '0')
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	return n, true, err == nil
}

// Kinds is a set of JSON kinds.
type Kinds uint8

const (
	KindString Kinds = 1 << iota
	KindNumber
	KindBoolean
	KindNull
	KindObject
	KindArray
)

// Kind returns the kind of the next value without reading it; 0 if there is none.
func (d *Decoder) Kind() Kinds {
	switch c := d.peek(); c {
	case '"':
		return KindString
	case '{':
		return KindObject
	case '[':
		return KindArray
	case 't', 'f':
		return KindBoolean
	case 'n':
		return KindNull
	default:
		if c == '-' || '0' <= c && c <= '9' {
			return KindNumber
		}
	}
	return 0
}

// Wrong fails because the next value is of none of the kinds wanted.
func (d *Decoder) Wrong(want string) bool { return d.mismatch(want) }

// RawOf reads any value of the given kinds as text.
func (d *Decoder) RawOf(p *Raw, kinds Kinds, want string) bool {
	if d.Kind()&kinds == 0 {
		return d.mismatch(want)
	}
	return d.Raw(p)
}

// Raw reads any value as text. The text is checked to be JSON; that no member
// of an object inside it stands twice is checked in the strict mode only.
func (d *Decoder) Raw(p *Raw) bool {
	d.peek()
	start := d.pos
	if !d.skip() || d.strict && !d.unique(start) {
		return false
	}
	b := d.data[start:d.pos]
	switch {
	case d.alias:
		*p = Raw(b[:len(b):len(b)])
	case len(b) > maxShared:
		*p = append(Raw(nil), b...)
	default:
		c := append(d.room(len(b)), b...)
		*p = Raw(c[len(d.chunk):len(c):len(c)])
		d.chunk = c
	}
	return true
}

// Skip moves past any value, checking it.
func (d *Decoder) Skip() bool { return d.skip() }

func (d *Decoder) skip() bool {
	switch d.peek() {
	case '"':
		end, _, ok := d.scanString(d.pos + 1)
		d.pos = end + 1
		return ok
	case '{':
		if !d.deeper() {
			return false
		}
		for {
			if _, ok := d.Key(); !ok {
				d.depth--
				return d.kind == 0
			}
			if !d.skip() {
				return false
			}
		}
	case '[':
		if !d.OpenArray() {
			return false
		}
		for i := 0; d.More(i); i++ {
			if !d.skip() {
				return false
			}
		}
		return d.kind == 0
	case 't':
		return d.literal("true")
	case 'f':
		return d.literal("false")
	case 'n':
		return d.literal("null")
	}
	_, ok := d.number()
	return ok
}

// OpenArray moves into an array.
func (d *Decoder) OpenArray() bool {
	if d.peek() != '[' {
		return d.mismatch("an array")
	}
	if !d.deeper() {
		return false
	}
	d.pos++
	return true
}

// More moves to element i of an array and reports whether there is one.
func (d *Decoder) More(i int) bool {
	switch c := d.peek(); {
	case c == ']':
		d.pos++
		d.depth--
		return false
	case i == 0:
		return true
	case c == ',':
		d.pos++
		if d.peek() == ']' {
			return d.Fail(Syntax, d.pos, "a value")
		}
		return true
	}
	return d.Fail(Syntax, d.pos, "',' or ']'")
}

// Slice reads an array, each element with read.
func Slice[T any](p *[]T, d *Decoder, read func(*T, *Decoder) bool) bool {
	if !d.OpenArray() {
		return false
	}
	s := []T{}
	for i := 0; d.More(i); i++ {
		if len(s) == cap(s) {
			s = slices.Grow(s, max(len(s), 2))
		}
		s = s[:i+1]
		if !read(&s[i], d) {
			return false
		}
	}
	*p = s
	return d.kind == 0
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
	return d.kind == 0
}

// maxList is the longest list that a Decoder keeps the memory of.
const maxList = 1024

// Map reads an object whose members all are of one type.
func Map[T any](p *map[string]T, d *Decoder, read func(*T, *Decoder) bool) bool {
	if !d.Open() {
		return false
	}
	m := map[string]T{}
	for {
		key, ok := d.Key()
		if !ok {
			break
		}
		name := string(key)
		if _, dup := m[name]; dup {
			return d.Fail(Duplicate, d.pos, "the member stands twice")
		}
		var e T
		if !read(&e, d) {
			return false
		}
		m[name] = e
	}
	*p = m
	d.depth--
	return d.kind == 0
}

// Optional reads a value into a new variable.
func Optional[T any](p **T, d *Decoder, read func(*T, *Decoder) bool) bool {
	v := new(T)
	if !read(v, d) {
		return false
	}
	*p = v
	return true
}

// ReadNullable reads null or a value.
func ReadNullable[T any](p *Nullable[T], d *Decoder, read func(*T, *Decoder) bool) bool {
	if d.Null() {
		p.Null = true
		return true
	}
	var v T
	if !read(&v, d) {
		return false
	}
	*p = Nullable[T]{Value: v, Valid: true}
	return true
}

// The readers of plain values in the form that Slice, Map, Optional and
// ReadNullable take.

func ReadString(p *string, d *Decoder) bool   { return d.String(p) }
func ReadBool(p *bool, d *Decoder) bool       { return d.Bool(p) }
func ReadInt64(p *int64, d *Decoder) bool     { return d.Int64(p) }
func ReadFloat64(p *float64, d *Decoder) bool { return d.Float64(p) }
func ReadRaw(p *Raw, d *Decoder) bool         { return d.Raw(p) }

// ReadRawObject reads an object as text.
func ReadRawObject(p *Raw, d *Decoder) bool { return d.RawOf(p, KindObject, "an object") }
