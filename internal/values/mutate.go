package values

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/schema"
)

// A Mutation is a way to break a value.
type Mutation string

// The mutations.
const (
	DropRequired Mutation = "drop a required member"
	WrongKind    Mutation = "wrong kind"
	WrongTag     Mutation = "wrong tag"
	UnknownValue Mutation = "unknown value"
	ExtraMember  Mutation = "extra member"
	Null         Mutation = "null"
	Fraction     Mutation = "fraction in an integer"
	OutOfRange   Mutation = "number out of range"
	Duplicate    Mutation = "duplicate member"
	Legacy       Mutation = "legacy member"
)

// Mutations are all of them.
var Mutations = []Mutation{DropRequired, WrongKind, WrongTag, UnknownValue, ExtraMember, Null, Fraction, OutOfRange, Duplicate, Legacy}

// A Mutant is a value with one thing changed.
type Mutant struct {
	JSON       Text
	Definition string // the name of the innermost definition that what was changed is in
	Mutation   Mutation
	Path       string // JSON pointer of what was changed
	Detail     string // what was done, in words
}

// GoString is String, for the reports of rapid.
func (m Mutant) GoString() string { return m.String() }

// String tells the mutation and the text.
func (m Mutant) String() string {
	return fmt.Sprintf("%s at %s: %s: %s", m.Mutation, place(m.Path), m.Detail, m.JSON)
}

// Mutants returns a generator of the values that [Of] makes, each with one mutation.
func Mutants(set *schema.Set, definition string, options ...Option) *rapid.Generator[Mutant] {
	m := newMaker(set, definition, options)
	names := map[*schema.Node]string{}
	for _, d := range set.Definitions() {
		names[d.Node] = d.Name()
	}
	return rapid.Custom(func(t *rapid.T) Mutant { return mutate(source{t}, m.make(source{t}), definition, names) })
}

// A site is a value that can be mutated, with the place it is at.
type site struct {
	v          *value
	definition string
	path       string
	replaces   func(*value) // puts another value in its place
}

// mutate changes one thing. It draws the mutation first, so that rare ones come as often as others.
// Names are those of the nodes that are definitions.
func mutate(s source, root *value, definition string, names map[*schema.Node]string) Mutant {
	var sites []site
	collect(site{root, definition, "", func(v *value) { root = v }}, names, &sites)
	var possible []Mutation
	for _, m := range Mutations {
		if slices.ContainsFunc(sites, m.applies) {
			possible = append(possible, m)
		}
	}
	m := pick(s, possible)
	sites = slices.DeleteFunc(sites, func(at site) bool { return !m.applies(at) })
	at := sites[s.below(min(len(sites), len(indexes)-1))]
	path, detail := m.apply(s, at)
	return Mutant{root.json(), at.definition, m, path, detail}
}

// collect lists a site and those below it.
func collect(at site, names map[*schema.Node]string, sites *[]site) {
	v := at.v
	at.definition = cmp.Or(names[v.node], at.definition)
	*sites = append(*sites, at)
	for i := range v.members {
		m := &v.members[i]
		collect(site{m.value, at.definition, pointer(at.path, unquote(m.name)), func(w *value) { m.value = w }}, names, sites)
	}
	for i := range v.items {
		collect(site{v.items[i], at.definition, at.path + "/" + strconv.Itoa(i), func(w *value) { v.items[i] = w }}, names, sites)
	}
}

// applies reports whether the mutation can be made there.
func (m Mutation) applies(at site) bool {
	v, n := at.v, at.v.node
	switch {
	case m == Duplicate:
		return len(v.members) > 0
	case n == nil:
		return false
	}
	switch m {
	case DropRequired:
		return v.object && len(n.Required) > 0
	case WrongTag:
		return n.HasConst || n.Enum != nil
	case UnknownValue:
		return n.XEnum != nil && !n.Partial && v.kind() == "string"
	case ExtraMember:
		return v.object && n.IsStruct()
	case Fraction:
		return n.HasType("integer")
	case OutOfRange:
		return n.HasType("integer") || n.HasType("number")
	case Legacy:
		return v.object && slices.ContainsFunc(n.Properties, func(p schema.Property) bool { return p.Legacy() })
	}
	return true
}

// apply makes the mutation and says where and what it is.
func (m Mutation) apply(s source, at site) (path, detail string) {
	v, n := at.v, at.v.node
	set := func(text string) (string, string) {
		at.replaces(scalar(text))
		return at.path, "is now " + text
	}
	switch m {
	case DropRequired:
		name := pick(s, n.Required)
		v.members = slices.DeleteFunc(v.members, func(m member) bool { return unquote(m.name) == name })
		return pointer(at.path, name), "is gone"
	case WrongKind:
		kinds := slices.DeleteFunc([]string{"string", "number", "boolean", "array", "object"}, func(k string) bool { return k == v.kind() })
		w := s.opaque([]string{pick(s, kinds)}, 1)
		at.replaces(w)
		return at.path, "was " + article(v.kind()) + ", is " + article(w.kind())
	case WrongTag:
		return set(s.spelling(pick(s, []string{"x_no_such_tag", "", "error", "success", "user", "ask", "allow_once", "can_use_tool_response"})))
	case UnknownValue:
		return set(s.spelling(pick(s, []string{"x_no_such_value", ""})))
	case ExtraMember:
		name := pick(s, names)
		s.insert(v, name, s.opaque(nil, 1))
		return pointer(at.path, unquote(`"`+name+`"`)), "is new"
	case Fraction:
		return set(pick(s, []string{"0.5", "1.5", "-2.25e0", "15e-1", "1e-1000", "9007199254740993.5", "0.00000000000000000000000001"}))
	case OutOfRange:
		return set(pick(s, []string{"9223372036854775808", "-9223372036854775809", "1e19", "1e400", "-1e999999999999", "1.7976931348623159e308", "1.79769313486231580e308"}))
	case Duplicate:
		i := s.below(min(len(v.members), len(indexes)-1))
		name := unquote(v.members[i].name)
		token := v.members[i].name
		if token == strconv.QuoteToASCII(name) { // nothing in it needs an escape
			token = s.spelling(name)
		}
		again := member{token, v.members[i].value}
		v.members = slices.Insert(v.members, s.below(min(len(v.members)+1, len(indexes)-1)), again)
		return pointer(at.path, name), "duplicate member"
	case Legacy:
		old := slices.DeleteFunc(slices.Clone(n.Properties), func(p schema.Property) bool { return !p.Legacy() })
		name := pick(s, old).Name
		s.insert(v, name, s.opaque(nil, 1))
		return pointer(at.path, name), "is a member of older peers"
	}
	return set("null") // Null
}

// article puts the indefinite article before a kind.
func article(kind string) string {
	if kind == "array" || kind == "object" {
		return "an " + kind
	}
	return "a " + kind
}
