package codec

import (
	"strconv"

	"github.com/ccwire/ccwire/internal/jsontext"
)

// maxAnyDepth is how deep a value may nest that becomes a Go value: as deep as for encoding/json.
const maxAnyDepth = 10000

// Any returns the value as encoding/json would give it to an any: nil, bool, float64, string,
// []any, map[string]any. It reads the text once. Of duplicate members the last counts. A number is
// a float64 whatever its size, so that an integer past 2^53 is rounded; one that no float64 can
// hold is an error. A lone surrogate in a string is kept, as in all strings of this package. A nil
// Raw is nil.
func (r Raw) Any() (any, error) {
	if r == nil {
		return nil, nil
	}
	s := jsontext.NewScanner(r)
	s.MaxDepth = maxAnyDepth
	if v, ok := readAny(&s); ok && s.Finish() {
		return v, nil
	}
	return nil, r.fault(&s)
}

// Map returns the members of an object, their values as [Raw.Any] returns them. It is nil for a nil
// Raw and for null, and an error for any other value.
func (r Raw) Map() (map[string]any, error) {
	if r == nil || r.IsNull() {
		return nil, nil
	}
	s := jsontext.NewScanner(r)
	s.MaxDepth = maxAnyDepth
	if m, ok := readMap(&s); ok && s.Finish() {
		return m, nil
	}
	return nil, r.fault(&s)
}

// fault returns what a scanner of the value found.
func (r Raw) fault(s *jsontext.Scanner) *Error {
	return &Error{Kind: ErrorKind(s.Fault.Kind), Path: jsontext.PathAt(r, s.Fault.At), Offset: s.Fault.At, Want: s.Fault.Want}
}

func readAny(s *jsontext.Scanner) (any, bool) {
	switch s.Peek() {
	case '"':
		return s.String()
	case '{':
		return readMap(s)
	case '[':
		return readList(s)
	case 't':
		return true, s.Literal("true")
	case 'f':
		return false, s.Literal("false")
	case 'n':
		return nil, s.Literal("null")
	}
	return readNumber(s)
}

func readMap(s *jsontext.Scanner) (map[string]any, bool) {
	if !s.Open() {
		return nil, false
	}
	m := map[string]any{}
	for {
		key, ok := s.Key()
		if !ok {
			s.Depth--
			return m, s.OK()
		}
		name := string(key)
		if m[name], ok = readAny(s); !ok {
			return nil, false
		}
	}
}

func readList(s *jsontext.Scanner) ([]any, bool) {
	if !s.OpenArray() {
		return nil, false
	}
	list := []any{}
	for i := 0; s.More(i); i++ {
		v, ok := readAny(s)
		if !ok {
			return nil, false
		}
		list = append(list, v)
	}
	return list, s.OK()
}

func readNumber(s *jsontext.Scanner) (any, bool) {
	text, ok := s.Number()
	if !ok {
		return nil, false
	}
	x, err := strconv.ParseFloat(jsontext.Shared(text), 64)
	if err != nil {
		return nil, s.Fail(jsontext.Kind(OutOfRange), s.Pos-len(text), "a number of 64 bits")
	}
	return x, true
}
