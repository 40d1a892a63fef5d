package values

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/ccwire/ccwire/internal/object"
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

// parse reads a JSON text with all that Same compares.
func parse(text []byte) (any, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("not UTF-8")
	}
	return object.ParseExact(text)
}

// kindOf returns the JSON kind of what parse returns, by its name.
func kindOf(v any) string {
	switch v.(type) {
	case object.Object:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case nil:
		return "null"
	}
	return "number"
}

type comparison struct{ set *schema.Set }

// same compares instances of n; a nil n means that no schema says anything about them.
func (c *comparison) same(n *schema.Node, a, b any, at string) error {
	if kindOf(a) != kindOf(b) {
		return fmt.Errorf("%s: a %s became a %s", place(at), kindOf(a), kindOf(b))
	}
	n = c.resolve(n, a)
	switch a := a.(type) {
	case object.Object:
		return c.members(n, a, b.(object.Object), at)
	case []any:
		return c.items(n, a, b.([]any), at)
	case json.Number:
		if b := b.(json.Number); a == b || n != nil && equalNumbers(n, a.String(), b.String()) {
			return nil
		}
	default:
		if a == b {
			return nil
		}
	}
	return fmt.Errorf("%s: %s became %s", place(at), object.Text(a), object.Text(b))
}

func (c *comparison) members(n *schema.Node, a, b object.Object, at string) error {
	for _, m := range a {
		other, ok := b.Lookup(m.Name)
		if !ok {
			return fmt.Errorf("%s: the member is gone", pointer(at, m.Name))
		}
		var inner *schema.Node
		if n != nil {
			inner = n.AdditionalProperties
			if p := n.Property(m.Name); p != nil {
				inner = p.Node
			}
		}
		if err := c.same(inner, m.Value, other, pointer(at, m.Name)); err != nil {
			return err
		}
	}
	for _, m := range b {
		if !a.Has(m.Name) {
			return fmt.Errorf("%s: the member was not there", pointer(at, m.Name))
		}
	}
	if len(a) != len(b) {
		return fmt.Errorf("%s: duplicate member", place(at))
	}
	return nil
}

func (c *comparison) items(n *schema.Node, a, b []any, at string) error {
	if len(a) != len(b) {
		return fmt.Errorf("%s: %d elements became %d", place(at), len(a), len(b))
	}
	var inner *schema.Node
	if n != nil {
		inner = n.Items
	}
	for i := range a {
		if err := c.same(inner, a[i], b[i], at+"/"+strconv.Itoa(i)); err != nil {
			return err
		}
	}
	return nil
}

// resolve follows refs and choices to the node that v is an instance of, nil if there is none.
func (c *comparison) resolve(n *schema.Node, v any) *schema.Node {
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
func (c *comparison) arm(n *schema.Node, v any) *schema.Node {
	var candidates []*schema.Node
	for _, arm := range n.OneOf {
		if slices.Contains(c.set.Kinds(arm), kindOf(v)) {
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
	o, _ := v.(object.Object)
	for _, arm := range union.Arms {
		fits := !arm.Unknown && !arm.Legacy && arm.Definition != nil
		for _, tag := range arm.Tags {
			value, isText := o.Get(tag.Name).(string)
			fits = fits && isText && selects(&tag, value)
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
