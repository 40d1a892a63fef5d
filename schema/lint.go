package schema

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// A FindingKind says what sort of thing a [Finding] is.
type FindingKind string

const (
	UnknownMember FindingKind = "unknown-member" // a member that the schema does not name
	UnknownType   FindingKind = "unknown-type"   // a tag that selects no arm of a union: a type, subtype, block or event
	UnknownValue  FindingKind = "unknown-value"  // a string that is not in an open enum
	Legacy        FindingKind = "legacy"         // a shape that is read and never sent
	Invalid       FindingKind = "invalid"        // a problem that validation reports as well
)

// A Finding is something in a document that the schemas do not name, though the document may be valid.
type Finding struct {
	Kind    FindingKind
	Pointer string // JSON pointer in the document
	Detail  string // what it is, in words
}

func (f Finding) String() string { return fmt.Sprintf("%s: %s: %s", f.Pointer, f.Kind, f.Detail) }

// Lint lists what the document has and the definition does not name, sorted by pointer, up to [MaxProblems]. Inside opaque values it looks
// only where the schema says what they hold and the value is of that form. The error is an [*InputError], or says that
// there is no such definition. Use [Direction.Definition] to lint a line.
func (s *Set) Lint(definition string, doc []byte) ([]Finding, error) {
	var findings []Finding
	report := func(kind FindingKind, pointer, detail string) {
		if len(findings) < MaxProblems {
			findings = append(findings, Finding{kind, pointer, detail})
		}
	}
	err := s.walk(definition, doc, &walker{set: s, enter: func(*Definition) {}, report: report})
	var invalid *Error
	if errors.As(err, &invalid) {
		for _, p := range invalid.Problems {
			report(Invalid, p.Instance, p.Reason)
		}
		err = nil
	}
	slices.SortFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Detail, b.Detail))
	})
	return findings, err
}

// Touched lists, sorted, the names of the definitions that the document, or a part of it, is an instance of. Errors are
// those of [Validator.Validate].
func (s *Set) Touched(definition string, doc []byte) ([]string, error) {
	names := map[string]bool{}
	err := s.walk(definition, doc, &walker{
		set:    s,
		enter:  func(d *Definition) { names[d.Name()] = true },
		report: func(FindingKind, string, string) {},
	})
	return slices.Sorted(maps.Keys(names)), err
}

// walk sends w through the document, also through an invalid one, and returns the error of its validation.
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
