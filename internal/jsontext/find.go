package jsontext

import "strings"

// A Span is a value in a text: its place, and that of the separator before the name of the member
// whose value it is.
type Span struct{ Before, Start, End int }

// Find returns the place of the value that a JSON pointer of object members leads to; the empty
// pointer leads to the whole text. It is false too where the text is not JSON, or the pointer is
// neither empty nor begins with a slash. Of duplicate members it finds the first.
func Find(text []byte, pointer string) (Span, bool) {
	s := NewScanner(text)
	s.Peek()
	at := Span{s.Pos, s.Pos, 0}
	if !s.Skip() {
		return Span{}, false
	}
	at.End = s.Pos
	if !s.Finish() {
		return Span{}, false
	}
	for pointer != "" {
		if pointer[0] != '/' {
			return Span{}, false
		}
		step := pointer[1:]
		if i := strings.IndexByte(step, '/'); i >= 0 {
			step = step[:i]
		}
		pointer = pointer[1+len(step):]
		s.Pos = at.Start
		if s.Peek() != '{' {
			return Span{}, false
		}
		for {
			before := s.Pos
			key, ok := s.Key()
			if !ok {
				return Span{}, false
			}
			found := EscapePointer(string(key)) == step
			s.Peek()
			start := s.Pos
			if !s.Skip() {
				return Span{}, false
			}
			if found {
				at = Span{before, start, s.Pos}
				break
			}
		}
	}
	return at, true
}

// Locate is Find for a text that is known to be JSON: it looks at no more than it must.
func Locate(text []byte, names ...string) (Span, bool) {
	s := NewScanner(text)
	at := Span{}
	for _, name := range names {
		s.Peek()
		for {
			at.Before = s.Pos
			key, ok := s.Key()
			if !ok {
				return Span{}, false
			}
			if string(key) == name {
				break
			}
			if !s.Hop() {
				return Span{}, false
			}
		}
	}
	s.Peek()
	at.Start = s.Pos
	ok := s.Hop()
	at.End = s.Pos
	return at, ok
}

// Edit returns text with the value at pointer replaced, added at the end of its object, or, for a
// nil value, removed; nil if there is no such place.
func Edit(text []byte, pointer string, value []byte) []byte {
	if pointer == "" {
		return value
	}
	if at, ok := Find(text, pointer); ok {
		if value != nil {
			return splice(text, at.Start, at.End, value)
		}
		if text[at.Before] == '{' { // the first member: its comma follows it
			for at.Before++; at.End < len(text) && isSpace(text[at.End]); at.End++ {
			}
			if at.End < len(text) && text[at.End] == ',' {
				at.End++
			}
		}
		return splice(text, at.Before, at.End, nil)
	}
	if value == nil {
		return text
	}
	i := strings.LastIndexByte(pointer, '/')
	if i < 0 {
		return nil
	}
	object, ok := Find(text, pointer[:i])
	if !ok || text[object.Start] != '{' {
		return nil
	}
	member, ok := AppendString([]byte{','}, UnescapePointer(pointer[i+1:]))
	if !ok {
		return nil
	}
	member = append(append(member, ':'), value...)
	s := NewScanner(text[object.Start:object.End])
	if _, ok := s.Key(); !ok { // an empty object
		member = member[1:]
	}
	return splice(text, object.End-1, object.End-1, member)
}

func splice(text []byte, from, to int, with []byte) []byte {
	out := make([]byte, 0, len(text)-(to-from)+len(with))
	out = append(out, text[:from]...)
	out = append(out, with...)
	return append(out, text[to:]...)
}
