package schema

import (
	"encoding/json"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
)

// walker goes through an instance and its schema together.
type walker struct {
	set *Set

	// enter is called for each definition that a value is an instance of. The parts of the value
	// are not looked at if it returns false.
	enter func(d *Definition, v any, at string) bool
	// report is called for what a valid instance should not have.
	report func(kind codec.DeviationKind, at, detail string)
	// member, if set, is called for each member of a definition's instance; n is nil if it is
	// unknown.
	member func(d *Definition, name string, n *Node, v any)
	// tools says whether to look into the inputs and results of tools, where they fit.
	tools bool
	// tool, if set, is called for each input and result of a known tool, whether it fits or not.
	tool func(d *Definition, v any, at string)

	// skip, if set, reports that the value of a member is not looked at.
	skip func(p *Property) bool

	in *Definition // the definition whose instance is looked at
}

func (w *walker) definition(d *Definition, v any, at string) {
	if !w.enter(d, v, at) {
		return
	}
	if d.Legacy() && !d.Unknown {
		w.report(codec.LegacyShape, at, d.Name())
	}
	outer := w.in
	w.in = d
	w.node(d.Node, v, at)
	w.in = outer
}

func (w *walker) node(n *Node, v any, at string) {
	switch {
	case n.Ref != "":
		w.definition(w.set.byName[n.Ref], v, at)
		return
	case n.OneOf != nil:
		w.oneOf(n, v, at)
		return
	case n.Opaque:
		if n.Content != nil && w.fits(n.Content, v) {
			w.node(n.Content, v, at)
		}
		return
	}
	switch v := v.(type) {
	case string:
		if n.XEnum != nil && !n.Partial && !slices.Contains(n.XEnum, v) {
			w.report(codec.UnknownValue, at, strconv.Quote(clip(v)))
		}
	case json.Number:
		if reason := outOfRange(n, v); reason != "" {
			w.report(codec.Invalid, at, reason)
		}
	case []any:
		for i := range v {
			if n.Items != nil {
				w.node(n.Items, v[i], at+"/"+strconv.Itoa(i))
			}
		}
	case map[string]any:
		w.members(n, v, at)
	}
}

// outOfRange says why the closed form does not allow a number, "" if it does.
func outOfRange(n *Node, v json.Number) string {
	exact, ok := new(big.Rat).SetString(string(v))
	switch {
	case !ok:
		return ""
	case n.HasType("integer") && exact.IsInt() && !exact.Num().IsInt64():
		return "got a number outside the range of 64-bit integers"
	case n.HasType("number") && !n.HasType("string"):
		if f, _ := exact.Float64(); math.IsInf(f, 0) {
			return "got a number outside the range of 64-bit floating point"
		}
	}
	return ""
}

func (w *walker) members(n *Node, v map[string]any, at string) {
	for _, name := range slices.Sorted(maps.Keys(v)) {
		at := at + "/" + jsontext.EscapePointer(name)
		if w.member != nil && n.IsStruct() {
			var node *Node
			if p := n.Property(name); p != nil {
				node = p.Node
			}
			w.member(w.in, name, node, v[name])
		}
		switch p := n.Property(name); {
		case p != nil && w.skip != nil && w.skip(p):
		case p != nil:
			if p.Legacy() {
				w.report(codec.LegacyShape, at, strconv.Quote(name))
			}
			w.node(p.Node, v[name], at)
			if !w.tools && w.tool == nil {
				continue
			}
			d := w.set.tool(p.Node, v)
			if d != nil && w.tool != nil {
				w.tool(d, v[name], at)
			}
			if d != nil && w.tools && w.set.Open().check(d.Name(), v[name]) == nil {
				w.definition(d, v[name], at)
			}
		case n.AdditionalProperties != nil:
			w.node(n.AdditionalProperties, v[name], at)
		case n.IsStruct() && !n.Unknown && !n.Legacy():
			w.report(codec.UnknownMember, at, strconv.Quote(clip(name)))
		}
	}
}

func (w *walker) oneOf(n *Node, v any, at string) {
	candidates := w.set.armsByKind[n][kindOf(v)]
	switch len(candidates) {
	case 0:
		return
	case 1:
		w.node(candidates[0], v, at)
		return
	}
	c := w.set.unions[n].choose(v.(map[string]any), false)
	for _, legacy := range c.legacy {
		if arm := n.OneOf[legacy.Index]; w.fits(arm, v) {
			w.node(arm, v, at)
			return
		}
	}
	if c.arm == nil {
		return
	}
	arm := n.OneOf[c.arm.Index]
	if target := w.set.Resolve(arm); target.Unknown {
		w.unknown(n, target, v.(map[string]any), at)
	}
	w.node(arm, v, at)
}

// unknown reports an instance of the unknown arm of n.
func (w *walker) unknown(n, arm *Node, v map[string]any, at string) {
	for _, tag := range w.set.tagsOf(arm) {
		value, _ := v[tag.Name].(string)
		if tag.Except == nil {
			continue
		}
		kind := codec.UnknownTag
		if slices.ContainsFunc(n.LegacyTags, func(t LegacyTag) bool { return t.Tag == value }) {
			kind = codec.LegacyShape
		}
		w.report(kind, at+"/"+jsontext.EscapePointer(tag.Name), strconv.Quote(clip(value)))
	}
}

// fits reports whether v is valid by the definition that n refers to.
func (w *walker) fits(n *Node, v any) bool {
	return n.Ref != "" && w.set.Open().check(n.Ref, v) == nil
}
