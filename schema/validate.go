package schema

import (
	"errors"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/ccwire/ccwire/codec"
)

// A Direction says which end of the pipe wrote a line.
type Direction int

const (
	Either  Direction = iota // a line of either end
	FromCLI                  // written by the CLI on its stdout
	FromSDK                  // written by the SDK to the CLI's stdin
)

// Definition returns the name of the definition of a line's frame.
func (d Direction) Definition() string {
	switch d {
	case FromCLI:
		return "envelope/from_cli.json"
	case FromSDK:
		return "envelope/from_sdk.json"
	default:
		return "envelope/frame.json"
	}
}

// A Validator checks documents against the definitions of a [Set], in the open or in the closed
// form. It may be used by several goroutines.
type Validator struct {
	set      *Set
	closed   bool
	compiler func() *jsonschema.Compiler // for who holds mu

	mu      sync.RWMutex                  // guards the fields below
	schemas map[string]*jsonschema.Schema // by name of the definition, as far as they are compiled
	unions  []*Node                       // the unions of the files that the compiler has, by their id
	err     error                         // why a schema does not compile
}

// Open returns the validator of the schemas as they are written: unknown members, tags and enum
// values are fine.
func (s *Set) Open() *Validator { return s.open }

// Closed returns the validator of the closed form: members, tags and enum values that the schemas
// do not name are forbidden, and so is every legacy shape. Numbers must fit into 64 bits: integers
// as such, others as floating point.
func (s *Set) Closed() *Validator { return s.closed }

// ValidateFrame checks one line, with or without its line end, as the frame of a direction. The
// error is a [*codec.Error] if the line is not a JSON object within the limits, or an [*Error] that
// lists what is wrong with it.
func (v *Validator) ValidateFrame(dir Direction, line []byte) error {
	doc, err := decode(line)
	if err != nil {
		return err
	}
	if _, ok := doc.(map[string]any); !ok {
		return notObject(line, kindOf(doc))
	}
	return located(v.check(dir.Definition(), doc), line)
}

// Validate checks a document against the definition of that name (see [Definition.Name]). Errors
// are as those of [Validator.ValidateFrame].
func (v *Validator) Validate(definition string, doc []byte) error {
	value, err := decode(doc)
	if err != nil {
		return err
	}
	return located(v.check(definition, value), doc)
}

// located sets the offsets of a validation error, which is about the document text.
func located(err error, text []byte) error {
	if e, ok := err.(*Error); ok {
		var list []*codec.Deviation
		for i := range e.Violations {
			list = append(list, &e.Violations[i].Deviation)
		}
		locate(text, list)
	}
	return err
}

func (v *Validator) check(definition string, doc any) error {
	d := v.set.Lookup(definition)
	if d == nil {
		return noDefinition(definition)
	}
	compiled, err := v.schema(d)
	if err != nil {
		return err
	}
	err = compiled.Validate(doc)
	var failure *jsonschema.ValidationError
	if errors.As(err, &failure) {
		return v.explain(failure, doc)
	}
	return err
}

func noDefinition(name string) error { return fmt.Errorf("schema: there is no definition %q", name) }

// drops reports whether the form leaves out an arm or a property.
func (v *Validator) drops(n *Node) bool {
	return v.closed && (v.set.legacy(n) || v.set.Resolve(n).Unknown)
}
