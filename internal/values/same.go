package values

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"github.com/ccwire/ccwire/schema"
)

// Same compares two texts as instances of a definition and returns the first difference, nil if
// there is none. The order of members, space and the spelling of strings do not matter. A number
// that the schema gives a type is compared by its value: an integer exactly, another number as 64
// bits of floating point. Numbers that are opaque or that no schema names must have the same text,
// and a lone surrogate must be the same one.
func Same(set *schema.Set, definition string, want, got []byte) error {
	a, err := parse(want)
	if err != nil {
		return fmt.Errorf("the first text: %w", err)
	}
	b, err := parse(got)
	if err != nil {
		return fmt.Errorf("the second text: %w", err)
	}
	d := set.Lookup(definition)
	if d == nil {
		return fmt.Errorf("there is no definition %q", definition)
	}
	return (&comparison{set}).same(d.Node, a, b, "")
}

type comparison struct{ set *schema.Set }

// same compares instances of n; a nil n means that no schema says anything about them.
func (c *comparison) same(n *schema.Node, a, b *value, at string) error {
	if a.kind() != b.kind() {
		return fmt.Errorf("%s: a %s became a %s", place(at), a.kind(), b.kind())
	}
	n = c.resolve(n, a)
	switch a.kind() {
	case "object":
		return c.members(n, a, b, at)
	case "array":
		return c.items(n, a, b, at)
	case "string":
		if unquote(a.text) != unquote(b.text) {
			return fmt.Errorf("%s: %s became %s", place(at), a.text, b.text)
		}
	default:
		if a.text != b.text && (a.kind() != "number" || n == nil || !equalNumbers(n, a.text, b.text)) {
			return fmt.Errorf("%s: %s became %s", place(at), a.text, b.text)
		}
	}
	return nil
}

func (c *comparison) members(n *schema.Node, a, b *value, at string) error {
	for _, m := range a.members {
		name := unquote(m.name)
		other := b.get(name)
		if other == nil {
			return fmt.Errorf("%s: the member is gone", pointer(at, name))
		}
		var inner *schema.Node
		if n != nil {
			inner = n.AdditionalProperties
			if p := n.Property(name); p != nil {
				inner = p.Node
			}
		}
		if err := c.same(inner, m.value, other, pointer(at, name)); err != nil {
			return err
		}
	}
	for _, m := range b.members {
		if name := unquote(m.name); a.get(name) == nil {
			return fmt.Errorf("%s: the member was not there", pointer(at, name))
		}
	}
	if len(a.members) != len(b.members) {
		return fmt.Errorf("%s: duplicate member", place(at))
	}
	return nil
}

func (c *comparison) items(n *schema.Node, a, b *value, at string) error {
	if len(a.items) != len(b.items) {
		return fmt.Errorf("%s: %d elements became %d", place(at), len(a.items), len(b.items))
	}
	var inner *schema.Node
	if n != nil {
		inner = n.Items
	}
	for i := range a.items {
		if err := c.same(inner, a.items[i], b.items[i], at+"/"+strconv.Itoa(i)); err != nil {
			return err
		}
	}
	return nil
}

// resolve follows refs and choices to the node that v is an instance of, nil if there is none.
func (c *comparison) resolve(n *schema.Node, v *value) *schema.Node {
	for n != nil {
		n = c.set.Resolve(n)
		if n.Opaque || n.Unknown {
			return nil
		}
		if n.OneOf == nil {
			return n
		}
		n = c.arm(n, v)
	}
	return nil
}

// arm returns the arm of a oneOf that v belongs to by its kind and its tags.
func (c *comparison) arm(n *schema.Node, v *value) *schema.Node {
	var candidates []*schema.Node
	for _, arm := range n.OneOf {
		if slices.Contains(c.set.Kinds(arm), v.kind()) {
			candidates = append(candidates, arm)
		}
	}
	union, ok := c.set.Union(n)
	if len(candidates) == 1 {
		return candidates[0]
	}
	if !ok {
		return nil
	}
	for _, arm := range union.Arms {
		fits := !arm.Unknown && !arm.Legacy && arm.Definition != nil
		for _, tag := range arm.Tags {
			m := v.get(tag.Name)
			fits = fits && m != nil && m.kind() == "string" && selects(&tag, unquote(m.text))
		}
		if fits {
			return arm.Definition.Node
		}
	}
	return nil
}

// selects reports whether a tag of this value selects the arm.
func selects(t *schema.Tag, value string) bool {
	return slices.Contains(t.Values, value) || t.Except != nil && !slices.Contains(t.Except, value)
}

// equalNumbers compares by value, in the precision of the type.
func equalNumbers(n *schema.Node, a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	if err != nil || err2 != nil || x != y {
		return false
	}
	if n.HasType("integer") && x != 0 {
		i, _ := new(big.Rat).SetString(a)
		j, _ := new(big.Rat).SetString(b)
		return i.Cmp(j) == 0
	}
	return (n.HasType("integer") || n.HasType("number")) && !n.HasType("string")
}

func place(at string) string {
	if at == "" {
		return "the whole value"
	}
	return at
}
