package accept

import (
	"slices"
	"strconv"

	"github.com/ccwire/ccwire/internal/accepts"
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/schema"
)

// A change is a body in which one member is not as it was.
type change struct {
	member string // as in [accepts.Key]
	value  accepts.Value
	body   any // [object.Absent] if there is none
}

// others are the values that a member is changed to.
var others = []struct {
	value accepts.Value
	json  any
}{
	{accepts.Absent, object.Absent},
	{accepts.Null, nil},
	{accepts.Boolean, true},
	{accepts.Number, 5.0},
	{accepts.String, "ccwire"},
	{accepts.Array, []any{"ccwire"}},
	{accepts.Object, object.Of("ccwire", "x")},
}

// unknownText is a value that no list of values has.
const unknownText = "ccwire_unknown"

// changer lists the changes of a body.
type changer struct {
	set  *schema.Set
	list []change
}

// changes lists what a body is changed to, one member at a time. Inside what the schemas call
// opaque nothing is changed. The root itself is changed too if it can be.
func changes(set *schema.Set, node *schema.Node, body any, root bool) []change {
	c := &changer{set: set}
	if root {
		c.value(node, body, "", func(v any) any { return v })
	} else {
		c.inside(node, body, "", func(v any) any { return v })
	}
	return c.list
}

// value changes a value as a whole and then what is in it. Put returns the body with another value.
func (c *changer) value(n *schema.Node, v any, at string, put func(any) any) {

	for _, o := range others {
		if o.value == kindOf(v) {
			continue
		}
		c.list = append(c.list, change{at, o.value, put(o.json)})
	}
	if r := c.set.Resolve(n); r != nil && kindOf(v) == accepts.String && (r.XEnum != nil || r.Enum != nil || r.HasConst) {
		c.list = append(c.list, change{at, accepts.Unknown, put(unknownText)})
	}
	c.inside(n, v, at, put)
}

// inside changes what is in a value.
func (c *changer) inside(n *schema.Node, v any, at string, put func(any) any) {
	r := c.arm(n, v)
	if r == nil || r.Opaque {
		return
	}
	switch v := v.(type) {
	case object.Object:
		if r.IsStruct() {
			c.list = append(c.list, change{at, accepts.Extra, put(v.With("ccwire_extra", object.Of("a", []any{1.0})))})
		}
		for i, m := range v {
			if p := r.Property(m.Name); p != nil {
				if at == "" && m.Name == "subtype" { // another subtype is another line
					continue
				}
				c.value(p.Node, m.Value, at+"/"+m.Name, func(x any) any { return put(v.With(m.Name, x)) })
			} else if i == 0 && r.AdditionalProperties != nil {
				c.value(r.AdditionalProperties, m.Value, at+"/*", func(x any) any { return put(v.With(m.Name, x)) })
			}
		}
	case []any:
		if r.Items != nil && len(v) > 0 {
			c.element(r.Items, v, at, put)
		}
	}
}

// element changes the first element of a list.
func (c *changer) element(n *schema.Node, list []any, at string, put func(any) any) {
	sub := &changer{set: c.set}
	sub.value(n, list[0], at+"/*", func(x any) any {
		changed := slices.Clone(list)
		changed[0] = x
		return put(changed)
	})
	for _, ch := range sub.list {
		if ch.member != at+"/*" || ch.value != accepts.Absent { // a list without it is just shorter
			c.list = append(c.list, ch)
		}
	}
}

// arm returns the schema that a value is an instance of, nil if that is not clear.
func (c *changer) arm(n *schema.Node, v any) *schema.Node {
	r := c.set.Resolve(n)
	if r == nil || len(r.OneOf) == 0 {
		return r
	}
	for _, o := range r.OneOf {
		if a := c.arm(o, v); a != nil && !a.Legacy() && c.fits(a, v) {
			return a
		}
	}
	return nil
}

// fits reports whether the type and the tags of a schema are those of the value.
func (c *changer) fits(n *schema.Node, v any) bool {
	kind := string(kindOf(v))
	if len(n.Types) > 0 && !n.HasType(kind) && !(kind == "number" && n.HasType("integer")) {
		return false
	}
	o, ok := v.(object.Object)
	if !ok {
		return true
	}
	for _, name := range n.Required {
		if !o.Has(name) {
			return false
		}
	}
	for _, p := range n.Properties {
		value, ok := o.Lookup(p.Name)
		text, _ := value.(string)
		if q := c.set.Resolve(p.Node); ok && q != nil && (q.HasConst && q.Const != value || slices.Contains(q.NotEnum, text)) {
			return false
		}
	}
	return true
}

func kindOf(v any) accepts.Value {
	switch v.(type) {
	case nil:
		return accepts.Null
	case bool:
		return accepts.Boolean
	case string:
		return accepts.String
	case []any:
		return accepts.Array
	case object.Object:
		return accepts.Object
	}
	return accepts.Number
}

// members lists the members that changes would change.
func members(list []change) (names []string) {
	for _, c := range list {
		if name := c.member + " " + strconv.FormatBool(c.value == accepts.Extra); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
