package codec

import (
	"bytes"
	"errors"
)

// Raw is a JSON value kept as text, byte for byte as it stood in the line. A
// nil Raw means that the member is absent.
type Raw []byte

// MarshalJSON returns the text itself, or null for a nil Raw.
func (r Raw) MarshalJSON() ([]byte, error) {
	if r == nil {
		return []byte("null"), nil
	}
	return r, nil
}

// UnmarshalJSON keeps a copy of the text.
func (r *Raw) UnmarshalJSON(b []byte) error {
	if r == nil {
		return errors.New("codec: UnmarshalJSON on a nil Raw")
	}
	*r = append((*r)[:0:0], b...)
	return nil
}

// String returns the text.
func (r Raw) String() string { return string(r) }

// IsNull reports whether the value is the JSON null.
func (r Raw) IsNull() bool { return string(bytes.TrimSpace(r)) == "null" }

// Text returns the value of a JSON string, and whether it is one.
func (r Raw) Text() (string, bool) {
	var d Decoder
	d.Reset(r, nil)
	var s string
	if d.String(&s) && d.Finish() {
		return s, true
	}
	return "", false
}

// A Member is one member of an object: its name and its value as text.
type Member struct {
	Name  string
	Value Raw
}

// Members are members in the order of the line. Few objects have any that the
// schema does not name, so their types hold a pointer.
type Members []Member

// List returns the members; there are none behind a nil pointer.
func (m *Members) List() []Member {
	if m == nil {
		return nil
	}
	return *m
}

// Get returns the value of the first member with the name, or nil.
func (m *Members) Get(name string) Raw {
	for _, member := range m.List() {
		if member.Name == name {
			return member.Value
		}
	}
	return nil
}

// addMember appends a member to those of *to.
func addMember(to **Members, name string, v Raw) {
	if *to == nil {
		*to = new(Members)
	}
	**to = append(**to, Member{name, v})
}

// Nullable is a member that may be absent, null or a value. Its zero value is
// absent; a required member then is written as null.
type Nullable[T any] struct {
	Value T
	Valid bool // there is a value
	Null  bool // the member is there and null
}

// Some returns a Nullable that holds v.
func Some[T any](v T) Nullable[T] { return Nullable[T]{Value: v, Valid: true} }

// Null returns a Nullable that is the JSON null.
func Null[T any]() Nullable[T] { return Nullable[T]{Null: true} }

// Absent reports whether the member is not there at all.
func (n Nullable[T]) Absent() bool { return !n.Valid && !n.Null }
