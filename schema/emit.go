package schema

import (
	"bytes"
	"encoding/json"
	"slices"
)

// object is a JSON object that keeps the order of its members.
type object []field

type field struct {
	name  string
	value any
}

func (o *object) set(name string, value any) { *o = append(*o, field{name, value}) }

func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := marshal(f.name)
		if err != nil {
			return nil, err
		}
		value, err := marshal(f.value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// marshal is json.Marshal without the escapes for HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// form says how an emitter writes nodes as JSON Schema again.
type form struct {
	closed bool // see [Set.Closed]

	ref   func(name string) string                        // writes the name of a definition as a $ref
	union func(out *object, n *Node, arms []object)       // writes a oneOf
	enum  func(out *object, n *Node, types, values []any) // writes an open enum; nil leaves it out
	notes func(out *object, n *Node)                      // writes annotations; nil leaves them out

	types  func(out *object, types []any)      // writes the type keyword; nil is the plain form
	absent func(out *object, members []string) // writes that members are not all there; nil is the plain form

	items, values string // the keywords for the elements of a list and of a map
}

// emit writes n in the form, with what is below it.
func (f *form) emit(s *Set, n *Node) object {
	var out object
	if f.notes != nil {
		f.notes(&out, n)
	}
	if n.Ref != "" {
		out.set("$ref", f.ref(n.Ref))
	}
	f.value(&out, n)
	if n.NotEnum != nil {
		out.set("not", object{{"enum", n.NotEnum}})
	}
	switch {
	case n.NotRequired != nil && f.absent != nil:
		f.absent(&out, n.NotRequired)
	case n.NotRequired != nil:
		out.set("not", object{{"required", n.NotRequired}})
	}
	f.members(s, &out, n)
	if n.Items != nil {
		out.set(f.items, f.emit(s, n.Items))
	}
	if n.OneOf != nil {
		var arms []object
		for _, arm := range n.OneOf {
			arms = append(arms, f.emit(s, arm))
		}
		f.union(&out, n, arms)
	}
	return out
}

// value writes what n says about scalars.
func (f *form) value(out *object, n *Node) {
	if n.HasConst {
		out.set("const", n.Const)
	}
	if n.Enum != nil {
		out.set("enum", n.Enum)
	}
	var types, values []any
	for _, t := range n.Types {
		types = append(types, t)
	}
	for _, v := range n.XEnum {
		values = append(values, v)
	}
	switch {
	case n.XEnum != nil && f.closed && !n.Partial:
		if n.HasType("null") {
			values = append(values, nil)
		}
		out.set("enum", values)
	case n.XEnum != nil && f.enum != nil:
		f.enum(out, n, types, values)
		return
	}
	switch {
	case len(types) == 0:
	case len(types) == 1:
		out.set("type", types[0])
	case f.types != nil:
		f.types(out, types)
	default:
		out.set("type", types)
	}
	if f.closed && n.HasType("integer") {
		out.set("minimum", json.Number("-9223372036854775808"))
		out.set("maximum", json.Number("9223372036854775807"))
	}
	if f.closed && n.HasType("number") && !n.HasType("string") { // beside a string, a number is an id: only its text counts
		out.set("exclusiveMinimum", json.Number("-"+tooLarge))
		out.set("exclusiveMaximum", json.Number(tooLarge))
	}
}

// members writes what n says about the members of objects.
func (f *form) members(s *Set, out *object, n *Node) {
	properties := object{}
	required := slices.Clone(n.Required)
	for _, p := range n.Properties {
		if f.closed && s.legacy(p.Node) {
			required = slices.DeleteFunc(required, func(name string) bool { return name == p.Name })
			continue
		}
		properties.set(p.Name, f.emit(s, p.Node))
	}
	if len(required) > 0 {
		out.set("required", required)
	}
	if n.Properties != nil {
		out.set("properties", properties)
	}
	switch {
	case n.AdditionalProperties != nil:
		out.set(f.values, f.emit(s, n.AdditionalProperties))
	case f.closed && n.IsStruct():
		out.set("additionalProperties", false)
	}
}

// legacy reports whether n, or what it refers to, is read and never sent.
func (s *Set) legacy(n *Node) bool { return n.Legacy() || s.Resolve(n).Legacy() }
