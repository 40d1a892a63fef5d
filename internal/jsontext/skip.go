package jsontext

import (
	"bytes"
	"math/bits"
)

// Check reports what is wrong with a text that should be one JSON value, nil if nothing is: its
// grammar, UTF-8, nesting past maxDepth, duplicate members.
func Check(text []byte, maxDepth int) *Fault {
	s := Scanner{Data: text, MaxDepth: maxDepth}
	if s.Skip() && s.Finish() {
		s.Pos = 0
		s.Unique()
	}
	if s.OK() {
		return nil
	}
	return &s.Fault
}

// Skip moves past any value, checking it. Duplicate members are not looked for.
func (s *Scanner) Skip() bool {
	switch s.Peek() {
	case '"':
		if s.skipASCII() {
			return true
		}
		_, _, ok := s.StringBody()
		return ok
	case '{':
		if !s.Deeper() {
			return false
		}
		for {
			if _, ok := s.Key(); !ok {
				s.Depth--
				return s.OK()
			}
			if !s.Skip() {
				return false
			}
		}
	case '[':
		if !s.OpenArray() {
			return false
		}
		for i := 0; s.More(i); i++ {
			if !s.Skip() {
				return false
			}
		}
		return s.OK()
	case 't':
		return s.Literal("true")
	case 'f':
		return s.Literal("false")
	case 'n':
		return s.Literal("null")
	}
	_, ok := s.Number()
	return ok
}

// skipASCII moves past a short string of ASCII characters without escapes, which most are.
func (s *Scanner) skipASCII() bool {
	data, i := s.Data, s.Pos+1
	for n := 0; n < 4 && i+8 <= len(data); n++ {
		m := Special(Load8(data, i))
		if m == 0 {
			i += 8
			continue
		}
		if i += bits.TrailingZeros64(m) >> 3; data[i] == '"' {
			s.Pos = i + 1
			return true
		}
		return false
	}
	return false
}

// Unique moves past a value that Skip has taken, and fails if an object in it has duplicate
// members.
func (s *Scanner) Unique() bool {
	switch s.Peek() {
	case '{':
		seen := map[string]struct{}{}
		for {
			key, ok := s.Key()
			if !ok {
				return s.OK()
			}
			if _, ok := seen[string(key)]; ok {
				return s.Fail(Duplicate, s.Pos, DuplicateMember)
			}
			seen[string(key)] = struct{}{}
			if !s.Unique() {
				return false
			}
		}
	case '[':
		if !s.OpenArray() {
			return false
		}
		for i := 0; s.More(i); i++ {
			if !s.Unique() {
				return false
			}
		}
		return s.OK()
	}
	return s.Skip()
}

// Hop moves past any value without checking all of it: brackets are counted and strings are
// skipped. It is for values that are read later, or were.
func (s *Scanner) Hop() bool {
	data := s.Data
	i := s.Pos
	for i < len(data) && isSpace(data[i]) {
		i++
	}
	nest := 0
	for i < len(data) {
		switch data[i] {
		case '"':
			i++
			for {
				n := bytes.IndexByte(data[i:], '"')
				if n < 0 {
					return s.Fail(Syntax, len(data), noQuote)
				}
				i += n
				back := i
				for back > 0 && data[back-1] == '\\' {
					back--
				}
				i++
				if (i-1-back)&1 == 0 {
					break
				}
			}
			if nest == 0 {
				s.Pos = i
				return true
			}
			continue
		case '{', '[':
			nest++
		case '}', ']':
			nest--
			if nest < 0 {
				s.Pos = i
				return true
			}
			if nest == 0 {
				s.Pos = i + 1
				return true
			}
		case ',':
			if nest == 0 {
				s.Pos = i
				return true
			}
		}
		i++
	}
	return s.Fail(Syntax, len(data), "a value, found the end of the line")
}
