package model

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/naming"
	"github.com/ccwire/ccwire/schema"
)

// New makes the model of a set of schemas.
func New(set *schema.Set) (*Model, error) {
	b := &builder{set: set, names: naming.New(), types: map[string]*Type{}, unknown: map[string]string{},
		m: &Model{Revision: set.Revision(), byDefinition: map[string]*Expr{}}}
	if err := b.nameUnknown(); err != nil {
		return nil, err
	}
	for _, d := range set.Definitions() {
		if err := b.declare(d); err != nil {
			return nil, err
		}
	}
	for _, d := range set.Definitions() {
		if err := b.define(d); err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name(), err)
		}
	}
	if err := b.direct(); err != nil {
		return nil, err
	}
	b.tables()
	slices.SortFunc(b.m.Types, func(x, y *Type) int { return cmp.Compare(x.Name, y.Name) })
	return b.m, nil
}

// builder makes a model.
type builder struct {
	m       *Model
	set     *schema.Set
	names   *naming.Namer
	types   map[string]*Type  // by the name of the definition
	unknown map[string]string // by the name of the definition of an unknown arm: that of its union
}

// nameUnknown finds the union of each unknown arm, which is named after it.
func (b *builder) nameUnknown() error {
	for _, d := range b.set.Definitions() {
		for _, arm := range d.OneOf {
			if arm.Ref == "" || !b.set.Resolve(arm).Unknown {
				continue
			}
			if other := b.unknown[arm.Ref]; other != "" {
				return fmt.Errorf("%s is an arm of %s and of %s", arm.Ref, other, d.Name())
			}
			b.unknown[arm.Ref] = d.Name()
		}
	}
	return nil
}

// declare adds the type of a definition, without what it is made of.
func (b *builder) declare(d *schema.Definition) error {
	if d.Ref != "" {
		return nil
	}
	named, prefix := d, ""
	if union := b.unknown[d.Name()]; union != "" {
		named, prefix = b.set.Lookup(union), "Unknown"
	}
	name, err := b.names.Definition(named)
	if err != nil {
		return err
	}
	if prefix != "" {
		name = prefix + name
		if err := b.names.Take(name, d.Name()); err != nil {
			return err
		}
	}
	b.add(d.Name(), &Type{Name: name, Definition: d.Name(), Doc: d.Description, History: d.History(),
		Direction: Direction(d.Direction), Legacy: d.Legacy() && !d.Unknown})
	return nil
}

func (b *builder) add(definition string, t *Type) {
	b.types[definition] = t
	b.m.Types = append(b.m.Types, t)
}

// define fills in what the type of a definition is made of.
func (b *builder) define(d *schema.Definition) (err error) {
	t := b.types[d.Name()]
	if t == nil {
		return b.refer(d)
	}
	b.m.byDefinition[d.Name()] = &Expr{Kind: Ref, Type: t}
	_, isUnion := b.set.Union(d.Node)
	switch {
	case isUnion:
		t.Union, err = b.union(d.Node)
	case len(d.OneOf) > 0:
		t.Choice, err = b.choice(t, t.Name, d.OneOf)
	case isEnum(d.Node):
		t.Enum, err = enum(d.Node)
	case d.IsStruct():
		t.Struct, err = b.structure(t, d)
	default:
		t.Alias, err = b.expr(t, t.Name, d.Node)
	}
	return err
}

// refer adds a definition that only refers to another.
func (b *builder) refer(d *schema.Definition) (err error) {
	b.m.byDefinition[d.Name()], err = b.expr(nil, "", d.Node)
	return err
}

// structure returns the members of an object.
func (b *builder) structure(t *Type, d *schema.Definition) (*Struct, error) {
	s := &Struct{Lacks: d.NotRequired, Modern: d.Modern}
	for i := range d.Properties {
		p := &d.Properties[i]
		value, err := b.expr(t, t.Name+naming.Field(p.Name), p.Node)
		if err != nil {
			return nil, fmt.Errorf("member %q: %w", p.Name, err)
		}
		doc := p.Description
		if doc == "" {
			doc, _, _ = strings.Cut(b.set.Resolve(p.Node).Description, ". ")
			doc = strings.TrimSuffix(doc, ".")
			if doc != "" {
				doc += "."
			}
		}
		s.Members = append(s.Members, &Member{
			Name: p.Name, Doc: doc, History: p.MemberHistory(), Value: value, Required: p.Required,
			Send: slices.Contains(d.SendRequired, p.Name), Essential: p.Essential != "", Legacy: p.Legacy(),
			ToolInput: p.ToolInput, ToolResult: p.ToolResult,
		})
	}
	return s, nil
}

// union returns the arms of a union: those that it lists, of which some are unions themselves.
func (b *builder) union(n *schema.Node) (*Union, error) {
	flat, _ := b.set.Union(n)
	u := &Union{Tag: flat.Tags[0], Legacy: n.LegacyTags}
	taken := map[string]*Type{}
	for i, arm := range n.OneOf {
		target := b.set.Resolve(arm)
		t := b.typeOf(arm)
		if t == nil {
			return nil, fmt.Errorf("arm %d is not an object with a definition", i)
		}
		a := &Arm{Type: t, Unknown: target.Unknown, Legacy: true}
		for _, leaf := range flat.Arms {
			tag := leaf.Tag(u.Tag)
			if leaf.Index != i || tag == nil {
				continue
			}
			a.Legacy = a.Legacy && leaf.Legacy
			a.Open = a.Open || tag.Except != nil && !a.Unknown
			for _, v := range tag.Values {
				if !slices.Contains(a.Values, v) {
					a.Values = append(a.Values, v)
				}
			}
		}
		for _, v := range a.Values {
			if other := taken[v]; other != nil && !a.Legacy {
				return nil, fmt.Errorf("%s and %s have the %s %q", other.Name, t.Name, u.Tag, v)
			}
			if !a.Legacy {
				taken[v] = t
			}
		}
		u.Arms = append(u.Arms, a)
	}
	for _, a := range u.Arms { // one with a tag of its own is an arm as others are
		a.Legacy = a.Legacy && (a.Values == nil || slices.ContainsFunc(a.Values, func(v string) bool { return taken[v] != nil }))
	}
	return u, nil
}

// typeOf returns the type of what n refers to.
func (b *builder) typeOf(n *schema.Node) *Type {
	for n.Ref != "" {
		if t := b.types[n.Ref]; t != nil {
			return t
		}
		n = b.set.Lookup(n.Ref).Node
	}
	return nil
}

func isEnum(n *schema.Node) bool { return len(n.Enum) > 0 || len(n.XEnum) > 0 }

// enum returns the known values of a string.
func enum(n *schema.Node) (*Enum, error) {
	e := &Enum{Values: n.XEnum, Partial: n.Partial, Closed: len(n.Enum) > 0}
	for _, v := range n.Enum {
		s, ok := v.(string)
		if !ok {
			return nil, fmt.Errorf("an enum of other values than strings")
		}
		e.Values = append(e.Values, s)
	}
	return e, nil
}

// tables adds what goes together but does not refer to each other.
func (b *builder) tables() {
	tools := map[string]*Tool{}
	for _, d := range b.set.Definitions() {
		key := strings.TrimPrefix(d.Pointer, "/$defs/")
		switch {
		case d.IsRequest():
			b.m.Requests = append(b.m.Requests, &Request{
				Subtype: strings.TrimSuffix(path.Base(d.File), ".json"), Direction: Direction(d.Direction), Host: path.Dir(d.File) == "host",
				Request: b.types[d.Name()], Response: b.m.byDefinition[d.File+"#/$defs/Response"],
			})
		case path.Dir(d.File) == "hook" && key == "Input":
			b.m.Hooks = append(b.m.Hooks, &Hook{
				Event: strings.TrimSuffix(path.Base(d.File), ".json"),
				Input: b.types[d.Name()], Output: b.types[d.File+"#/$defs/Output"],
			})
		case d.Tool != nil:
			t := tools[d.Tool[0]]
			if t == nil {
				t = &Tool{Names: d.Tool}
				tools[d.Tool[0]] = t
				b.m.Tools = append(b.m.Tools, t)
			}
			if key == "Input" {
				t.Input = b.m.byDefinition[d.Name()]
			} else {
				t.Result = b.m.byDefinition[d.Name()]
			}
		}
	}
	slices.SortFunc(b.m.Requests, func(x, y *Request) int { return cmp.Compare(x.Subtype, y.Subtype) })
	slices.SortFunc(b.m.Tools, func(x, y *Tool) int { return cmp.Compare(x.Names[0], y.Names[0]) })
}
