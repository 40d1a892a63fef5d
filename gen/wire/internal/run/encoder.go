package run

import (
	"reflect"
	"slices"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
)

// An Encoder appends the members of one object. The key of a member is the text before its value,
// `,"name":`. After an error nothing more is appended.
//
// Its methods are called from a thousand places and never inlined there: that would cost more time
// to compile than it saves to run.
type Encoder struct {
	buf   []byte
	start int
	extra *Members
	err   error
}

// Encode returns an Encoder that appends to dst. Extra are the members beside those that the schema
// names. A Decoder has put those there too that it could not read, and marks of those that were not
// there: a required member of such a name is not written as long as its field has no value.
func Encode(dst []byte, extra *Members) Encoder {
	return Encoder{buf: dst, start: len(dst), extra: extra}
}

// kept reports whether the member of a key is among the members beside those of the schema.
func (e *Encoder) kept(key string) bool {
	return e.extra != nil && e.extra.Has(keyName(key))
}

// Const appends members whose values are fixed, keys included.
//
//go:noinline
func (e *Encoder) Const(members string) {
	if e.err == nil {
		e.buf = append(e.buf, members...)
	}
}

// String appends a string.
//
//go:noinline
func (e *Encoder) String(key, s string) {
	if s != "" || !e.kept(key) {
		e.text(key, s)
	}
}

func (e *Encoder) text(key, s string) {
	if e.err != nil {
		return
	}
	var ok bool
	if e.buf, ok = jsontext.AppendString(append(e.buf, key...), s); !ok {
		e.err = in(errNotUTF8, keyName(key))
	}
}

// NonEmpty appends a string; an empty one is an error.
//
//go:noinline
func (e *Encoder) NonEmpty(key, s string) {
	if e.err == nil && s == "" && !e.kept(key) {
		e.err = errAbsent(keyName(key))
	}
	e.String(key, s)
}

// Only appends a string that has one known value, which stands in for an empty one.
//
//go:noinline
func (e *Encoder) Only(key, s, value string) {
	if s == "" && !e.kept(key) {
		s = value
	}
	e.String(key, s)
}

// Int64 appends an integer.
//
//go:noinline
func (e *Encoder) Int64(key string, n int64) {
	if n != 0 || !e.kept(key) {
		e.integer(key, n)
	}
}

func (e *Encoder) integer(key string, n int64) {
	if e.err == nil {
		e.buf, e.err = AppendInt64(append(e.buf, key...), n)
	}
}

// Float64 appends a number.
//
//go:noinline
func (e *Encoder) Float64(key string, n float64) {
	if n != 0 || !e.kept(key) {
		e.number(key, n)
	}
}

func (e *Encoder) number(key string, n float64) {
	if e.err != nil {
		return
	}
	var err error
	e.buf, err = AppendFloat64(append(e.buf, key...), n)
	e.check(key, err)
}

// Bool appends true or false.
//
//go:noinline
func (e *Encoder) Bool(key string, b bool) {
	if b || !e.kept(key) {
		e.boolean(key, b)
	}
}

func (e *Encoder) boolean(key string, b bool) {
	if e.err == nil {
		e.buf, e.err = AppendBool(append(e.buf, key...), b)
	}
}

// Raw appends raw JSON; nil is an error.
//
//go:noinline
func (e *Encoder) Raw(key string, r Raw) {
	if e.err != nil {
		return
	}
	if r == nil {
		e.absent(key)
		return
	}
	var err error
	e.buf, err = AppendRaw(append(e.buf, key...), r)
	e.check(key, err)
}

// RawOf appends raw JSON of the given kinds; nil is an error.
//
//go:noinline
func (e *Encoder) RawOf(key string, r Raw, kinds jsontext.Kinds, want string) {
	if e.err != nil {
		return
	}
	if r == nil {
		e.absent(key)
		return
	}
	var err error
	e.buf, err = AppendRawOf(append(e.buf, key...), r, kinds, want)
	e.check(key, err)
}

// absent handles a required member without a value: an error, unless it was read so.
func (e *Encoder) absent(key string) {
	if !e.kept(key) {
		e.err = errAbsent(keyName(key))
	}
}

// Value appends an object, or an arm of a union; nil is an error.
//
//go:noinline
func (e *Encoder) Value(key string, v Appender) {
	if e.err != nil {
		return
	}
	if v == nil {
		e.absent(key)
		return
	}
	if e.kept(key) && isUnset(v) {
		return
	}
	var err error
	e.buf, err = v.AppendJSON(append(e.buf, key...))
	e.check(key, err)
}

// isUnset reports whether v points to the zero value, or is an unknown arm without its text.
func isUnset(v Appender) bool {
	if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer && !p.IsNil() && p.Elem().IsZero() {
		return true
	}
	_, err := v.AppendJSON(nil)
	return err == errNoText
}

// Null appends a null.
//
//go:noinline
func (e *Encoder) Null(key string) {
	if e.err == nil && !e.kept(key) {
		e.buf = append(append(e.buf, key...), "null"...)
	}
}

// Strings appends an array of strings; nil is an empty one.
//
//go:noinline
func (e *Encoder) Strings(key string, s []string) {
	if e.err != nil || s == nil && e.kept(key) {
		return
	}
	var err error
	e.buf, err = AppendStrings(append(e.buf, key...), s)
	e.check(key, err)
}

// List appends an array of n elements, each with write.
//
//go:noinline
func (e *Encoder) List(key string, n int, write func(dst []byte, i int) ([]byte, error)) {
	if n != 0 || !e.kept(key) {
		e.list(key, n, write)
	}
}

func (e *Encoder) list(key string, n int, write func(dst []byte, i int) ([]byte, error)) {
	if e.err != nil {
		return
	}
	var err error
	e.buf, err = AppendList(append(e.buf, key...), n, write)
	e.check(key, err)
}

// Map appends an object with the members of the names, in their order, each with write.
//
//go:noinline
func (e *Encoder) Map(key string, names []string, write func(dst []byte, name string) ([]byte, error)) {
	if len(names) != 0 || !e.kept(key) {
		e.object(key, names, write)
	}
}

func (e *Encoder) object(key string, names []string, write func(dst []byte, name string) ([]byte, error)) {
	if e.err != nil {
		return
	}
	var err error
	e.buf, err = AppendMap(append(e.buf, key...), names, write)
	e.check(key, err)
}

// The methods for optional members append nothing for nil.

// OptionalString appends a string.
//
//go:noinline
func (e *Encoder) OptionalString(key string, s *string) {
	if s != nil {
		e.text(key, *s)
	}
}

// OptionalInt64 appends an integer.
//
//go:noinline
func (e *Encoder) OptionalInt64(key string, n *int64) {
	if n != nil {
		e.integer(key, *n)
	}
}

// OptionalFloat64 appends a number.
//
//go:noinline
func (e *Encoder) OptionalFloat64(key string, n *float64) {
	if n != nil {
		e.number(key, *n)
	}
}

// OptionalBool appends true or false.
//
//go:noinline
func (e *Encoder) OptionalBool(key string, b *bool) {
	if b != nil {
		e.boolean(key, *b)
	}
}

// OptionalRaw appends raw JSON.
//
//go:noinline
func (e *Encoder) OptionalRaw(key string, r Raw) {
	if r != nil {
		e.Raw(key, r)
	}
}

// OptionalRawOf appends raw JSON of the given kinds.
//
//go:noinline
func (e *Encoder) OptionalRawOf(key string, r Raw, kinds jsontext.Kinds, want string) {
	if r != nil {
		e.RawOf(key, r, kinds, want)
	}
}

// OptionalValue appends an object, or an arm of a union, that is there.
//
//go:noinline
func (e *Encoder) OptionalValue(key string, there bool, v Appender) {
	if there && e.err == nil {
		var err error
		e.buf, err = v.AppendJSON(append(e.buf, key...))
		e.check(key, err)
	}
}

// OptionalList appends an array that is there.
//
//go:noinline
func (e *Encoder) OptionalList(key string, there bool, n int, write func(dst []byte, i int) ([]byte, error)) {
	if there {
		e.list(key, n, write)
	}
}

// OptionalMap appends an object of values by name that is there.
//
//go:noinline
func (e *Encoder) OptionalMap(key string, there bool, names []string, write func(dst []byte, name string) ([]byte, error)) {
	if there {
		e.object(key, names, write)
	}
}

// OptionalStrings appends an array of strings.
//
//go:noinline
func (e *Encoder) OptionalStrings(key string, s []string) {
	if s != nil {
		e.Strings(key, s)
	}
}

// End appends the unknown members and makes an object of all. A member that the object has already
// is left out: a field that was set since wins over the raw value kept for it. Two unknown members
// of one name are an error.
func (e *Encoder) End() ([]byte, error) {
	if e.err == nil && e.extra != nil {
		e.more(*e.extra)
	}
	if e.err != nil {
		return e.buf, e.err
	}
	return braces(e.buf, e.start), nil
}

func (e *Encoder) more(extra Members) {
	end := len(e.buf)
	var taken map[string]bool // where extra is long: members of the object (true), and of extra
	if len(extra) > 8 {
		taken = make(map[string]bool, len(extra))
		hasMember(e.buf[e.start:end], func(name []byte) bool { taken[string(name)] = true; return false })
	}
	for i := range extra {
		m := &extra[i]
		set, repeats := taken[m.Name]
		if taken == nil {
			set = hasMember(e.buf[e.start:end], func(name []byte) bool { return string(name) == m.Name })
			repeats = slices.ContainsFunc(extra[:i], func(o codec.Member) bool { return o.Name == m.Name })
		}
		if set || m.Value == nil {
			continue
		}
		var err error
		if repeats {
			err = &Error{Kind: codec.Duplicate, Offset: -1, Want: jsontext.DuplicateMember}
		}
		if taken != nil {
			taken[m.Name] = false
		}
		if err == nil {
			e.buf, err = AppendString(append(e.buf, ','), m.Name)
		}
		if err == nil {
			e.buf, err = AppendRaw(append(e.buf, ':'), m.Value)
		}
		if err != nil {
			e.err = in(err, m.Name)
			return
		}
	}
}

// check keeps the error of a member's value.
func (e *Encoder) check(key string, err error) {
	if err != nil {
		e.err = in(err, keyName(key))
	}
}

// keyName returns the name inside `,"name":`.
func keyName(key string) string { return key[2 : len(key)-2] }

// braces turns the members appended since start, each with a comma before it, into an object.
func braces(dst []byte, start int) []byte {
	if len(dst) == start {
		return append(dst, "{}"...)
	}
	dst[start] = '{'
	return append(dst, '}')
}

// hasMember reports whether members, each with a comma before it, has one whose name matches.
func hasMember(members []byte, matches func(name []byte) bool) bool {
	if len(members) == 0 {
		return false
	}
	s := jsontext.NewScanner(members)
	for {
		key, ok := s.Key()
		if !ok {
			return false
		}
		if matches(key) {
			return true
		}
		if !s.Hop() {
			return false
		}
	}
}
