package model

import (
	"fmt"
	"slices"

	"github.com/ccwire/ccwire/schema"
)

// suffixes are what the names of types for one direction end in.
var suffixes = map[Direction]string{CLI: "FromCLI", SDK: "FromSDK"}

// direct finds the lines of each direction, and makes what they lead to the narrower types: of the
// types that both sides send with different arms, those of the direction.
func (b *builder) direct() error {
	b.m.FromCLI = b.types[schema.FromCLI.Definition()]
	b.m.FromSDK = b.types[schema.FromSDK.Definition()]
	if b.m.FromCLI == nil || b.m.FromSDK == nil {
		return fmt.Errorf("the schemas have no lines of a direction")
	}
	d := &director{b: b, differs: map[*Type]bool{}, narrow: map[Direction]map[*Type]*Type{CLI: {}, SDK: {}}}
	d.find()
	for _, t := range slices.Clone(b.m.Types) {
		var err error
		if t.Direction != Both {
			err = d.fill(t, t, t.Direction)
		} else {
			err = d.members(t)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// director makes types for one direction.
type director struct {
	b       *builder
	differs map[*Type]bool // the two sides send different things of it
	narrow  map[Direction]map[*Type]*Type
}

// has reports whether a union has an arm that only goes in the direction.
func (t *Type) has(dir Direction) bool {
	return slices.ContainsFunc(t.Union.Arms, func(a *Arm) bool { return a.Type.Direction == dir })
}

// find fills differs: the unions of which each side has arms of its own, and what leads there. What
// the other side may repeat, such as system lines, is the same for both.
func (d *director) find() {
	for grown := true; grown; {
		grown = false
		for _, t := range d.b.m.Types {
			if !d.differs[t] && d.isDifferent(t) {
				d.differs[t], grown = true, true
			}
		}
	}
}

func (d *director) isDifferent(t *Type) bool {
	if t.Union != nil {
		return t.has(CLI) && t.has(SDK) || slices.ContainsFunc(t.Union.Arms, func(a *Arm) bool { return d.differs[a.Type] })
	}
	if t.Struct != nil {
		return slices.ContainsFunc(t.Struct.Members, func(m *Member) bool { return d.directionOf(t, m) == Both && d.leads(m.Value) })
	}
	return slices.ContainsFunc(append(slices.Clone(t.Choice), t.Alias), d.leads)
}

// leads reports whether an expression has a type that differs.
func (d *director) leads(e *Expr) bool {
	return e != nil && (d.differs[e.Type] || d.leads(e.Elem))
}

// directionOf returns who sends a member of t.
func (d *director) directionOf(t *Type, m *Member) Direction {
	def := d.b.set.Lookup(t.Definition)
	if p := def.Property(m.Name); p != nil && p.Direction != "" {
		return Direction(p.Direction)
	}
	return t.Direction
}

// members narrows those members of a type for both directions that only one side sends.
func (d *director) members(t *Type) error {
	if t.Struct == nil {
		return nil
	}
	for _, m := range t.Struct.Members {
		if dir := d.directionOf(t, m); dir != Both {
			var err error
			if m.Value, err = d.expr(m.Value, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// of returns the type for one direction.
func (d *director) of(t *Type, dir Direction) (*Type, error) {
	if !d.differs[t] || t.Direction != Both {
		return t, nil
	}
	if have := d.narrow[dir][t]; have != nil {
		return have, nil
	}
	out := *t
	out.Name, out.Base, out.Direction = t.Name+suffixes[dir], t, dir
	if err := d.b.names.Take(out.Name, t.Definition+" "+string(dir)); err != nil {
		return nil, err
	}
	d.narrow[dir][t] = &out
	d.b.m.Types = append(d.b.m.Types, &out)
	return &out, d.fill(&out, t, dir)
}

// fill makes what a type consists of that of one direction.
func (d *director) fill(out, t *Type, dir Direction) (err error) {
	switch {
	case t.Union != nil:
		u := &Union{Tag: t.Union.Tag, Legacy: t.Union.Legacy}
		for _, a := range t.Union.Arms {
			if !a.Type.Direction.covers(dir) {
				continue
			}
			arm := *a
			if arm.Type, err = d.of(a.Type, dir); err != nil {
				return err
			}
			u.Arms = append(u.Arms, &arm)
		}
		out.Union = u
	case t.Struct != nil:
		s := *t.Struct
		s.Members = nil
		for _, m := range t.Struct.Members {
			member := *m
			if member.Value, err = d.expr(m.Value, dir); err != nil {
				return err
			}
			s.Members = append(s.Members, &member)
		}
		out.Struct = &s
	case t.Alias != nil:
		out.Alias, err = d.expr(t.Alias, dir)
	default:
		choice := slices.Clone(t.Choice)
		for i := range choice {
			if choice[i], err = d.expr(choice[i], dir); err != nil {
				return err
			}
		}
		out.Choice = choice
	}
	return err
}

// expr returns an expression for one direction.
func (d *director) expr(e *Expr, dir Direction) (*Expr, error) {
	if !d.leads(e) {
		return e, nil
	}
	out := *e
	var err error
	if e.Elem != nil {
		out.Elem, err = d.expr(e.Elem, dir)
	} else {
		out.Type, err = d.of(e.Type, dir)
	}
	return &out, err
}
