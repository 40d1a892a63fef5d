package schema

import (
	"encoding/json"
	"slices"

	"github.com/ccwire/ccwire/internal/object"
)

// form says how an emitter writes nodes as JSON Schema again.
type form struct {
	closed bool // see [Set.Closed]

	ref   func(name string) string                                // writes the name of a definition as a $ref
	union func(out *object.Object, n *Node, arms []object.Object) // writes a oneOf
	enum  func(out *object.Object, n *Node, types, values []any)  // writes an open enum; nil leaves it out
	notes func(out *object.Object, n *Node)                       // writes annotations; nil leaves them out

	types  func(out *object.Object, types []any)      // writes the type keyword; nil is the plain form
	absent func(out *object.Object, members []string) // writes that members are not all there; nil is the plain form

	items, values string // the keywords for the elements of a list and of a map
}

// emit writes n in the form, with what is below it.
func (f *form) emit(s *Set, n *Node) object.Object {
	var out object.Object
	if f.notes != nil {
		f.notes(&out, n)
	}
	if n.Ref != "" {
		out.Set("$ref", f.ref(n.Ref))
	}
	f.value(&out, n)
	if n.NotEnum != nil {
		out.Set("not", object.Of("enum", n.NotEnum))
	}
	switch {
	case n.NotRequired != nil && f.absent != nil:
		f.absent(&out, n.NotRequired)
	case n.NotRequired != nil:
		out.Set("not", object.Of("required", n.NotRequired))
	}
	f.members(s, &out, n)
	if n.Items != nil {
		out.Set(f.items, f.emit(s, n.Items))
	}
	if n.OneOf != nil {
		var arms []object.Object
		for _, arm := range n.OneOf {
			arms = append(arms, f.emit(s, arm))
		}
		f.union(&out, n, arms)
	}
	return out
}

// value writes what n says about scalars.
func (f *form) value(out *object.Object, n *Node) {
	if n.HasConst {
		out.Set("const", n.Const)
	}
	if n.Enum != nil {
		out.Set("enum", n.Enum)
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
		out.Set("enum", values)
	case n.XEnum != nil && f.enum != nil:
		f.enum(out, n, types, values)
		return
	}
	switch {
	case len(types) == 0:
	case len(types) == 1:
		out.Set("type", types[0])
	case f.types != nil:
		f.types(out, types)
	default:
		out.Set("type", types)
	}
	if f.closed && n.HasType("integer") {
		out.Set("minimum", json.Number("-9223372036854775808"))
		out.Set("maximum", json.Number("9223372036854775807"))
	}
	if f.closed && n.HasType("number") && !n.HasType("string") { // beside a string, a number is an id: only its text counts
		out.Set("exclusiveMinimum", json.Number("-"+tooLarge))
		out.Set("exclusiveMaximum", json.Number(tooLarge))
	}
}

// members writes what n says about the members of objects.
func (f *form) members(s *Set, out *object.Object, n *Node) {
	properties := object.Object{}
	required := slices.Clone(n.Required)
	for _, p := range n.Properties {
		if f.closed && s.legacy(p.Node) {
			required = slices.DeleteFunc(required, func(name string) bool { return name == p.Name })
			continue
		}
		properties.Set(p.Name, f.emit(s, p.Node))
	}
	if len(required) > 0 {
		out.Set("required", required)
	}
	if n.Properties != nil {
		out.Set("properties", properties)
	}
	switch {
	case n.AdditionalProperties != nil:
		out.Set(f.values, f.emit(s, n.AdditionalProperties))
	case f.closed && n.IsStruct():
		out.Set("additionalProperties", false)
	}
}

// legacy reports whether n, or what it refers to, is read and never sent.
func (s *Set) legacy(n *Node) bool { return n.Legacy() || s.Resolve(n).Legacy() }
