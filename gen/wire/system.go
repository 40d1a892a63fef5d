package wire

import "github.com/ccwire/ccwire/gen/wire/internal/run"

// A SystemFrame is a line of the type system, whatever its subtype: every type whose name begins
// with System, and [*UnknownSystem]. One case of a type switch takes them all.
type SystemFrame interface {
	Frame
	// Subtype returns the tag "subtype".
	Subtype() string
	isSystemFrame()
}

// UnknownSystem is a system line whose subtype has no schema, kept as it is.
type UnknownSystem struct {
	UnknownFrame
}

func (*UnknownSystem) isSystemFrame() {}

// AppendJSON appends the raw value.
func (v *UnknownSystem) AppendJSON(dst []byte) ([]byte, error) {
	if v == nil {
		return dst, run.ErrNil("UnknownSystem")
	}
	return v.UnknownFrame.AppendJSON(dst)
}

// unknownFrame returns the frame for a line that no other arm takes.
func unknownFrame(raw Raw, err error) readable {
	if kind, _ := raw.Find("/type").Text(); kind == "system" {
		return &UnknownSystem{UnknownFrame{raw, err}}
	}
	return &UnknownFrame{raw, err}
}
