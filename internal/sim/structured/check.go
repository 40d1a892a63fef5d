package structured

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// Check returns what is wrong with a value, "" if it fits.
func (s *Schema) Check(v any) string {
	c := &check{schema: s}
	c.value(s.root, v, "")
	return strings.Join(c.found, ", ")
}

// check looks for mistakes in a value.
type check struct {
	schema *Schema
	found  []string
}

// say notes a mistake at a place in the value.
func (c *check) say(at, format string, args ...any) {
	if at == "" {
		at = "root"
	}
	c.found = append(c.found, at+": "+fmt.Sprintf(format, args...))
}

// fits reports whether a value has no mistakes by a schema, and returns those that it has.
func (c *check) fits(schema, v any, at string) (bool, []string) {
	inner := &check{schema: c.schema}
	inner.value(schema, v, at)
	return len(inner.found) == 0, inner.found
}

// group are the keywords of one type; "" stands for all types.
type group struct {
	kind, words string
	look        func(*check, object.Object, any, string)
}

// groups are the keywords, in the order in which they are looked at.
var groups []group

func init() {
	groups = []group{
		{"number", "maximum minimum exclusiveMaximum exclusiveMinimum multipleOf", (*check).number},
		{"string", "maxLength minLength pattern format", (*check).text},
		{"", "", (*check).any},
		{"array", "maxItems minItems uniqueItems additionalItems items contains", (*check).array},
		{"object", "maxProperties minProperties required propertyNames additionalProperties dependencies properties patternProperties", (*check).object},
	}
}

// owns reports whether a schema allows only the type of the group, and has keywords of it: a wrong
// type is told with them.
func (g group) owns(o object.Object, allowed []string) bool {
	return len(allowed) == 1 && allowed[0] == g.kind && slices.ContainsFunc(strings.Fields(g.words), o.Has)
}

// value looks at a value by a schema.
func (c *check) value(schema, v any, at string) {
	o, ok := schema.(object.Object)
	if !ok {
		if schema == false {
			c.say(at, "boolean schema is false")
		}
		return
	}
	allowed := types(o)
	tell := func() {
		if len(allowed) > 0 && !slices.ContainsFunc(allowed, func(kind string) bool { return is(v, kind) }) {
			c.say(at, "must be %s", strings.Join(allowed, ","))
		}
	}
	if !slices.ContainsFunc(groups, func(g group) bool { return g.owns(o, allowed) }) {
		tell()
	}
	for _, g := range groups {
		switch {
		case g.kind == "" || is(v, g.kind):
			g.look(c, o, v, at)
		case g.owns(o, allowed):
			tell()
		}
	}
}

func (c *check) number(o object.Object, v any, at string) {
	n, _ := number(v)
	for _, limit := range []struct {
		word, sign string
		holds      func(n, limit float64) bool
	}{
		{"maximum", "<=", func(n, l float64) bool { return n <= l }},
		{"minimum", ">=", func(n, l float64) bool { return n >= l }},
		{"exclusiveMaximum", "<", func(n, l float64) bool { return n < l }},
		{"exclusiveMinimum", ">", func(n, l float64) bool { return n > l }},
	} {
		if l, ok := o.Number(limit.word); ok && !limit.holds(n, l) {
			c.say(at, "must be %s %s", limit.sign, object.Text(l))
		}
	}
	if d, ok := o.Number("multipleOf"); ok && d > 0 && n/d != float64(int64(n/d)) {
		c.say(at, "must be multiple of %s", object.Text(d))
	}
}

func (c *check) text(o object.Object, v any, at string) {
	text := v.(string)
	c.size(o, at, "Length", "characters", len([]rune(text)))
	if pattern, ok := o.Get("pattern").(string); ok && !matches(pattern, text) {
		c.say(at, "must match pattern %q", pattern)
	}
}

// matches reports whether a text has what an expression looks for. One that Go does not know holds.
func matches(pattern, text string) bool {
	re, err := regexp.Compile(pattern)
	return err != nil || re.MatchString(text)
}

// size looks at the keywords that limit how long a value is.
func (c *check) size(o object.Object, at, what, unit string, n int) {
	if most, ok := o.Number("max" + what); ok && float64(n) > most {
		c.say(at, "must NOT have more than %s %s (got %d)", object.Text(most), unit, n)
	}
	if least, ok := o.Number("min" + what); ok && float64(n) < least {
		c.say(at, "must NOT have fewer than %s %s (got %d)", object.Text(least), unit, n)
	}
}

func (c *check) any(o object.Object, v any, at string) {
	if ref, ok := o.Get("$ref").(string); ok {
		if target, ok := c.schema.resolve(ref); ok {
			c.value(target, v, at)
		}
	}
	if want, ok := o.Lookup("const"); ok && !equal(want, v) {
		c.say(at, "must be equal to constant: %s", object.Text(want))
	}
	if list, ok := o.Get("enum").([]any); ok && !slices.ContainsFunc(list, func(e any) bool { return equal(e, v) }) {
		c.say(at, "must be equal to one of the allowed values: %s", object.Text(list))
	}
	if not, ok := o.Lookup("not"); ok {
		if fits, _ := c.fits(not, v, at); fits {
			c.say(at, "must NOT be valid")
		}
	}
	c.choice(o, v, at)
	for _, part := range o.List("allOf") {
		c.value(part, v, at)
	}
	if test, ok := o.Lookup("if"); ok {
		branch := "then"
		if fits, _ := c.fits(test, v, at); !fits {
			branch = "else"
		}
		if fits, found := c.fits(o.Get(branch), v, at); o.Has(branch) && !fits {
			c.found = append(c.found, found...)
			c.say(at, "must match %q schema", branch)
		}
	}
}

// choice looks at the keywords that have several schemas to choose from.
func (c *check) choice(o object.Object, v any, at string) {
	for _, word := range []string{"anyOf", "oneOf"} {
		if !o.Has(word) {
			continue
		}
		count, all := 0, []string(nil)
		for _, part := range o.List(word) {
			fits, found := c.fits(part, v, at)
			if fits {
				count++
			}
			all = append(all, found...)
		}
		switch {
		case word == "anyOf" && count == 0:
			c.found = append(c.found, all...)
			c.say(at, "must match a schema in anyOf")
		case word == "oneOf" && count != 1:
			c.found = append(c.found, all...)
			c.say(at, "must match exactly one schema in oneOf")
		}
	}
}

func (c *check) array(o object.Object, v any, at string) {
	list := v.([]any)
	c.size(o, at, "Items", "items", len(list))
	if o.Bool("uniqueItems") {
		c.unique(o, list, at)
	}
	place := func(i int) string { return fmt.Sprintf("%s/%d", at, i) }
	if tuple, ok := o.Get("items").([]any); ok {
		more := o.Get("additionalItems")
		if more == false && len(list) > len(tuple) {
			c.say(at, "must NOT have more than %d items", len(tuple))
		}
		for i := len(tuple); more != false && i < len(list); i++ {
			c.value(more, list[i], place(i))
		}
		for i := 0; i < min(len(tuple), len(list)); i++ {
			c.value(tuple[i], list[i], place(i))
		}
	} else {
		for i, e := range list {
			c.value(o.Get("items"), e, place(i))
		}
	}
	if part, ok := o.Lookup("contains"); ok {
		var all []string
		for i, e := range list {
			fits, found := c.fits(part, e, place(i))
			if fits {
				return
			}
			all = append(all, found...)
		}
		c.found = append(c.found, all...)
		c.say(at, "must contain at least 1 valid item(s)")
	}
}

// unique looks for elements that are the same.
func (c *check) unique(o object.Object, list []any, at string) {
	items, _ := o.Get("items").(object.Object)
	kind := items.Text("type")
	scalar := kind != "" && kind != "object" && kind != "array"
	for i := len(list) - 1; i > 0; i-- {
		for j := i - 1; j >= 0; j-- {
			if equal(list[i], list[j]) {
				a, b := j, i
				if scalar {
					a, b = i, j
				}
				c.say(at, "must NOT have duplicate items (items ## %d and %d are identical)", a, b)
				return
			}
		}
	}
}

func (c *check) object(o object.Object, v any, at string) {
	value := v.(object.Object)
	c.size(o, at, "Properties", "properties", len(value))
	for _, name := range texts(o.Get("required")) {
		if !value.Has(name) {
			c.say(at, "must have required property '%s'", name)
		}
	}
	if names, ok := o.Lookup("propertyNames"); ok {
		for _, m := range value {
			if fits, found := c.fits(names, m.Name, at); !fits {
				for _, text := range found {
					text, _, _ = strings.Cut(text, " (got ")
					c.found = append(c.found, text)
				}
				c.say(at, "property name must be valid")
			}
		}
	}
	c.additional(o, value, at)
	for _, m := range o.Object("dependencies") {
		c.dependency(m, value, at)
	}
	for _, m := range o.Object("properties") {
		if v, ok := value.Lookup(m.Name); ok {
			c.value(m.Value, v, at+"/"+escape(m.Name))
		}
	}
	for _, p := range o.Object("patternProperties") {
		for _, m := range value {
			if matches(p.Name, m.Name) {
				c.value(p.Value, m.Value, at+"/"+escape(m.Name))
			}
		}
	}
}

// additional looks at the members that a schema does not name.
func (c *check) additional(o, value object.Object, at string) {
	more, ok := o.Lookup("additionalProperties")
	if !ok || more == true {
		return
	}
	for _, m := range value {
		named := o.Object("properties").Has(m.Name) ||
			slices.ContainsFunc(o.Object("patternProperties"), func(p object.Member) bool { return matches(p.Name, m.Name) })
		switch {
		case named:
		case more == false:
			c.say(at, "must NOT have additional properties ('%s' is not allowed)", m.Name)
		default:
			c.value(more, m.Value, at+"/"+escape(m.Name))
		}
	}
}

// dependency looks at what a member needs beside it.
func (c *check) dependency(m object.Member, value object.Object, at string) {
	if !value.Has(m.Name) {
		return
	}
	if _, list := m.Value.([]any); !list {
		c.value(m.Value, value, at)
		return
	}
	needs := texts(m.Value)
	noun := "property"
	if len(needs) != 1 {
		noun = "properties"
	}
	for _, name := range needs {
		if !value.Has(name) {
			c.say(at, "must have %s %s when property %s is present", noun, strings.Join(needs, ", "), m.Name)
		}
	}
}

// escape writes a name as a part of a place.
func escape(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
