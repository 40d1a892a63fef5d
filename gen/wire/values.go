package wire

import (
	"errors"

	"github.com/ccwire/ccwire/codec"
)

// What package codec has for those who handle values by hand, so that whoever decodes lines imports
// this package alone. A member that may be null is a [codec.Nullable]; [Some] and [Null] make one.
type (
	// Raw is a JSON value kept as text.
	Raw = codec.Raw
	// Members are the members of an object that its schema does not name.
	Members = codec.Members
	// An Error says what is wrong with a line or a value, and where.
	Error = codec.Error
	// Options say how a line is decoded.
	Options = codec.Options
	// A Deviation is something that the tolerant mode accepts but that the schemas do not name.
	Deviation = codec.Deviation
	// An Appender appends its JSON form to a buffer.
	Appender = codec.Appender
)

// Some returns a Nullable that holds v.
func Some[T any](v T) codec.Nullable[T] { return codec.Some(v) }

// Null returns a Nullable that is the JSON null.
func Null[T any]() codec.Nullable[T] { return codec.Null[T]() }

// SomeOrNull returns a Nullable that holds what p points to, or is null where p is nil.
func SomeOrNull[T any](p *T) codec.Nullable[T] { return codec.SomeOrNull(p) }

// Ptr returns a pointer to v, for optional members.
func Ptr[T any](v T) *T { return &v }

// Value returns what an optional member points to, or the zero value where it is absent.
func Value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

var (
	// ErrNotHandled is what a [Handler] returns for a request that it does not take.
	ErrNotHandled = errors.New("the request is not handled")
	// ErrNilAnswer is what [Dispatch] returns where a [Handler] returns neither an answer nor an
	// error. The request must still be answered.
	ErrNilAnswer = errors.New("the handler returned neither an answer nor an error")
)

// notHandled returns the error for a request that no method takes.
func notHandled(r Request) error {
	if u, ok := r.(*UnknownRequest); ok && u.Err != nil {
		return &brokenRequest{u.Err}
	}
	return ErrNotHandled
}

// A brokenRequest is [ErrNotHandled] with the reason.
type brokenRequest struct{ why error }

func (e *brokenRequest) Error() string   { return ErrNotHandled.Error() + ": " + e.why.Error() }
func (e *brokenRequest) Unwrap() []error { return []error{ErrNotHandled, e.why} }

// SessionID returns the id of the session that a frame, or the input of a hook, names; "" if it
// names none.
func SessionID(v Appender) string {
	if s, ok := v.(interface{ sessionID() string }); ok {
		return s.sessionID()
	}
	return ""
}

func (v *UnknownFrame) sessionID() string { return textOf(v.Raw, "/session_id") }
