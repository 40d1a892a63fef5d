package schema

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// walker goes through an instance and its schema together.
type walker struct {
	set    *Set
	enter  func(d *Definition)                            // called for each definition that a value is an instance of
	report func(kind FindingKind, pointer, detail string) // called for what a valid instance should not have
}

func (w *walker) definition(d *Definition, v any, at string) {
	w.enter(d)
	if d.Legacy() && !d.Unknown {
		w.report(Legacy, at, fmt.Sprintf("a shape of old peers (%s)", d.Name()))
	}
	w.node(d.Node, v, at)
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
		if n.XEnum != nil && !slices.Contains(n.XEnum, v) {
			w.report(UnknownValue, at, fmt.Sprintf("unknown value %q", clip(v)))
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

func (w *walker) members(n *Node, v map[string]any, at string) {
	for _, name := range slices.Sorted(maps.Keys(v)) {
		at := at + "/" + escape(name)
		switch p := n.Property(name); {
		case p != nil:
			if p.Legacy() {
				w.report(Legacy, at, fmt.Sprintf("member %q of old peers", name))
			}
			w.node(p.Node, v[name], at)
		case n.AdditionalProperties != nil:
			w.node(n.AdditionalProperties, v[name], at)
		case n.IsStruct() && !n.Unknown && !n.Legacy():
			w.report(UnknownMember, at, fmt.Sprintf("unknown member %q", clip(name)))
		}
	}
}

func (w *walker) oneOf(n *Node, v any, at string) {
	var candidates []*Node
	for _, arm := range n.OneOf {
		if slices.Contains(w.set.Kinds(arm), kindOf(v)) {
			candidates = append(candidates, arm)
		}
	}
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
		kind, detail := UnknownType, fmt.Sprintf("unknown %s %q", tag.Name, clip(value))
		if slices.ContainsFunc(n.LegacyTags, func(t LegacyTag) bool { return t.Tag == value }) {
			kind, detail = Legacy, fmt.Sprintf("%s %q of old peers", tag.Name, value)
		}
		w.report(kind, at+"/"+escape(tag.Name), detail)
	}
}

// fits reports whether v is valid by the definition that n refers to.
func (w *walker) fits(n *Node, v any) bool {
	return n.Ref != "" && w.set.Open().check(n.Ref, v) == nil
}
