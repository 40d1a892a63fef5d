package schema

import (
	"fmt"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
)

const (
	// MaxSize is the length in bytes of the longest document that is looked at.
	MaxSize = codec.DefaultMaxLine

	// MaxDepth is how deep arrays and objects may be nested.
	MaxDepth = codec.DefaultMaxDepth
)

// scan reports why text is not one JSON value within the limits, nil if it is. Duplicate members
// are an error wherever they are.
func scan(text []byte) *codec.Error {
	if len(text) > MaxSize {
		return &codec.Error{Kind: codec.TooLong, Offset: MaxSize, Want: fmt.Sprintf("it has %d bytes, the limit is %d", len(text), MaxSize)}
	}
	f := jsontext.Check(text, MaxDepth)
	if f == nil {
		return nil
	}
	return &codec.Error{Kind: codec.ErrorKind(f.Kind), Path: jsontext.PathAt(text, f.At), Offset: f.At, Want: f.Want}
}

// notObject is the error for a text that is JSON but not an object.
func notObject(text []byte, kind string) *codec.Error {
	s := jsontext.NewScanner(text)
	s.Peek()
	return &codec.Error{Kind: codec.WrongKind, Offset: s.Pos, Want: "want an object, got " + article(kind)}
}
