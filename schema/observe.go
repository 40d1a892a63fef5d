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
	err := s.walk(definition, doc, &walker{
		set:    s,
		enter:  func(*Definition) {},
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
	})
	if err != nil {
		return nil, err
	}
	return found.in(doc), nil
}
