package schema

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"
)

const (
	// MaxSize is the length in bytes of the longest document that is looked at.
	MaxSize = 16 << 20

	// MaxDepth is how deep arrays and objects may be nested.
	MaxDepth = 1000
)

// scanner checks a JSON text in one pass, without building anything but the sets of names that it
// needs to find duplicates.
type scanner struct {
	text  []byte
	pos   int
	depth int
}

// scan reports why text is not one JSON value within the limits, nil if it is.
func scan(text []byte) *InputError {
	if len(text) > MaxSize {
		return &InputError{MaxSize, MaxSize, fmt.Sprintf("the document has %d bytes, the limit is %d", len(text), MaxSize)}
	}
	if !utf8.Valid(text) {
		return &InputError{Offset: invalidUTF8(text), Reason: "invalid UTF-8"}
	}
	s := &scanner{text: text}
	if err := s.value(); err != nil {
		return err
	}
	if s.space(); s.pos < len(text) {
		return s.fail("data after the end of the value")
	}
	return nil
}

// start returns the offset of the first byte that is not white space.
func start(text []byte) int {
	s := &scanner{text: text}
	s.space()
	return s.pos
}

func invalidUTF8(text []byte) int {
	for i := 0; ; {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n < 2 {
			return i
		}
		i += n
	}
}

func (s *scanner) fail(format string, args ...any) *InputError {
	return &InputError{Offset: s.pos, Reason: fmt.Sprintf(format, args...)}
}

// unexpected reports the next byte, or the end of the text.
func (s *scanner) unexpected(want string) *InputError {
	if s.pos >= len(s.text) {
		return s.fail("the text ends where %s should be", want)
	}
	r, _ := utf8.DecodeRune(s.text[s.pos:])
	return s.fail("found %q where %s should be", r, want)
}

func (s *scanner) space() {
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// next returns the next byte after white space without taking it, 0 at the end.
func (s *scanner) next() byte {
	s.space()
	return s.peek()
}

func (s *scanner) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

// take goes on if the next byte is c.
func (s *scanner) take(c byte) bool {
	if s.peek() != c || s.pos >= len(s.text) {
		return false
	}
	s.pos++
	return true
}

func (s *scanner) value() *InputError {
	switch c := s.next(); {
	case c == '{':
		return s.nested(s.object)
	case c == '[':
		return s.nested(s.array)
	case c == '"':
		return s.str()
	case c == '-' || '0' <= c && c <= '9':
		return s.number()
	}
	for _, word := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(s.text[s.pos:], []byte(word)) {
			s.pos += len(word)
			return nil
		}
	}
	return s.unexpected("a value")
}

func (s *scanner) nested(read func() *InputError) *InputError {
	if s.depth++; s.depth > MaxDepth {
		return &InputError{s.pos, MaxDepth, fmt.Sprintf("arrays and objects are nested more than %d deep", MaxDepth)}
	}
	s.pos++
	err := read()
	s.depth--
	return err
}

func (s *scanner) array() *InputError {
	if s.next() == ']' {
		s.pos++
		return nil
	}
	for {
		if err := s.value(); err != nil {
			return err
		}
		switch s.next() {
		case ',':
			s.pos++
		case ']':
			s.pos++
			return nil
		default:
			return s.unexpected("a comma or the end of the array")
		}
	}
}

func (s *scanner) object() *InputError {
	if s.next() == '}' {
		s.pos++
		return nil
	}
	seen := map[string]struct{}{}
	for {
		if s.next() != '"' {
			return s.unexpected("the name of a member")
		}
		begin := s.pos
		if err := s.str(); err != nil {
			return err
		}
		name := unquote(s.text[begin+1 : s.pos-1])
		if _, ok := seen[name]; ok {
			return &InputError{Offset: begin, Reason: fmt.Sprintf("duplicate member %q", clip(name))}
		}
		seen[name] = struct{}{}
		if s.next() != ':' {
			return s.unexpected("a colon")
		}
		s.pos++
		if err := s.value(); err != nil {
			return err
		}
		switch s.next() {
		case ',':
			s.pos++
		case '}':
			s.pos++
			return nil
		default:
			return s.unexpected("a comma or the end of the object")
		}
	}
}

func (s *scanner) str() *InputError {
	for s.pos++; ; s.pos++ {
		switch c := s.peek(); {
		case s.pos >= len(s.text):
			return s.unexpected("the end of a string")
		case c == '"':
			s.pos++
			return nil
		case c < ' ':
			return s.fail("control character %#02x in a string", c)
		case c == '\\':
			s.pos++
			if bytes.IndexByte([]byte(`"\/bfnrt`), s.peek()) >= 0 && s.pos < len(s.text) {
				continue
			}
			if s.peek() != 'u' || s.pos+4 >= len(s.text) {
				return s.unexpected("an escape")
			}
			if _, err := strconv.ParseUint(string(s.text[s.pos+1:s.pos+5]), 16, 16); err != nil {
				return s.fail("bad \\u escape")
			}
			s.pos += 4
		}
	}
}

func (s *scanner) number() *InputError {
	s.take('-')
	if !s.take('0') && !s.digits() {
		return s.unexpected("a digit")
	}
	if s.take('.') && !s.digits() {
		return s.unexpected("a digit")
	}
	if s.take('e') || s.take('E') {
		if !s.take('+') {
			s.take('-')
		}
		if !s.digits() {
			return s.unexpected("a digit")
		}
	}
	return nil
}

func (s *scanner) digits() bool {
	begin := s.pos
	for c := s.peek(); '0' <= c && c <= '9'; c = s.peek() {
		s.pos++
	}
	return s.pos > begin
}
