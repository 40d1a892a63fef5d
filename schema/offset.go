package schema

import (
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/codec"
)

// locate sets the offsets of deviations from their paths in a valid text, in one pass. An offset is
// where the value starts; if there is no such value, where the innermost value on the way to it
// does.
func locate(text []byte, list []*codec.Deviation) {
	var targets []target
	for _, d := range list {
		path := strings.Split(d.Path, "/")[1:]
		for i := range path {
			path[i] = unescape(path[i])
		}
		targets = append(targets, target{path, &d.Offset})
	}
	s := &scanner{text: text}
	s.space()
	s.locate(targets)
}

// target is a value to be located.
type target struct {
	path   []string // from the value that is read to it
	offset *int
}

// locate reads the value that starts here and sets the offsets of the targets in it.
func (s *scanner) locate(targets []target) {
	var inside []target
	for _, t := range targets {
		*t.offset = s.pos
		if len(t.path) > 0 {
			inside = append(inside, t)
		}
	}
	isObject := s.peek() == '{'
	if len(inside) == 0 || !isObject && s.peek() != '[' {
		s.value()
		return
	}
	for i := 0; ; i++ {
		s.pos++ // the bracket, or the comma
		if c := s.next(); c == '}' || c == ']' {
			s.pos++
			return
		}
		name := strconv.Itoa(i)
		if isObject {
			begin := s.pos
			s.str()
			name = unquote(s.text[begin+1 : s.pos-1])
			s.space()
			s.pos++ // the colon
			s.space()
		}
		var here []target
		for _, t := range inside {
			if t.path[0] == name {
				here = append(here, target{t.path[1:], t.offset})
			}
		}
		s.locate(here)
		if s.next() != ',' {
			s.pos++
			return
		}
	}
}
