package npm

import (
	"fmt"

	"github.com/ccwire/ccwire/internal/packages/model"
)

// sending knows what an SDK writes. Of that a misspelt member must not compile, so its types have
// no other members than the named ones. A type that the CLI sends, too, is there twice: as it is
// read, and under another name as it is written.
type sending struct {
	types   map[*model.Type]string // the name of what an SDK writes; it is that of the type if nobody reads it
	unknown map[*model.Type]string // of the unknown arms: their tag
	closed  map[*model.Type]bool   // see depends
}

func newSending(m *model.Model) (*sending, error) {
	s := &sending{types: map[*model.Type]string{}, unknown: map[*model.Type]string{}, closed: map[*model.Type]bool{}}
	for _, t := range m.Types {
		if t.Union == nil {
			continue
		}
		if a := t.Union.Unknown(); a != nil {
			s.unknown[a.Type] = t.Union.Tag
		}
	}
	s.depend(m)
	s.add(m.FromSDK)
	for _, t := range m.Types {
		if t.Direction == model.SDK && !t.Legacy {
			s.add(t)
		}
	}
	for _, r := range m.Requests {
		if r.Direction != model.SDK && r.Response != nil {
			s.addExpr(r.Response)
		}
	}
	taken := map[string]bool{}
	for _, t := range m.Types {
		taken[t.Name] = true
	}
	for t, name := range s.types {
		if name != t.Name && taken[name] {
			return nil, fmt.Errorf("%s needs the name %s, which is taken", t.Name, name)
		}
	}
	return s, nil
}

// depend finds the types that objects with named members belong to: the others are the same for
// both directions. What only the CLI makes, an SDK repeats as it is.
func (s *sending) depend(m *model.Model) {
	for grown := true; grown; {
		grown = false
		for _, t := range m.Types {
			if s.closed[t] || s.unknown[t] != "" || t.Direction == model.CLI {
				continue
			}
			found := t.Struct != nil
			for _, e := range parts(t) {
				found = found || s.closed[inner(e)]
			}
			if found {
				s.closed[t], grown = true, true
			}
		}
	}
}

// add adds what an SDK writes.
func (s *sending) add(t *model.Type) {
	if t == nil || t.Legacy || !s.closed[t] || s.types[t] != "" {
		return
	}
	s.types[t] = t.Name
	if t.Direction == model.Both {
		s.types[t] += "FromSDK"
	}
	for _, e := range parts(t) {
		s.addExpr(e)
	}
}

func (s *sending) addExpr(e *model.Expr) { s.add(inner(e)) }

// name returns the name of a type as it is read or, if send is set, written.
func (s *sending) name(t *model.Type, send bool) string {
	if name := s.types[t]; send && name != "" {
		return name
	}
	return t.Name
}

// inner returns the type that an expression has in the end.
func inner(e *model.Expr) *model.Type {
	for e.Elem != nil {
		e = e.Elem
	}
	return e.Type
}

// parts returns what a type consists of.
func parts(t *model.Type) (list []*model.Expr) {
	switch {
	case t.Struct != nil:
		for _, m := range t.Struct.Members {
			list = append(list, m.Value)
		}
	case t.Union != nil:
		for _, a := range t.Union.Arms {
			list = append(list, &model.Expr{Kind: model.Ref, Type: a.Type})
		}
	case t.Choice != nil:
		list = t.Choice
	case t.Alias != nil:
		list = []*model.Expr{t.Alias}
	}
	return list
}
