package run

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"sort"
	"strconv"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
)

// AppendString appends s as a JSON string. Control characters and the line separators U+0085,
// U+2028 and U+2029 are escaped, HTML characters are not. A lone surrogate that String has read is
// written as its escape again; any other text that is not UTF-8 is an error.
func AppendString(dst []byte, s string) ([]byte, error) {
	dst, ok := jsontext.AppendString(dst, s)
	if !ok {
		return dst, errNotUTF8
	}
	return dst, nil
}

var errNotUTF8 = &Error{Kind: codec.Unencodable, Offset: -1, Want: "text that is UTF-8"}

// AppendInt64 appends an integer.
func AppendInt64(dst []byte, n int64) ([]byte, error) { return strconv.AppendInt(dst, n, 10), nil }

// AppendBool appends true or false.
func AppendBool(dst []byte, b bool) ([]byte, error) { return strconv.AppendBool(dst, b), nil }

// AppendFloat64 appends a number in the shortest form that reads back the same. Infinities and NaN
// have no JSON form.
func AppendFloat64(dst []byte, f float64) ([]byte, error) {
	if n := int64(f); float64(n) == f && n > -1e15 && n < 1e15 && !(n == 0 && math.Signbit(f)) {
		return strconv.AppendInt(dst, n, 10), nil
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return dst, &Error{Kind: codec.Unencodable, Offset: -1, Want: "a finite number"}
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && abs < 1e-6 || abs >= 1e21 {
		format = 'e'
	}
	return strconv.AppendFloat(dst, f, format, -1, 64), nil
}

// AppendRaw appends JSON text as it is, after checking it. Only what would break the line is
// changed: line breaks between tokens are left out, and U+0085, U+2028 and U+2029 inside strings
// are escaped.
func AppendRaw(dst []byte, r Raw) ([]byte, error) {
	if r == nil {
		return append(dst, "null"...), nil
	}
	s := jsontext.NewScanner(r)
	if !s.Skip() || !s.Finish() {
		d := Decoder{Scanner: s}
		return dst, &Error{Kind: codec.Unencodable, Offset: -1, Want: "raw JSON: " + d.Err().Error()}
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
			dst = append(dst, '0'+r[2]&15) // 8 or 9
			r = r[3:]
		default:
			dst = append(dst, c)
			r = r[1:]
		}
	}
	return dst, nil
}

// AppendRawOf is AppendRaw for a value of the given kinds.
func AppendRawOf(dst []byte, r Raw, kinds jsontext.Kinds, want string) ([]byte, error) {
	if s := jsontext.NewScanner(r); s.Kind()&kinds == 0 {
		return dst, &Error{Kind: codec.Unencodable, Offset: -1, Want: "raw JSON that is " + want}
	}
	return AppendRaw(dst, r)
}

// breaksLine reports whether checked JSON text holds a line break of any sort.
func breaksLine(r []byte) bool {
	return bytes.IndexByte(r, '\n') >= 0 || bytes.IndexByte(r, '\r') >= 0 ||
		bytes.IndexByte(r, 0xc2) >= 0 && bytes.Contains(r, []byte("\u0085")) ||
		bytes.IndexByte(r, 0xe2) >= 0 && (bytes.Contains(r, []byte("\u2028")) || bytes.Contains(r, []byte("\u2029")))
}

// AppendList appends an array of n elements, each with write.
func AppendList(dst []byte, n int, write func(dst []byte, i int) ([]byte, error)) ([]byte, error) {
	dst = append(dst, '[')
	for i := 0; i < n; i++ {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = write(dst, i); err != nil {
			return dst, in(err, strconv.Itoa(i))
		}
	}
	return append(dst, ']'), nil
}

// AppendStrings appends an array of strings.
func AppendStrings(dst []byte, s []string) ([]byte, error) {
	return AppendList(dst, len(s), func(dst []byte, i int) ([]byte, error) { return AppendString(dst, s[i]) })
}

// AppendMap appends an object with the members of the names, in their order, each with write.
func AppendMap(dst []byte, names []string, write func(dst []byte, name string) ([]byte, error)) ([]byte, error) {
	start := len(dst)
	for _, name := range names {
		var err error
		if dst, err = AppendString(append(dst, ','), name); err == nil {
			dst, err = write(append(dst, ':'), name)
		}
		if err != nil {
			return dst, in(err, name)
		}
	}
	return braces(dst, start), nil
}

// Names returns the names of a map's members, sorted.
func Names[T any](m map[string]T) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// AppendValue appends an arm of the union of that name; nil is an error.
func AppendValue(dst []byte, union string, v Appender) ([]byte, error) {
	if v == nil {
		return dst, ErrNil(union)
	}
	return v.AppendJSON(dst)
}

// AppendUnknown appends an arm of a union that the schemas do not know. It must have been decoded,
// or be an object whose member tag is a string.
func AppendUnknown(dst []byte, r Raw, tag string, malformed bool) ([]byte, error) {
	if r == nil {
		return dst, errNoText
	}
	if !malformed {
		if _, ok := r.Find("/" + tag).Text(); !ok {
			return dst, errAbsent(tag)
		}
	}
	return AppendRaw(dst, r)
}

// errNoText is the error for an unknown arm of a union without its text.
var errNoText error = &Error{Kind: codec.Unencodable, Offset: -1, Want: "raw JSON, not nil"}

// ErrNil returns the error for a nil pointer where a value is to be encoded.
//
//go:noinline
func ErrNil(name string) error {
	return &Error{Kind: codec.Unencodable, Offset: -1, Want: "a " + name + ", not a nil pointer"}
}

// ErrChoice returns the error for a choice between kinds of which not exactly one field is set.
//
//go:noinline
func ErrChoice(name string, isSet ...bool) error {
	kind := codec.Missing
	if slices.Contains(isSet, true) {
		kind = codec.Unencodable
	}
	return &Error{Kind: kind, Offset: -1, Want: "exactly one field of " + name}
}

// errAbsent returns the error for a required member that has no value to encode.
func errAbsent(member string) error {
	return &Error{Kind: codec.Missing, Path: "/" + jsontext.EscapePointer(member), Offset: -1, Want: "a value is required"}
}

// in puts a member's name in front of the path of an encoding error.
func in(err error, member string) error {
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Kind: codec.Unencodable, Offset: -1, Want: err.Error(), Err: err}
	}
	c := *e
	c.Path = "/" + jsontext.EscapePointer(member) + c.Path
	return &c
}
