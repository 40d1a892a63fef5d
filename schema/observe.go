package schema

import "github.com/ccwire/ccwire/codec"

// An Observation is a member that an instance of a definition has.
type Observation struct {
	Definition string // its name
	Member     string
	Kind       string // the JSON kind of the value: "string", "number", "boolean", "null", "array" or "object"
	Value      string // the value of an enum or a tag, "" for other members
	Known      bool   // whether the definition names the member
}

// Observe calls see for each member of the document and of its parts, as far as the schemas know
// what they are: not inside opaque values and maps. It returns what [Set.Lint] does for a valid
// document. Errors are those of [Validator.Validate]; an invalid document is observed too.
func (s *Set) Observe(definition string, doc []byte, see func(Observation)) ([]codec.Deviation, error) {
	var found deviations
	if err := s.walk(definition, doc, s.observer(see, &found)); err != nil {
		return nil, err
	}
	return found.in(doc), nil
}

// ObserveValid is [Set.Observe] for a document that is known to be valid, and does not validate it.
// The error says that it is not JSON, or that there is no such definition.
func (s *Set) ObserveValid(definition string, doc []byte, see func(Observation)) ([]codec.Deviation, error) {
	d := s.Lookup(definition)
	if d == nil {
		return nil, noDefinition(definition)
	}
	v, err := decode(doc)
	if err != nil {
		return nil, err
	}
	var found deviations
	s.observer(see, &found).definition(d, v, "")
	return found.in(doc), nil
}

// observer returns a walker that calls see for each member.
func (s *Set) observer(see func(Observation), found *deviations) *walker {
	return &walker{
		set:    s,
		enter:  into,
		report: found.add,
		member: func(d *Definition, name string, n *Node, v any) {
			o := Observation{Definition: d.Name(), Member: name, Kind: kindOf(v), Known: n != nil}
			if n != nil {
				if r := s.Resolve(n); r.XEnum != nil || r.Enum != nil || r.HasConst {
					o.Value, _ = v.(string)
				}
			}
			see(o)
		},
	}
}
