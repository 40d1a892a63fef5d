package codec

import (
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/jsontext"
)

// An ErrorKind classifies what is wrong with a line or a value. It is an error too, for errors.Is:
// errors.Is(err, codec.Missing).
type ErrorKind uint8

const (
	Syntax      ErrorKind = iota + 1 // not JSON
	BadUTF8                          // text that is not UTF-8
	Duplicate                        // a duplicate member of an object
	TooDeep                          // nesting past the limit
	TooLong                          // a line past the limit
	Missing                          // a required member is absent
	WrongKind                        // a value of another JSON kind than the schema wants
	OutOfRange                       // a number that its type cannot hold
	NotAllowed                       // strict mode only: what the tolerant mode would keep and report
	Unencodable                      // a Go value that has no JSON form
)

var errorNames = [...]string{"", "invalid JSON", "invalid UTF-8", "duplicate member", "nesting too deep", "line too long",
	"missing member", "wrong kind", "number out of range", "not allowed by the strict mode", "cannot be encoded"}

// Error returns the kind in words.
func (k ErrorKind) Error() string { return nameOf(errorNames[:], uint8(k)) }

// nameOf returns a kind in words; a kind that does not exist is a number.
func nameOf(names []string, k uint8) string {
	if int(k) < len(names) {
		return names[k]
	}
	return "kind " + strconv.Itoa(int(k))
}

// An Error says what is wrong with a line, and where.
type Error struct {
	Kind   ErrorKind
	Path   string // JSON pointer of the value at fault; of the absent member for Missing
	Offset int    // byte offset into the line; -1 for an error of encoding
	Want   string // what was expected, or what was found
	Err    error  // the cause, where it is an error of other code

	// RequestID is the id of the control request that the line carries, so that a request that does
	// not decode can still be answered. It is empty for every other line.
	RequestID string
}

// Error returns kind, place and expectation as one line. A very long path is shortened.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Kind.Error())
	if e.Path != "" {
		b.WriteString(" at ")
		b.WriteString(jsontext.Shorten(e.Path, 256))
	}
	if e.Offset >= 0 {
		b.WriteString(" (byte ")
		b.WriteString(strconv.Itoa(e.Offset))
		b.WriteString(")")
	}
	if e.Want != "" {
		b.WriteString(": ")
		b.WriteString(e.Want)
	}
	return b.String()
}

// Is reports whether target is the kind of the error.
func (e *Error) Is(target error) bool { return target == error(e.Kind) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
