package run

import (
	"math"
	"strconv"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
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
	switch d.Peek() {
	case 't':
		*p = true
		return d.Literal("true")
	case 'f':
		*p = false
		return d.Literal("false")
	}
	return d.Mismatch("a boolean")
}

// Null moves past a null, if one comes next.
func (d *Decoder) Null() bool {
	return d.Next("null") || d.Peek() == 'n' && d.Next("null")
}

// Int64 reads an integer. A number such as 1.0 or 1e3 is one too.
func (d *Decoder) Int64(p *int64) bool {
	data, i := d.Data, d.Pos
	// Up to 18 digits cannot overflow.
	var n int64
	for i < len(data) && i-d.Pos < 18 && '0' <= data[i] && data[i] <= '9' {
		n = n*10 + int64(data[i]-'0')
		i++
	}
	if i > d.Pos && i < len(data) && (data[i] == ',' || data[i] == '}') && (data[d.Pos] != '0' || i == d.Pos+1) {
		d.Pos = i
		*p = n
		return true
	}
	return d.int64Slow(p)
}

func (d *Decoder) int64Slow(p *int64) bool {
	b, ok := d.Number()
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
		return d.Fail(codec.WrongKind, d.Pos-len(b), "want an integer, got a number with a fraction")
	case !fits:
		return d.Fail(codec.OutOfRange, d.Pos-len(b), "an integer of 64 bits")
	}
	*p = n
	return true
}

// Float64 reads a number.
func (d *Decoder) Float64(p *float64) bool {
	data, i := d.Data, d.Pos
	var n int64
	for i < len(data) && i-d.Pos < 15 && '0' <= data[i] && data[i] <= '9' {
		n = n*10 + int64(data[i]-'0')
		i++
	}
	if i > d.Pos && i < len(data) && (data[i] == ',' || data[i] == '}') && (data[d.Pos] != '0' || i == d.Pos+1) {
		d.Pos = i
		*p = float64(n)
		return true
	}
	b, ok := d.Number()
	if !ok {
		return false
	}
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil || math.IsInf(f, 0) {
		return d.Fail(codec.OutOfRange, d.Pos-len(b), "a number of 64 bits")
	}
	*p = f
	return true
}

// integer parses a number that ParseInt does not take, such as 1.50e1. It reports whether its value
// is an integer and whether that fits into 64 bits.
func integer(b []byte) (n int64, integral, fits bool) {
	neg := b[0] == '-'
	if neg {
		b = b[1:]
	}
	// digits d1...dk with the point after the first `point` of them
	var digits []byte
	point := -1
	exp := 0
	for i, c := range b {
		if c == '.' {
			point = len(digits)
		} else if c|0x20 == 'e' {
			e, _ := strconv.ParseInt(string(b[i+1:]), 10, 31) // the nearest of 31 bits if it is larger
			exp = int(e)
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
	for i := len(digits); i < point; i++ {
		text = append(text, '0')
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	return n, true, err == nil
}

// RawOf reads any value of the given kinds as text.
func (d *Decoder) RawOf(p *Raw, kinds jsontext.Kinds, want string) bool {
	if d.Kind()&kinds == 0 {
		return d.Mismatch(want)
	}
	return d.Raw(p)
}

// Raw reads any value as text. The text is checked to be JSON; duplicate members of objects inside
// it are looked for in the strict mode only.
func (d *Decoder) Raw(p *Raw) bool {
	d.Peek()
	start := d.Pos
	if !d.passed() && !d.Skip() || d.strict && !d.guess && !d.unique(start) {
		return false
	}
	b := d.Data[start:d.Pos]
	switch {
	case d.alias, d.long != nil && len(b) > maxShared:
		*p = Raw(b[:len(b):len(b)])
	case len(b) > maxShared:
		*p = append(Raw(nil), b...)
	default:
		c := d.room(len(b))
		copy(c, b)
		*p = c
	}
	return true
}

// unique goes back to a value that has been read and fails if an object in it has duplicate
// members.
func (d *Decoder) unique(start int) bool {
	d.Pos = start
	return d.Unique()
}

// Array reads an array: it calls element for each, at its position.
func (d *Decoder) Array(element func(i int) bool) bool {
	if !d.OpenArray() {
		return false
	}
	for i := 0; d.More(i); i++ {
		if !element(i) {
			return false
		}
	}
	return d.OK()
}

// Map reads an object whose members all are of one type: it calls member for each, at its value,
// which adds it to a map, also if it cannot be read, and returns the size of that.
func (d *Decoder) Map(member func(name string) (size int, ok bool)) bool {
	if !d.Open() {
		return false
	}
	for n := 1; ; n++ {
		key, ok := d.Key()
		if !ok {
			d.Depth--
			return d.OK()
		}
		at := d.Pos
		size, ok := member(d.copyString(key))
		if size != n {
			return d.Fail(codec.Duplicate, at, jsontext.DuplicateMember)
		}
		if !ok {
			return false
		}
	}
}

// OptionalBool reads a boolean into a variable of its own.
//
//go:noinline
func (d *Decoder) OptionalBool(p **bool) bool {
	v := new(bool)
	if !d.Bool(v) {
		return false
	}
	*p = v
	return true
}

// OptionalInt64 reads an integer into a variable of its own. A few of them share an allocation.
//
//go:noinline
func (d *Decoder) OptionalInt64(p **int64) bool {
	if len(d.ints) == 0 {
		d.ints = make([]int64, 8)
	}
	v := &d.ints[0]
	if !d.Int64(v) {
		return false
	}
	d.ints = d.ints[1:]
	*p = v
	return true
}

// OptionalFloat64 reads a number into a variable of its own. A few of them share an allocation.
//
//go:noinline
func (d *Decoder) OptionalFloat64(p **float64) bool {
	if len(d.floats) == 0 {
		d.floats = make([]float64, 8)
	}
	v := &d.floats[0]
	if !d.Float64(v) {
		return false
	}
	d.floats = d.floats[1:]
	*p = v
	return true
}
