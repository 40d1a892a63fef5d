package structured

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/ccwire/ccwire/internal/object"
)

// Adapt returns an answer in which texts stand for what they say, where the schema wants a number,
// a truth value, a list or an object. Only the members of the answer itself are adapted.
func (s *Schema) Adapt(answer object.Object) object.Object {
	adapted := object.Object{}
	properties := s.root.Object("properties")
	for _, m := range answer {
		if text, ok := m.Value.(string); ok {
			m.Value = meant(text, wanted(properties.Get(m.Name)))
		}
		adapted = append(adapted, m)
	}
	return adapted
}

// wanted are the types that a schema allows, those of its alternatives too.
func wanted(schema any) []string {
	o, _ := schema.(object.Object)
	list := slices.Clone(types(o))
	for _, word := range []string{"anyOf", "oneOf"} {
		for _, part := range o.List(word) {
			list = append(list, wanted(part)...)
		}
	}
	return list
}

// plainNumber is how a number must be written to be taken for one.
var plainNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// meant is the value that a text stands for where one of these types is wanted.
func meant(text string, kinds []string) any {
	has := func(kind string) bool { return slices.Contains(kinds, kind) }
	if has("string") {
		return text
	}
	if (has("number") || has("integer")) && plainNumber.MatchString(text) {
		n, err := strconv.ParseFloat(text, 64)
		if err == nil && object.Text(n) == text && (has("number") || is(n, "integer")) {
			return n
		}
	}
	if has("boolean") && (text == "true" || text == "false") {
		return text == "true"
	}
	if v, err := object.Parse([]byte(text)); err == nil && (has("array") && is(v, "array") || has("object") && is(v, "object")) {
		return v
	}
	return text
}
