package schema

import (
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
)

// locate sets the offsets of deviations from their paths in a valid text, in one pass. An offset is
// where the value starts; if there is no such value, where the innermost value on the way to it
// does.
func locate(text []byte, list []*codec.Deviation) {
	var targets []target
	for _, d := range list {
		path := strings.Split(d.Path, "/")[1:]
		for i := range path {
			path[i] = jsontext.UnescapePointer(path[i])
		}
		targets = append(targets, target{path, &d.Offset})
	}
	s := jsontext.NewScanner(text)
	locateIn(&s, targets)
}

// target is a value to be located.
type target struct {
	path   []string // from the value that is read to it
	offset *int
}

// locateIn reads the value that starts here and sets the offsets of the targets in it.
func locateIn(s *jsontext.Scanner, targets []target) {
	s.Peek()
	var inside []target
	for _, t := range targets {
		*t.offset = s.Pos
		if len(t.path) > 0 {
			inside = append(inside, t)
		}
	}
	step := func(name string) (here []target) {
		for _, t := range inside {
			if t.path[0] == name {
				here = append(here, target{t.path[1:], t.offset})
			}
		}
		return here
	}
	switch kind := s.Kind(); {
	case len(inside) > 0 && kind == jsontext.KindObject:
		s.Open()
		for {
			key, ok := s.Key()
			if !ok {
				break
			}
			locateIn(s, step(string(key)))
		}
		s.Depth--
	case len(inside) > 0 && kind == jsontext.KindArray:
		s.OpenArray()
		for i := 0; s.More(i); i++ {
			locateIn(s, step(strconv.Itoa(i)))
		}
	default:
		s.Skip()
	}
}
