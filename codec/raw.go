package codec

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/ccwire/ccwire/internal/jsontext"
)

// Raw is a JSON value kept as text, byte for byte as it stood in the line. A nil Raw means that the
// member is absent.
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
func (r Raw) Text() (string, bool) { return jsontext.Text(r) }

// Find returns the value that a JSON pointer of object members leads to, or nil; the empty pointer
// leads to the whole value. It is nil too where r is not JSON, or the pointer is neither empty nor
// begins with a slash. The value shares the memory of r. Of duplicate members it finds the first.
func (r Raw) Find(pointer string) Raw {
	at, ok := jsontext.Find(r, pointer)
	if !ok {
		return nil
	}
	return r[at.Start:at.End:at.End]
}

// A Member is one member of an object: its name and its value as text. A decoder adds one without a
// value for a required member that the object lacks, so that encoding does not invent it.
type Member struct {
	Name  string
	Value Raw
}

// Members are members in the order of the line. Few objects have any that the schema does not name,
// so their types hold a pointer.
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

// Has reports whether there is a member of the name, with or without a value. For a required member
// it means that the field of the same name has no value: it is missing, or of another kind.
func (m *Members) Has(name string) bool {
	for _, member := range m.List() {
		if member.Name == name {
			return true
		}
	}
	return false
}

// An Appender appends its JSON form to a buffer.
type Appender interface {
	AppendJSON(dst []byte) ([]byte, error)
}

// Nullable is a member that may be absent, null or a value. Its zero value is absent; a required
// member then is written as null.
type Nullable[T any] struct {
	Value T
	Valid bool // there is a value
	Null  bool // the member is there and null
}

// Some returns a Nullable that holds v.
func Some[T any](v T) Nullable[T] { return Nullable[T]{Value: v, Valid: true} }

// Null returns a Nullable that is the JSON null.
func Null[T any]() Nullable[T] { return Nullable[T]{Null: true} }

// SomeOrNull returns a Nullable that holds what p points to, or is null where p is nil.
func SomeOrNull[T any](p *T) Nullable[T] {
	if p == nil {
		return Null[T]()
	}
	return Some(*p)
}

// MarshalJSON returns the value's JSON, or null where there is none.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	if !n.Valid {
		return []byte("null"), nil
	}
	return json.Marshal(&n.Value)
}

// UnmarshalJSON reads null or a value.
func (n *Nullable[T]) UnmarshalJSON(data []byte) error {
	if Raw(data).IsNull() {
		*n = Null[T]()
		return nil
	}
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	*n = Some(v)
	return nil
}

// Absent reports whether the member is not there at all.
func (n Nullable[T]) Absent() bool { return !n.Valid && !n.Null }

// Ptr returns a pointer to a copy of the value, nil where there is none.
func (n Nullable[T]) Ptr() *T {
	if !n.Valid {
		return nil
	}
	return &n.Value
}

// Or returns the value, or other where there is none.
func (n Nullable[T]) Or(other T) T {
	if !n.Valid {
		return other
	}
	return n.Value
}
