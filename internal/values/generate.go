package values

import (
	"slices"
	"strconv"

	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/schema"
)

// An Option changes what values are made.
type Option func(*maker)

// Open adds what is valid by the open form only: members, tags and enum values that the schemas do
// not name. A value need not have any.
func Open() Option { return func(m *maker) { m.open = true } }

// Text is the text of a JSON value.
type Text []byte

// GoString returns the text as it is, for the reports of rapid.
func (t Text) GoString() string { return string(t) }

// Of returns a generator of the JSON texts that are instances of a definition (see
// [schema.Definition.Name]). Without options they are valid by the closed form. It panics if there
// is no such definition.
func Of(set *schema.Set, definition string, options ...Option) *rapid.Generator[Text] {
	m := newMaker(set, definition, options)
	return rapid.Custom(func(t *rapid.T) Text { return m.make(source{t}).json() })
}

// maker makes instances of one definition.
type maker struct {
	set    *schema.Set
	root   *schema.Node
	open   bool
	height map[*schema.Node]int // how deep the simplest instance nests
}

func newMaker(set *schema.Set, definition string, options []Option) *maker {
	d := set.Lookup(definition)
	if d == nil {
		panic("values: there is no definition " + strconv.Quote(definition))
	}
	m := &maker{set: set, root: d.Node, height: map[*schema.Node]int{}}
	for _, o := range options {
		o(m)
	}
	for changed := true; changed; {
		changed = m.measure(m.root, map[*schema.Node]bool{})
	}
	return m
}

// endless is the height of a node that is not known to have an instance.
const endless = 1 << 20

func (m *maker) heightOf(n *schema.Node) int {
	if h, ok := m.height[m.set.Resolve(n)]; ok {
		return h
	}
	return endless
}

// measure improves the heights of n and of all nodes below it, and reports whether any changed.
func (m *maker) measure(n *schema.Node, seen map[*schema.Node]bool) (changed bool) {
	n = m.set.Resolve(n)
	if seen[n] {
		return false
	}
	seen[n] = true
	h := 1
	if n.OneOf != nil {
		h = endless
	}
	for _, arm := range m.arms(n) {
		changed = m.measure(arm, seen) || changed
		h = min(h, m.heightOf(arm)+1)
	}
	for i := range n.Properties {
		p := &n.Properties[i]
		if m.leavesOut(p.Node) {
			continue
		}
		changed = m.measure(p.Node, seen) || changed
		if p.Required {
			h = max(h, m.heightOf(p.Node)+1)
		}
	}
	for _, inner := range []*schema.Node{n.Items, n.AdditionalProperties, n.Content} {
		if inner != nil {
			changed = m.measure(inner, seen) || changed
		}
	}
	if h = min(h, endless); h < m.heightOf(n) {
		m.height[n] = h
		changed = true
	}
	return changed
}

// leavesOut reports whether values of n are legacy.
func (m *maker) leavesOut(n *schema.Node) bool {
	return n.Legacy() || m.set.Resolve(n).Legacy() && !m.set.Resolve(n).Unknown
}

// arms returns the arms that a value may be of.
func (m *maker) arms(n *schema.Node) (arms []*schema.Node) {
	for _, arm := range n.OneOf {
		if !m.leavesOut(arm) && (m.open || !m.set.Resolve(arm).Unknown) {
			arms = append(arms, arm)
		}
	}
	return arms
}

// make draws a value.
func (m *maker) make(s source) *value {
	b := &build{maker: m, source: s, left: pick(s, []int{12, 40, 120})}
	return b.node(m.root, 8)
}

// build is the making of one value.
type build struct {
	*maker
	source
	left int // values until the simplest ones are taken
}

// node draws an instance of n that nests depth deep at most, or as deep as it must.
func (b *build) node(n *schema.Node, depth int) *value {
	n = b.set.Resolve(n)
	b.left--
	if b.left < 0 {
		depth = 0
	}
	if n.OneOf != nil {
		return b.node(b.arm(n, depth), depth-1)
	}
	v := b.instance(n, depth)
	v.node = n
	return v
}

func (b *build) arm(n *schema.Node, depth int) *schema.Node {
	arms := b.arms(n)
	if depth > 0 {
		return pick(b.source, arms)
	}
	return slices.MinFunc(arms, func(x, y *schema.Node) int { return b.heightOf(x) - b.heightOf(y) })
}

func (b *build) instance(n *schema.Node, depth int) *value {
	switch {
	case n.HasConst:
		return scalar(b.spelling(n.Const.(string)))
	case n.Enum != nil:
		return scalar(b.spelling(pick(b.source, n.Enum).(string)))
	case n.Opaque:
		return b.payload(n, depth)
	}
	types := n.Types
	if depth <= 0 && n.HasType("null") {
		types = []string{"null"}
	}
	switch kind := pick(b.source, types); kind {
	case "string":
		return scalar(b.stringOf(n))
	case "boolean":
		return scalar(b.boolean())
	case "integer":
		return scalar(b.integer())
	case "number":
		return scalar(b.number())
	case "null":
		return scalar("null")
	case "array":
		return b.array(n, depth)
	}
	if n.AdditionalProperties != nil {
		return b.dictionary(n, depth)
	}
	return b.structure(n, depth)
}

// stringOf draws a string that n allows.
func (b *build) stringOf(n *schema.Node) string {
	switch {
	case n.XEnum != nil && (!b.open || !b.oneIn(4)):
		return b.spelling(pick(b.source, n.XEnum))
	case n.XEnum != nil, n.NotEnum != nil:
		return b.spelling(pick(b.source, []string{"x_unheard_of", "", "X-Other"}))
	}
	return b.text()
}

// payload draws an opaque value, now and then one of what it is said to hold.
func (b *build) payload(n *schema.Node, depth int) *value {
	if n.Content != nil && depth > 0 && b.oneIn(2) {
		return opaque(b.node(n.Content, depth-1))
	}
	return b.opaque(n.Types, min(depth, 3))
}

// opaque makes a value one that no schema says anything about.
func opaque(v *value) *value {
	v.node = nil
	for _, m := range v.members {
		opaque(m.value)
	}
	for _, item := range v.items {
		opaque(item)
	}
	return v
}

func (b *build) array(n *schema.Node, depth int) *value {
	v := &value{array: true, space: b.space()}
	if depth <= 0 {
		return v
	}
	for range b.below(4) {
		v.items = append(v.items, b.node(n.Items, depth-1))
	}
	return v
}

func (b *build) dictionary(n *schema.Node, depth int) *value {
	v := &value{object: true, space: b.space()}
	if depth <= 0 {
		return v
	}
	for range b.below(4) {
		b.insert(v, pick(b.source, names), b.node(n.AdditionalProperties, depth-1))
	}
	return v
}

// structure draws the members of an object: the required ones, and none, some or all of the others.
func (b *build) structure(n *schema.Node, depth int) *value {
	v := &value{object: true, space: b.space()}
	many := b.below(4)
	for i := range n.Properties {
		p := &n.Properties[i]
		if b.leavesOut(p.Node) {
			continue
		}
		sent := slices.Contains(n.SendRequired, p.Name)
		if !p.Required && !sent {
			if depth <= 0 || b.left < 0 || many == 0 || many < 3 && b.below(many+1) != 0 {
				continue
			}
		}
		made := b.node(p.Node, depth-1)
		if sent && made.text == `""` {
			made.text = `"x"`
		}
		v.members = append(v.members, member{b.spelling(p.Name), made})
	}
	b.arrange(v)
	if b.open && (n.Unknown || b.oneIn(4)) {
		for range b.below(3) {
			b.insert(v, b.strange(n), b.opaque(nil, 2))
		}
	}
	return v
}

// strange draws the name of a member that n does not have.
func (b *build) strange(n *schema.Node) string {
	if name := pick(b.source, names); n.Property(unquote(`"`+name+`"`)) == nil {
		return name
	}
	return names[0]
}
