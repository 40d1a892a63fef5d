package codec

import (
	"bytes"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string. Control characters and the line
// separators U+0085, U+2028 and U+2029 are escaped, HTML characters are not. A
// lone surrogate that String has read is written as its escape again; any other
// text that is not UTF-8 is an error.
func AppendString(dst []byte, s string) ([]byte, error) {
	dst = append(dst, '"')
	i := 0
	for {
		start := i
		for i+8 <= len(s) {
			if m := special(loadString8(s, i)); m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				goto found
			}
			i += 8
		}
		if len(s) >= 8 && special(loadString8(s, len(s)-8)) == 0 {
			i = len(s)
		}
		for i < len(s) && s[i] >= ' ' && s[i] < utf8.RuneSelf && s[i] != '"' && s[i] != '\\' {
			i++
		}
	found:
		dst = append(dst, s[start:i]...)
		if i == len(s) {
			return append(dst, '"'), nil
		}
		c := s[i]
		if c < utf8.RuneSelf {
			dst = appendEscape(dst, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			if r = loneSurrogate(s[i:]); r == 0 {
				return dst, &Error{Kind: Unencodable, Offset: -1, Want: "text that is UTF-8"}
			}
			n = 3
			fallthrough
		case r == 0x85, r == 0x2028, r == 0x2029:
			dst = append(dst, '\\', 'u', hexDigits[r>>12], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
		default:
			dst = append(dst, s[i:i+n]...)
		}
		i += n
	}
}

// loneSurrogate returns the surrogate whose three bytes s starts with, or 0. Two
// that make a pair are not alone: their escapes would be read as one character.
func loneSurrogate(s string) rune {
	if len(s) < 3 || s[0] != 0xed || s[1] < 0xa0 || s[1] > 0xbf || s[2]&0xc0 != 0x80 {
		return 0
	}
	r := 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f)
	if isHigh(r) && isLow(loneSurrogate(s[3:])) {
		return 0
	}
	return r
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// AppendInt64 appends an integer.
func AppendInt64(dst []byte, n int64) ([]byte, error) { return strconv.AppendInt(dst, n, 10), nil }

// AppendBool appends true or false.
func AppendBool(dst []byte, b bool) ([]byte, error) { return strconv.AppendBool(dst, b), nil }

// AppendFloat64 appends a number in the shortest form that reads back the
// same. Infinities and NaN have no JSON form.
func AppendFloat64(dst []byte, f float64) ([]byte, error) {
	if n := int64(f); float64(n) == f && n > -1e15 && n < 1e15 && !(n == 0 && math.Signbit(f)) {
		return strconv.AppendInt(dst, n, 10), nil
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return dst, &Error{Kind: Unencodable, Offset: -1, Want: "a finite number"}
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && abs < 1e-6 || abs >= 1e21 {
		format = 'e'
	}
	return strconv.AppendFloat(dst, f, format, -1, 64), nil
}

// AppendRaw appends JSON text as it is, after checking it. Only what would
// break the line is changed: line breaks between tokens are left out, and
// U+0085, U+2028 and U+2029 inside strings are escaped.
func AppendRaw(dst []byte, r Raw) ([]byte, error) {
	if r == nil {
		return append(dst, "null"...), nil
	}
	var d Decoder
	d.Reset(r, nil)
	if !d.skip() || !d.Finish() {
		return dst, &Error{Kind: Unencodable, Offset: -1, Want: "raw JSON: " + d.Err().Error()}
	}
	if !breaksLine(r) {
		return append(dst, r...), nil
	}
	for len(r) > 0 {
		c := r[0]
		switch {
		case c == '\n' || c == '\r':
			r = r[1:] // checked above: outside a string
		case c == 0xc2 && r[1] == 0x85:
			dst = append(dst, `\u0085`...)
			r = r[2:]
		case c == 0xe2 && r[1] == 0x80 && (r[2] == 0xa8 || r[2] == 0xa9):
			dst = append(dst, `\u202`...)
			dst = append(dst, hexDigits[r[2]&15])
			r = r[3:]
		default:
			dst = append(dst, c)
			r = r[1:]
		}
	}
	return dst, nil
}

// breaksLine reports whether checked JSON text holds a line break of any sort.
func breaksLine(r []byte) bool {
	return bytes.IndexByte(r, '\n') >= 0 || bytes.IndexByte(r, '\r') >= 0 ||
		bytes.IndexByte(r, 0xc2) >= 0 && bytes.Contains(r, []byte("\u0085")) ||
		bytes.IndexByte(r, 0xe2) >= 0 && (bytes.Contains(r, []byte("\u2028")) || bytes.Contains(r, []byte("\u2029")))
}

// AppendSlice appends an array, each element with write.
func AppendSlice[T any](dst []byte, s []T, write func(*T, []byte) ([]byte, error)) ([]byte, error) {
	dst = append(dst, '[')
	for i := range s {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = write(&s[i], dst); err != nil {
			return dst, In(err, strconv.Itoa(i))
		}
	}
	return append(dst, ']'), nil
}

// AppendMap appends an object, each member with write, sorted by name.
func AppendMap[T any](dst []byte, m map[string]T, write func(*T, []byte) ([]byte, error)) ([]byte, error) {
	start := len(dst)
	for _, name := range sortedKeys(m) {
		var err error
		dst = append(dst, ',')
		if dst, err = AppendString(dst, name); err != nil {
			return dst, In(err, name)
		}
		dst = append(dst, ':')
		v := m[name]
		if dst, err = write(&v, dst); err != nil {
			return dst, In(err, name)
		}
	}
	return braces(dst, start), nil
}

// AppendNullable appends the value, or null where there is none.
func AppendNullable[T any](dst []byte, n Nullable[T], write func(*T, []byte) ([]byte, error)) ([]byte, error) {
	if !n.Valid {
		return append(dst, "null"...), nil
	}
	return write(&n.Value, dst)
}

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// The writers of plain values in the form that AppendSlice, AppendMap and
// AppendNullable take.

func WriteString(p *string, dst []byte) ([]byte, error)   { return AppendString(dst, *p) }
func WriteBool(p *bool, dst []byte) ([]byte, error)       { return AppendBool(dst, *p) }
func WriteInt64(p *int64, dst []byte) ([]byte, error)     { return AppendInt64(dst, *p) }
func WriteFloat64(p *float64, dst []byte) ([]byte, error) { return AppendFloat64(dst, *p) }
func WriteRaw(p *Raw, dst []byte) ([]byte, error)         { return AppendRaw(dst, *p) }

// An Appender appends its JSON form to a buffer.
type Appender interface {
	AppendJSON(dst []byte) ([]byte, error)
}

// ErrNil returns the error for a nil pointer where a value is to be encoded.
func ErrNil(name string) error {
	return &Error{Kind: Unencodable, Offset: -1, Want: "a " + name + ", not a nil pointer"}
}

// AppendUnknown appends an arm of a union that the schemas do not know. It must
// have been decoded, or be an object whose member tag is a string.
func AppendUnknown(dst []byte, r Raw, tag string, malformed bool) ([]byte, error) {
	if r == nil {
		return dst, &Error{Kind: Unencodable, Offset: -1, Want: "raw JSON, not nil"}
	}
	if !malformed {
		if _, ok := Find(r, "/"+tag).Text(); !ok {
			return dst, ErrAbsent(tag)
		}
	}
	return AppendRaw(dst, r)
}
