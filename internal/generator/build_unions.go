package generator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/schema"
)

// tagConstants are the unions whose tags people write by hand: their values become constants that
// begin with the name.
var tagConstants = map[string]string{"HookInput": "HookEvent"}

// union adds an interface with its arms.
func (b *builder) union(d *schema.Definition) error {
	name, err := b.names.Definition(d)
	if err != nil {
		return err
	}
	if err := b.names.Take("Unknown"+name, d.Name()+" unknown"); err != nil {
		return err
	}
	if strings.HasPrefix(d.File, "message/") { // flattened into the frames
		return nil
	}
	src, _ := b.set.Union(d.Node)
	u := &unionType{name: name, def: d, doc: d.Description, tags: src.Tags, legacy: d.LegacyTags, isFrame: name == "Frame",
		molds: b.only == nil || b.only[moldedFile], tagMethod: hasTagMethod(src)}
	if len(u.tags) > 2 {
		return fmt.Errorf("%s: more than two tags", d.Name())
	}
	byValue := map[string]*group{}
	shared := func(value string) *group { // of the arms that the second tag decides on
		g := byValue[value]
		if g == nil {
			g = &group{value: value}
			byValue[value] = g
			u.groups = append(u.groups, g)
		}
		return g
	}
	for _, a := range src.Arms {
		if !isArm(a) {
			continue
		}
		if !b.has(a.Definition) {
			if len(u.tags) == 2 && a.Tag(u.tags[1]) != nil {
				shared(a.Tag(u.tags[0]).Values[0]) // the second tag is essential all the same
			}
			continue
		}
		armName, err := b.names.Definition(a.Definition)
		if err != nil {
			return err
		}
		first := a.Tag(u.tags[0]).Values
		deciding := a.Tag(u.tags[0])
		if len(u.tags) == 2 && a.Tag(u.tags[1]) != nil {
			deciding = a.Tag(u.tags[1])
		}
		one := &arm{name: armName, values: deciding.Values, open: deciding.Except != nil, legacy: a.Legacy}
		if len(u.tags) == 1 || a.Tag(u.tags[1]) == nil {
			for _, v := range first {
				g := &group{value: v, arm: one}
				byValue[v] = g
				u.groups = append(u.groups, g)
			}
			continue
		}
		g := shared(first[0])
		g.arms = append(g.arms, one)
	}
	if prefix, ok := tagConstants[name]; ok {
		if err := b.names.Take(prefix+"s", d.Name()+" tags"); err != nil {
			return err
		}
		for _, g := range u.groups {
			if err := b.names.Take(constName(prefix, g.value), d.Name()+" "+g.value); err != nil {
				return err
			}
		}
	}
	f := b.file(d)
	f.unions = append(f.unions, u)
	b.unions[name] = u
	return nil
}

// isArm reports whether an arm of a union has a Go type that is one of the interface.
func isArm(a *schema.Arm) bool {
	return !a.Unknown && (!a.Legacy || strings.HasPrefix(a.Definition.File, "message/"))
}

// hasTagMethod reports whether the first tag is a constant in every arm of a union.
func hasTagMethod(u *schema.Union) bool {
	return !slices.ContainsFunc(u.Arms, func(a *schema.Arm) bool {
		return isArm(a) && !slices.ContainsFunc(a.Definition.Properties, func(p schema.Property) bool { return p.Name == u.Tags[0] && p.HasConst })
	})
}

// link tells arms of their unions and unions of their use in lists.
func (b *builder) link() {
	byName := map[string]*structType{}
	for _, s := range b.structs {
		byName[s.name] = s
	}
	for _, u := range b.unions {
		for _, g := range u.groups {
			arms := g.arms
			tags := u.tags
			if g.arm != nil {
				arms, tags = []*arm{g.arm}, u.tags[:1]
			}
			for _, a := range arms {
				s := byName[a.name]
				if !slices.Contains(s.unions, u.name) {
					s.unions = append(s.unions, u.name)
				}
				s.tags = tags
				if f := s.field(tags[len(tags)-1]); !f.isConst {
					s.enumTag, s.openTag = f, a.open
				}
			}
		}
	}
	for _, u := range b.unions {
		for _, name := range u.arms() {
			byName[name].tagged = byName[name].tagged || u.tagMethod
		}
	}
	for _, s := range b.structs {
		slices.Sort(s.unions)
		for _, f := range s.fields {
			if f.typ != nil {
				b.markLists(f.typ, false)
			}
		}
	}
	for _, f := range b.files {
		for _, c := range f.choices {
			for _, a := range c.arms {
				b.markLists(a.typ, false)
			}
		}
	}
}

func (b *builder) markLists(e *expr, inList bool) {
	if e.kind == unionKind && inList {
		b.unions[e.name].inLists = true
	}
	if e.elem != nil {
		b.markLists(e.elem, inList || e.kind == sliceKind)
	}
}
