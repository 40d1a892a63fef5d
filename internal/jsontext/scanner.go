package jsontext

import (
	"math/bits"
	"strconv"
)

// DefaultMaxDepth is how deep objects and arrays may nest where nobody says otherwise.
const DefaultMaxDepth = 1000

// A Scanner moves over a JSON text. After a value the position is right after it.
type Scanner struct {
	Data     []byte
	Pos      int
	Depth    int // of the objects and arrays that the position is in
	MaxDepth int // that Depth may reach
	Fault    Fault

	name []byte // a member's name that had escapes
}

// NewScanner returns a Scanner of a text that may nest to DefaultMaxDepth.
func NewScanner(text []byte) Scanner { return Scanner{Data: text, MaxDepth: DefaultMaxDepth} }

// Fail records a failure at an offset. It returns false, so that a reader can return it.
func (s *Scanner) Fail(kind Kind, at int, want string) bool {
	s.Fault = Fault{kind, at, want}
	return false
}

// OK reports whether nothing has failed.
func (s *Scanner) OK() bool { return s.Fault.Kind == 0 }

// Finish reports whether nothing but space is left, and fails otherwise. The first failure stays.
func (s *Scanner) Finish() bool {
	if !s.OK() {
		return false
	}
	s.space()
	if s.Pos < len(s.Data) {
		return s.Fail(Syntax, s.Pos, "the end of the line")
	}
	return true
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func (s *Scanner) space() {
	for s.Pos < len(s.Data) && isSpace(s.Data[s.Pos]) {
		s.Pos++
	}
}

// Peek moves to the next value and returns its first byte, or 0 at the end of the text.
func (s *Scanner) Peek() byte {
	if s.Pos < len(s.Data) {
		if c := s.Data[s.Pos]; c > ' ' {
			return c
		}
		s.space()
		if s.Pos < len(s.Data) {
			return s.Data[s.Pos]
		}
	}
	return 0
}

// Kinds is a set of JSON kinds.
type Kinds uint8

const (
	KindString Kinds = 1 << iota
	KindNumber
	KindBoolean
	KindNull
	KindObject
	KindArray
)

// Kind returns the kind of the next value without reading it; 0 if there is none.
func (s *Scanner) Kind() Kinds { return kindOf(s.Peek()) }

func kindOf(c byte) Kinds {
	switch c {
	case '"':
		return KindString
	case '{':
		return KindObject
	case '[':
		return KindArray
	case 't', 'f':
		return KindBoolean
	case 'n':
		return KindNull
	}
	if c == '-' || '0' <= c && c <= '9' {
		return KindNumber
	}
	return 0
}

var kindNames = map[Kinds]string{KindString: "a string", KindNumber: "a number", KindBoolean: "a boolean",
	KindNull: "null", KindObject: "an object", KindArray: "an array"}

// Mismatch fails because the next value is not what is wanted. Text that cannot begin a JSON value
// is a syntax error instead.
func (s *Scanner) Mismatch(want string) bool {
	kind := kindOf(s.Peek())
	switch {
	case s.Pos >= len(s.Data):
		return s.Fail(Syntax, s.Pos, "a value, found the end of the line")
	case kind == 0:
		return s.Fail(Syntax, s.Pos, "a value")
	}
	return s.Fail(WrongKind, s.Pos, "want "+want+", got "+kindNames[kind])
}

// Next moves past lit if it comes next, with no space before it.
func (s *Scanner) Next(lit string) bool {
	if len(s.Data)-s.Pos >= len(lit) && string(s.Data[s.Pos:s.Pos+len(lit)]) == lit {
		s.Pos += len(lit)
		return true
	}
	return false
}

// Literal moves past lit, or fails.
func (s *Scanner) Literal(lit string) bool {
	return s.Next(lit) || s.Fail(Syntax, s.Pos, "a value")
}

// Open moves to the first member of an object. The position stays on the opening brace, which Key
// takes for the separator before the first member.
func (s *Scanner) Open() bool {
	if s.Peek() != '{' {
		return s.Mismatch("an object")
	}
	return s.Deeper()
}

// Deeper counts an object or array that has begun.
func (s *Scanner) Deeper() bool {
	s.Depth++
	if s.Depth > s.MaxDepth {
		return s.Fail(TooDeep, s.Pos, "at most "+strconv.Itoa(s.MaxDepth)+" levels")
	}
	return true
}

// Key reads the next member's name and the colon after it. It returns false at the end of the
// object, and when the text is broken. The name is valid until the next call.
func (s *Scanner) Key() ([]byte, bool) {
	// A short plain name without spaces around it.
	if data, i := s.Data, s.Pos+2; i < len(data) && data[i-1] == '"' && (data[i-2] == ',' || data[i-2] == '{' && !behindValue(data[:i-2])) {
		for i+8 <= len(data) {
			m := Special(Load8(data, i))
			if m == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(m) >> 3
			if data[i] == '"' && i+1 < len(data) && data[i+1] == ':' {
				key := data[s.Pos+2 : i]
				s.Pos = i + 2
				return key, true
			}
			break
		}
	}
	return s.anyKey()
}

// anyKey is Key for names and spaces of any form.
func (s *Scanner) anyKey() ([]byte, bool) {
	data := s.Data
	i := s.Pos
	for i < len(data) && isSpace(data[i]) {
		i++
	}
	if i >= len(data) {
		return nil, s.Fail(Syntax, i, "',' or '}', found the end of the line")
	}
	sep := data[i]
	if sep == '}' {
		s.Pos = i + 1
		return nil, false
	}
	if sep != ',' && (sep != '{' || behindValue(data[:i])) {
		return nil, s.Fail(Syntax, i, "',' or '}'")
	}
	i++
	for i < len(data) && isSpace(data[i]) {
		i++
	}
	s.Pos = i
	if i < len(data) && data[i] == '}' && sep == '{' {
		s.Pos++
		return nil, false
	}
	if i >= len(data) || data[i] != '"' {
		return nil, s.Fail(Syntax, i, "a member's name")
	}
	start := i + 1
	body, plain, ok := s.StringBody()
	if !ok {
		return nil, false
	}
	if !plain {
		s.name, _, _ = ReadText(s.name[:0], data, start)
		body = s.name
	}
	i = s.Pos
	for i < len(data) && isSpace(data[i]) {
		i++
	}
	if i >= len(data) || data[i] != ':' {
		return nil, s.Fail(Syntax, i, "':'")
	}
	s.Pos = i + 1
	return body, true
}

// behindValue reports whether text ends with a value, so that a brace that follows cannot open an
// object.
func behindValue(text []byte) bool {
	i := len(text) - 1
	for i >= 0 && isSpace(text[i]) {
		i--
	}
	return i >= 0 && text[i] != ':' && text[i] != ',' && text[i] != '['
}

// OpenArray moves into an array.
func (s *Scanner) OpenArray() bool {
	if s.Peek() != '[' {
		return s.Mismatch("an array")
	}
	if !s.Deeper() {
		return false
	}
	s.Pos++
	return true
}

// More moves to element i of an array and reports whether there is one.
func (s *Scanner) More(i int) bool {
	switch c := s.Peek(); {
	case c == ']':
		s.Pos++
		s.Depth--
		return false
	case i == 0:
		return true
	case c == ',':
		s.Pos++
		if s.Peek() == ']' {
			return s.Fail(Syntax, s.Pos, "a value")
		}
		return true
	}
	return s.Fail(Syntax, s.Pos, "',' or ']'")
}

// StringBody moves past the string at the position, which must be its quote, and returns what is
// between the quotes. It is plain if it has no escapes.
func (s *Scanner) StringBody() (body []byte, plain, ok bool) {
	start := s.Pos + 1
	end, plain, kind := ScanString(s.Data, start)
	if kind != 0 {
		return nil, false, s.FailString(kind, end)
	}
	s.Pos = end + 1
	return s.Data[start:end], plain, true
}

// FailString records what is wrong with a string, at an offset.
func (s *Scanner) FailString(kind Kind, at int) bool {
	return s.Fail(kind, at, stringFault(s.Data, at, kind))
}

// String reads a string.
func (s *Scanner) String() (string, bool) {
	if s.Peek() != '"' {
		return "", s.Mismatch("a string")
	}
	start := s.Pos + 1
	body, plain, ok := s.StringBody()
	if !ok || plain {
		return string(body), ok
	}
	text, _, _ := ReadText(nil, s.Data, start)
	return Shared(text), true
}

// Number moves past a number and returns its text.
func (s *Scanner) Number() ([]byte, bool) {
	if kindOf(s.Peek()) != KindNumber {
		return nil, s.Mismatch("a number")
	}
	start := s.Pos
	end := numberEnd(s.Data, start)
	if end < 0 {
		return nil, s.Fail(Syntax, start, "a number")
	}
	s.Pos = end
	return s.Data[start:end], true
}

// numberEnd returns the index after the number at data[i:], or -1.
func numberEnd(data []byte, i int) int {
	if i < len(data) && data[i] == '-' {
		i++
	}
	from := i
	i = digitsEnd(data, i)
	if i == from || i > from+1 && data[from] == '0' {
		return -1
	}
	if i < len(data) && data[i] == '.' {
		from = i + 1
		if i = digitsEnd(data, from); i == from {
			return -1
		}
	}
	if i < len(data) && data[i]|0x20 == 'e' {
		i++
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		from = i
		if i = digitsEnd(data, from); i == from {
			return -1
		}
	}
	return i
}

// digitsEnd returns the index after the digits at data[i:].
func digitsEnd(data []byte, i int) int {
	for i < len(data) && data[i]-'0' <= 9 {
		i++
	}
	return i
}
