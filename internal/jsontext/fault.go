package jsontext

import "strconv"

// A Kind says what is wrong with a text. The values are those of the kinds of package codec, which
// has more of them.
type Kind uint8

const (
	Syntax    Kind = iota + 1 // not JSON
	BadUTF8                   // text that is not UTF-8
	Duplicate                 // a duplicate member of an object
	TooDeep                   // nesting past the limit
	TooLong                   // a text past the limit
	Missing                   // a required member is absent
	WrongKind                 // a value of another JSON kind than wanted
)

// A Fault is what is wrong with a text, and where. The zero Fault is none.
type Fault struct {
	Kind Kind
	At   int    // byte offset
	Want string // what was expected, or what was found
}

// Error returns the expectation and the offset.
func (f *Fault) Error() string { return f.Want + " at byte " + strconv.Itoa(f.At) }

// DuplicateMember is what a Fault of the kind Duplicate says.
const DuplicateMember = "a member of this name is there already"
