package flaggen

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Table is the whole of flags.json.
type Table struct {
	Flags   []Flag    `json:"flags"`   // sorted by flag
	LeftOut []LeftOut `json:"leftOut"` // what else it takes, sorted by flag
}

// Flag is a flag of the CLI that has a field in cli.Flags.
type Flag struct {
	Name   string   `json:"name"`             // of the field
	Flag   string   `json:"flag"`             // with its dashes
	Since  string   `json:"since"`            // first version with it, not before that of the control protocol
	Kind   Kind     `json:"kind"`             //
	Zero   bool     `json:"zero,omitempty"`   // an empty value means something
	Hidden bool     `json:"hidden,omitempty"` // not in --help
	Values []string `json:"values,omitempty"` // all that the CLI takes
	Doc    string   `json:"doc"`              // a sentence or two
}

// LeftOut is a flag that has no field, with the reason.
type LeftOut struct {
	Flag   string `json:"flag"`
	Hidden bool   `json:"hidden,omitempty"` // not in --help
	Reason string `json:"reason"`
}

// Kind says what a flag takes.
type Kind string

const (
	Bool           Kind = "bool"           // nothing
	True           Kind = "true"           // the word true
	String         Kind = "string"         //
	OptionalString Kind = "optionalString" // a string, or nothing
	Int            Kind = "int"            // a whole number, not negative
	Number         Kind = "number"         // a positive number
	List           Kind = "list"           // a string at each use
	Commas         Kind = "commas"         // strings joined by commas
	JSON           Kind = "json"           // a JSON object
	JSONOrPath     Kind = "jsonOrPath"     // a JSON object, or the path of a file with one
	JSONOrPathList Kind = "jsonOrPathList" // one of these at each use
)

var (
	fieldName = regexp.MustCompile(`^[A-Z][A-Za-z]*$`)
	flagName  = regexp.MustCompile(`^--[a-z][A-Za-z0-9-]*$`)
	version   = regexp.MustCompile(`^(\d+)\.(\d+)\.(\d+)$`)
)

// Parse reads the table and checks it.
func Parse(text []byte) (*Table, error) {
	var t Table
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&t); err != nil {
		return nil, fmt.Errorf("flags.json: %w", err)
	}
	if err := t.check(); err != nil {
		return nil, fmt.Errorf("flags.json: %w", err)
	}
	return &t, nil
}

func (t *Table) check() error {
	var errs []error
	names, flags := map[string]bool{}, map[string]bool{}
	for _, f := range t.Flags {
		if err := f.check(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", f.Flag, err))
		}
		if names[f.Name] || flags[f.Flag] {
			errs = append(errs, fmt.Errorf("%s: duplicate flag or name", f.Flag))
		}
		names[f.Name], flags[f.Flag] = true, true
	}
	for _, f := range t.LeftOut {
		if flags[f.Flag] {
			errs = append(errs, fmt.Errorf("%s: duplicate flag", f.Flag))
		}
		flags[f.Flag] = true
		if !flagName.MatchString(f.Flag) || !strings.HasSuffix(f.Reason, ".") {
			errs = append(errs, fmt.Errorf("%s: not a flag with a reason that ends in a period", f.Flag))
		}
	}
	if !slices.IsSortedFunc(t.Flags, func(a, b Flag) int { return cmp.Compare(a.Flag, b.Flag) }) ||
		!slices.IsSortedFunc(t.LeftOut, func(a, b LeftOut) int { return cmp.Compare(a.Flag, b.Flag) }) {
		errs = append(errs, errors.New("not sorted by flag"))
	}
	return errors.Join(errs...)
}

func (f *Flag) check() error {
	switch _, known := kinds[f.kind()]; {
	case !known:
		return fmt.Errorf("no kind %q, or none with zero", f.Kind)
	case !fieldName.MatchString(f.Name):
		return fmt.Errorf("%q is not the name of a field", f.Name)
	case !flagName.MatchString(f.Flag):
		return errors.New("not the name of a flag")
	case !version.MatchString(f.Since):
		return fmt.Errorf("%q is not a version", f.Since)
	case !strings.HasPrefix(f.Doc, f.Name+" ") || !strings.HasSuffix(f.Doc, "."):
		return errors.New("the doc does not begin with the name and end in a period")
	}
	return nil
}
