package schema

import (
	"reflect"
	"slices"

	"github.com/ccwire/ccwire/internal/object"
)

// writeUnion writes the oneOf of n for validators that know nothing of tags, as a list of
// conditions: if the tag, or the kind of JSON, is this, then the arm is that. A validator looks at
// one arm instead of all, and its errors are about that one.
func (s *Set) writeUnion(out *object.Object, n *Node, arms []object.Object) {
	u, ok := s.Union(n)
	if !ok {
		s.writeKinds(out, n, arms)
		return
	}
	tag := u.Tags[0]
	var conditions []object.Object
	untagged := false
	for _, c := range cases(u, tag) {
		untagged = untagged || c.without
		conditions = append(conditions, object.Of("if", c.condition(tag), "then", c.choice(arms)))
	}
	shape := object.Of("type", "object")
	if !untagged {
		shape.Set("required", []string{tag})
	}
	shape.Set("properties", object.Of(tag, object.Of("type", "string")))
	shape.Set("allOf", conditions)
	var others []object.Object
	for i, arm := range n.OneOf {
		if !slices.Contains(s.Kinds(arm), "object") {
			others = append(others, arms[i])
		}
	}
	if others == nil {
		*out = append(*out, shape...)
		return
	}
	out.Set("oneOf", append([]object.Object{shape}, others...))
}

// writeKinds writes a oneOf whose arms are of different kinds of JSON.
func (s *Set) writeKinds(out *object.Object, n *Node, arms []object.Object) {
	var kinds []any
	var conditions []object.Object
	for i, arm := range arms {
		var own []any
		for _, k := range s.Kinds(n.OneOf[i]) {
			own = append(own, k)
		}
		kinds = append(kinds, own...)
		condition := object.Object{}
		writeTypes(&condition, own)
		if !reflect.DeepEqual(arm, condition) {
			conditions = append(conditions, object.Of("if", condition, "then", arm))
		}
	}
	writeTypes(out, kinds)
	if conditions != nil {
		out.Set("allOf", conditions)
	}
}

// A tagCase is what selects some arms of a union.
type tagCase struct {
	value   string   // the value of the tag,
	except  []string // or those that it must not have,
	without bool     // or there is no tag
	arms    []int    // positions in oneOf, legacy ones last
}

// cases lists what selects the arms of u by a tag.
func cases(u *Union, tag string) (list []*tagCase) {
	add := func(c tagCase, arm *Arm) {
		i := slices.IndexFunc(list, func(have *tagCase) bool {
			return have.value == c.value && have.without == c.without && (have.except == nil) == (c.except == nil)
		})
		if i < 0 {
			i = len(list)
			list = append(list, &c)
		}
		if !slices.Contains(list[i].arms, arm.Index) {
			list[i].arms = append(list[i].arms, arm.Index)
		}
	}
	byAge := slices.Clone(u.Arms)
	slices.SortStableFunc(byAge, func(a, b *Arm) int {
		switch {
		case a.Legacy == b.Legacy:
			return 0
		case a.Legacy:
			return 1
		}
		return -1
	})
	for _, arm := range byAge {
		t := arm.Tag(tag)
		switch {
		case t == nil:
			add(tagCase{without: true}, arm)
		case t.Except != nil:
			add(tagCase{except: t.Except}, arm)
		default:
			for _, v := range t.Values {
				add(tagCase{value: v}, arm)
			}
		}
	}
	return list
}

// choice writes the arms of the case. Of a modern arm and legacy ones the errors are those of the
// modern one.
func (c *tagCase) choice(arms []object.Object) object.Object {
	modern := arms[c.arms[0]]
	var legacy []object.Object
	for _, i := range c.arms[1:] {
		legacy = append(legacy, arms[i])
	}
	switch len(legacy) {
	case 0:
		return modern
	case 1:
		return object.Of("if", legacy[0], "else", modern)
	}
	return object.Of("if", object.Of("anyOf", legacy), "else", modern)
}

// condition writes the case as a schema.
func (c *tagCase) condition(tag string) object.Object {
	value := object.Of("const", c.value)
	switch {
	case c.without:
		var out object.Object
		writeAbsent(&out, []string{tag})
		return out
	case c.except != nil:
		value = object.Of("type", "string", "not", object.Of("enum", c.except))
	}
	return object.Of("required", []string{tag}, "properties", object.Of(tag, value))
}

// writeTypes writes several types. Validators in strict mode take a list only for one type and
// null.
func writeTypes(out *object.Object, types []any) {
	switch {
	case len(types) == 1:
		out.Set("type", types[0])
	case len(types) == 2 && slices.Contains(types, any("null")):
		out.Set("type", types)
	default:
		var list []object.Object
		for _, t := range types {
			list = append(list, object.Of("type", t))
		}
		out.Set("anyOf", list)
	}
}

// writeAbsent writes that members are not all there. Validators in strict mode want each member
// that is required to be named.
func writeAbsent(out *object.Object, members []string) {
	var named object.Object
	for _, m := range members {
		named.Set(m, object.Object{})
	}
	out.Set("not", object.Of("required", members, "properties", named))
}
