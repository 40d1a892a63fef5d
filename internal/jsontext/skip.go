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
	if end := compactEnd(s.Data, s.Pos, s.MaxDepth-s.Depth); end >= 0 {
		s.Pos = end
		return true
	}
	return s.skipAny()
}

// skipAny is Skip for values of any form. It finds what is wrong with one, and where.
func (s *Scanner) skipAny() bool {
	switch s.Peek() {
	case '"':
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
			if !s.skipAny() {
				return false
			}
		}
	case '[':
		if !s.OpenArray() {
			return false
		}
		for i := 0; s.More(i); i++ {
			if !s.skipAny() {
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

// compactEnd returns the index after the value at data[i:] if that is JSON without space between
// its tokens, as nearly all is, and nests to maxDepth at most; else -1.
func compactEnd(data []byte, i, maxDepth int) int {
	const levels = 64
	var arrays uint64 // a bit for each open level, the innermost lowest: it is an array, not an object
	level := 0
	for i < len(data) {
		switch c := data[i]; c {
		case '"':
			if i = textEnd(data, i+1); i < 0 {
				return -1
			}
		case '{':
			if level >= levels || level >= maxDepth || i+1 >= len(data) {
				return -1
			}
			if data[i+1] != '}' {
				level++
				arrays <<= 1
				if i = nameEnd(data, i+1); i < 0 {
					return -1
				}
				continue
			}
			i += 2
		case '[':
			if level >= levels || level >= maxDepth || i+1 >= len(data) {
				return -1
			}
			if data[i+1] != ']' {
				level++
				arrays = arrays<<1 | 1
				i++
				continue
			}
			i += 2
		case 't':
			if !hasAt(data, i, "true") {
				return -1
			}
			i += len("true")
		case 'f':
			if !hasAt(data, i, "false") {
				return -1
			}
			i += len("false")
		case 'n':
			if !hasAt(data, i, "null") {
				return -1
			}
			i += len("null")
		default:
			if i = numberEnd(data, i); i < 0 {
				return -1
			}
		}
		// After a value: the ends of levels, and then the next value.
		for {
			if level == 0 {
				return i
			}
			if i >= len(data) {
				return -1
			}
			c := data[i]
			i++
			if c == ',' {
				if arrays&1 == 0 {
					if i = nameEnd(data, i); i < 0 {
						return -1
					}
				}
				break
			}
			if inArray := arrays&1 != 0; inArray && c != ']' || !inArray && c != '}' {
				return -1
			}
			level--
			arrays >>= 1
		}
	}
	return -1
}

// hasAt reports whether lit stands at data[i:].
func hasAt(data []byte, i int, lit string) bool {
	return len(data)-i >= len(lit) && string(data[i:i+len(lit)]) == lit
}

// nameEnd returns the index after a member's name at data[i:] and its colon, or -1.
func nameEnd(data []byte, i int) int {
	if i >= len(data) || data[i] != '"' {
		return -1
	}
	if i = textEnd(data, i+1); i < 0 || i >= len(data) || data[i] != ':' {
		return -1
	}
	return i + 1
}

// textEnd returns the index after the string whose first character is at i, or -1.
func textEnd(data []byte, i int) int {
	for n := 0; n < 4 && i+8 <= len(data); n++ { // most are short and plain
		m := Special(Load8(data, i))
		if m == 0 {
			i += 8
			continue
		}
		if i += bits.TrailingZeros64(m) >> 3; data[i] == '"' {
			return i + 1
		}
		break
	}
	end, _, kind := ScanString(data, i)
	if kind != 0 {
		return -1
	}
	return end + 1
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
		case ',', ' ', '\t', '\n', '\r': // after a number or a literal
			if nest == 0 {
				s.Pos = i
				return true
			}
		}
		i++
	}
	return s.Fail(Syntax, len(data), "a value, found the end of the line")
}
