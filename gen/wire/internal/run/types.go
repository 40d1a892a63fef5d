package run

import (
	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
)

// What people handle by hand, under short names.
type (
	Appender  = codec.Appender
	Deviation = codec.Deviation
	Error     = codec.Error
	ErrorKind = codec.ErrorKind
	Members   = codec.Members
	Options   = codec.Options
	Raw       = codec.Raw
)

// The kinds of faults of a text are error kinds of the same number. This does not compile if they
// are not.
const (
	_ = -(uint8(codec.Syntax) - uint8(jsontext.Syntax))
	_ = -(uint8(codec.WrongKind) - uint8(jsontext.WrongKind))
	_ = -(uint8(codec.Duplicate) - uint8(jsontext.Duplicate))
	_ = -(uint8(codec.TooDeep) - uint8(jsontext.TooDeep))
	_ = -uint(codec.DefaultMaxDepth - jsontext.DefaultMaxDepth)
)

// The kinds of JSON values.
const (
	KindString  = jsontext.KindString
	KindNumber  = jsontext.KindNumber
	KindBoolean = jsontext.KindBoolean
	KindNull    = jsontext.KindNull
	KindObject  = jsontext.KindObject
	KindArray   = jsontext.KindArray
)
