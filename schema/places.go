package schema

import "github.com/ccwire/ccwire/codec"

// A Place is a part of a document that is an instance of a definition.
type Place struct {
	At         string // JSON pointer, "" for the whole document
	Definition *Definition
}

// Places lists the parts of a document that should be an instance of the definition, from the
// outside in: the definitions that each is an instance of, inputs and results of tools included
// where they fit. A document that is not valid has them too, as far as its tags say what it is. The
// error says that it is not JSON, or that there is no such definition.
func (s *Set) Places(definition string, doc []byte) ([]Place, error) {
	return s.places(definition, doc, false)
}

// MeantPlaces is [Set.Places] with all inputs and results of tools, also those that the tool cannot
// take.
func (s *Set) MeantPlaces(definition string, doc []byte) ([]Place, error) {
	return s.places(definition, doc, true)
}

func (s *Set) places(definition string, doc []byte, meant bool) (places []Place, err error) {
	d := s.Lookup(definition)
	if d == nil {
		return nil, noDefinition(definition)
	}
	v, err := decode(doc)
	if err != nil {
		return nil, err
	}
	w := &walker{
		set:    s,
		enter:  func(d *Definition, _ any, at string) bool { places = append(places, Place{at, d}); return true },
		report: func(codec.DeviationKind, string, string) {},
		tools:  !meant,
	}
	if meant {
		w.tool = func(d *Definition, v any, at string) { w.definition(d, v, at) }
	}
	w.definition(d, v, "")
	return places, nil
}
