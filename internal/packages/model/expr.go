package model

import (
	"fmt"
	"slices"

	"github.com/ccwire/ccwire/internal/naming"
	"github.com/ccwire/ccwire/schema"
)

// expr returns what a value of n may be; name is for a type that it needs. The type in is what the
// value is part of.
func (b *builder) expr(in *Type, name string, n *schema.Node) (*Expr, error) {
	switch {
	case n.Ref != "":
		return b.reference(n.Ref)
	case n.OneOf != nil:
		return b.oneOf(in, name, n)
	case n.HasConst:
		v, ok := n.Const.(string)
		if !ok {
			return nil, fmt.Errorf("a constant that is no string")
		}
		return &Expr{Kind: Const, Const: v}, nil
	case n.Opaque:
		return b.opaque(in, name, n)
	}
	types := slices.DeleteFunc(slices.Clone(n.Types), func(t string) bool { return t == "null" })
	nullable := len(types) < len(n.Types)
	if len(types) > 1 {
		return b.scalar(in, name, n, types, nullable)
	}
	if len(types) == 0 {
		return nil, fmt.Errorf("no type")
	}
	e, err := b.ofKind(in, name, n, types[0])
	if err != nil {
		return nil, err
	}
	e.Nullable, e.Except = nullable, n.NotEnum
	return e, nil
}

// reference returns a definition, or what it refers to.
func (b *builder) reference(definition string) (*Expr, error) {
	if t := b.types[definition]; t != nil {
		return &Expr{Kind: Ref, Type: t}, nil
	}
	return b.expr(nil, "", b.set.Lookup(definition).Node)
}

var kinds = map[string]Kind{"string": String, "boolean": Bool, "integer": Int, "number": Number, "array": List, "object": Map}

// ofKind returns a value of one kind of JSON.
func (b *builder) ofKind(in *Type, name string, n *schema.Node, kind string) (e *Expr, err error) {
	e = &Expr{Kind: kinds[kind]}
	switch {
	case isEnum(n):
		t, err := b.inline(in, name, n)
		if err != nil {
			return nil, err
		}
		e.Kind, e.Type = Ref, t
		t.Enum, err = enum(n)
		return e, err
	case kind == "array" && n.Items != nil:
		e.Elem, err = b.expr(in, name+"Item", n.Items)
	case kind == "object" && n.AdditionalProperties != nil:
		e.Elem, err = b.expr(in, name+"Value", n.AdditionalProperties)
	case kind == "array", kind == "object":
		err = fmt.Errorf("nothing says what the %s holds", kind)
	}
	return e, err
}

// opaque returns JSON that is passed on untouched.
func (b *builder) opaque(in *Type, name string, n *schema.Node) (e *Expr, err error) {
	e = &Expr{Kind: Any}
	for _, t := range n.Types {
		switch t {
		case "object":
			e.Kind = Object
		case "null":
			e.Nullable = true
		default:
			return nil, fmt.Errorf("an opaque %s", t)
		}
	}
	if n.Content != nil {
		e.Content, err = b.expr(in, name, n.Content)
	}
	return e, err
}

// scalar returns a choice between plain values.
func (b *builder) scalar(in *Type, name string, n *schema.Node, types []string, nullable bool) (*Expr, error) {
	t, err := b.inline(in, name, n)
	if err != nil {
		return nil, err
	}
	for _, kind := range types {
		e, err := b.ofKind(in, name+naming.Pascal(kind), n, kind)
		if err != nil {
			return nil, err
		}
		t.Choice = append(t.Choice, e)
	}
	return &Expr{Kind: Ref, Type: t, Nullable: nullable}, nil
}

// oneOf returns a value that may be null, or one of several kinds.
func (b *builder) oneOf(in *Type, name string, n *schema.Node) (*Expr, error) {
	if _, ok := b.set.Union(n); ok {
		return nil, fmt.Errorf("a union must be a definition of its own")
	}
	arms := slices.DeleteFunc(slices.Clone(n.OneOf), func(a *schema.Node) bool { return slices.Equal(a.Types, []string{"null"}) })
	e := &Expr{Kind: Ref}
	var err error
	if len(arms) == 1 {
		e, err = b.expr(in, name, arms[0])
	} else if e.Type, err = b.inline(in, name, n); err == nil {
		e.Type.Choice, err = b.choice(in, name, arms)
	}
	if err != nil {
		return nil, err
	}
	e.Nullable = e.Nullable || len(arms) < len(n.OneOf)
	return e, nil
}

// choice returns the arms of a choice between kinds of JSON.
func (b *builder) choice(in *Type, name string, arms []*schema.Node) (out []*Expr, err error) {
	for _, arm := range arms {
		kinds := b.set.Kinds(arm)
		if len(kinds) != 1 {
			return nil, fmt.Errorf("an arm of several kinds %v", kinds)
		}
		e, err := b.expr(in, name+naming.Pascal(kinds[0]), arm)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// inline adds a type that has no definition of its own.
func (b *builder) inline(in *Type, name string, n *schema.Node) (*Type, error) {
	if err := b.names.Take(name, in.Definition); err != nil {
		return nil, err
	}
	t := &Type{Name: name, Definition: in.Definition, Inline: true, Doc: n.Description, Direction: in.Direction, Legacy: in.Legacy}
	b.m.Types = append(b.m.Types, t)
	return t, nil
}
