package schema

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/codec"
)

// Lint lists how the document deviates from the definition, though it may be valid: what the
// definition does not name, legacy shapes, and what is invalid. The list is sorted by path and has
// at most [MaxDeviations]. Inside opaque values Lint looks only where the schema says what they
// hold and the value is of that form. The error is a [*codec.Error], or says that there is no such
// definition. Use [Direction.Definition] to lint a line.
func (s *Set) Lint(definition string, doc []byte) ([]codec.Deviation, error) {
	var found deviations
	err := s.walk(definition, doc, &walker{set: s, enter: into, report: found.add})
	var invalid *Error
	if errors.As(err, &invalid) {
		for _, v := range invalid.Violations {
			found.add(v.Kind, v.Path, v.Detail)
		}
		err = nil
	}
	return found.in(doc), err
}

// LintTools lists how the inputs and results of built-in tools in a document deviate from what the
// tools take and return. Lines carry both as any JSON, so [Set.Lint] has nothing to say of them.
// The list is as that of Lint; the error is that of a text that is not JSON, or says that there is
// no such definition.
func (s *Set) LintTools(definition string, doc []byte) ([]codec.Deviation, error) {
	d := s.Lookup(definition)
	if d == nil {
		return nil, noDefinition(definition)
	}
	v, err := decode(doc)
	if err != nil {
		return nil, err
	}
	var found deviations
	inside := &walker{set: s, enter: into, report: found.add}
	outside := &walker{set: s, enter: into, report: func(codec.DeviationKind, string, string) {}}
	outside.tool = func(d *Definition, v any, at string) {
		if object, ok := v.(map[string]any); ok && len(object) == 0 && strings.HasSuffix(at, "/content_block/input") {
			return // the input comes in pieces, after the block has begun
		}
		var invalid *Error
		if errors.As(s.Open().check(d.Name(), v), &invalid) {
			for _, violation := range invalid.Violations {
				found.add(violation.Kind, at+violation.Path, violation.Detail)
			}
		}
		inside.definition(d, v, at)
	}
	outside.definition(d, v, "")
	return found.in(doc), nil
}

// deviations are those of one document, at most [MaxDeviations].
type deviations []codec.Deviation

func (l *deviations) add(kind codec.DeviationKind, at, detail string) {
	if len(*l) < MaxDeviations {
		*l = append(*l, codec.Deviation{Kind: kind, Path: at, Detail: detail})
	}
}

// in returns the list, sorted and with its places in the document.
func (l deviations) in(doc []byte) []codec.Deviation {
	if len(l) == 0 {
		return nil
	}
	slices.SortFunc(l, func(a, b codec.Deviation) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Detail, b.Detail))
	})
	var all []*codec.Deviation
	for i := range l {
		all = append(all, &l[i])
	}
	locate(doc, all)
	return l
}

// Touched lists, sorted, the names of the definitions that the document, or a part of it, is an
// instance of, tools included. Errors are those of [Validator.Validate].
func (s *Set) Touched(definition string, doc []byte) ([]string, error) {
	names := map[string]bool{}
	err := s.walk(definition, doc, &walker{
		set:    s,
		enter:  func(d *Definition, _ any, _ string) bool { names[d.Name()] = true; return true },
		report: func(codec.DeviationKind, string, string) {},
		tools:  true,
	})
	return slices.Sorted(maps.Keys(names)), err
}

// Visit calls see for each definition that the document, or a part of it, is an instance of, with
// the decoded value: a map[string]any for an object. Errors are those of [Validator.Validate]; an
// invalid document is not visited.
func (s *Set) Visit(definition string, doc []byte, see func(d *Definition, v any)) error {
	v, err := decode(doc)
	if err != nil {
		return err
	}
	if err := s.Open().check(definition, v); err != nil {
		return err
	}
	s.visit(definition, v, see)
	return nil
}

// VisitValid is [Set.Visit] for a document that is known to be valid. The error is that of a text
// that is not JSON.
func (s *Set) VisitValid(definition string, doc []byte, see func(d *Definition, v any)) error {
	v, err := decode(doc)
	if err != nil {
		return err
	}
	s.visit(definition, v, see)
	return nil
}

func (s *Set) visit(definition string, v any, see func(d *Definition, v any)) {
	w := &walker{
		set:    s,
		enter:  func(d *Definition, v any, _ string) bool { see(d, v); return true },
		report: func(codec.DeviationKind, string, string) {},
	}
	w.definition(s.Lookup(definition), v, "")
}

// into is for walkers that look at all parts of a document.
func into(*Definition, any, string) bool { return true }

// walk sends w through the document, also through an invalid one, and returns the error of its
// validation.
func (s *Set) walk(definition string, doc []byte, w *walker) error {
	v, err := decode(doc)
	if err != nil {
		return err
	}
	err = s.Open().check(definition, v)
	if d := s.Lookup(definition); d != nil {
		w.definition(d, v, "")
	}
	return err
}
