package schema

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/ccwire/ccwire/internal/object"
)

// newValidators makes the validators of both forms.
func (s *Set) newValidators() {
	s.open = newValidator(s, false)
	s.closed = newValidator(s, true)
}

// newValidator returns a validator that compiles a definition, and what it refers to, when it is
// first asked about it.
//
// The JSON Schema compiler gets the files as they are, each definition at its own place so that
// errors point into the files. Only oneOf is written as the keyword x-union, which looks at the tag
// first (see dispatch): one arm is validated instead of all, so that the time does not multiply
// with every level of nesting. The elements of lists and maps have keywords of their own, too (see
// elements).
func newValidator(s *Set, closed bool) *Validator {
	v := &Validator{set: s, closed: closed, schemas: map[string]*jsonschema.Schema{}}
	v.compiler = sync.OnceValue(func() *jsonschema.Compiler {
		c := jsonschema.NewCompiler()
		c.Draft = jsonschema.Draft2020
		c.LoadURL = v.load
		c.RegisterExtension(unionKeyword, nil, &unionCompiler{v})
		c.RegisterExtension(itemsKeyword, nil, elementsCompiler{itemsKeyword})
		c.RegisterExtension(valuesKeyword, nil, elementsCompiler{valuesKeyword})
		return c
	})
	return v
}

// schema returns the compiled form of a definition. A schema that does not compile is a mistake in
// the files, and spoils the validator.
func (v *Validator) schema(d *Definition) (*jsonschema.Schema, error) {
	name := d.Name()
	v.mu.RLock()
	compiled, err := v.schemas[name], v.err
	v.mu.RUnlock()
	if compiled != nil || err != nil {
		return compiled, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.schemas[name] == nil && v.err == nil {
		compiled, err := v.compiler().Compile(url(name))
		if err != nil {
			v.err = fmt.Errorf("schema %s: %w", name, err)
		} else {
			v.schemas[name] = compiled
		}
	}
	return v.schemas[name], v.err
}

// load writes a file for the compiler.
func (v *Validator) load(address string) (io.ReadCloser, error) {
	f := &form{
		closed: v.closed,
		ref:    url,
		items:  itemsKeyword,
		values: valuesKeyword,
		union: func(out *object.Object, n *Node, arms []object.Object) {
			out.Set(unionKeyword, object.Of("id", len(v.unions), "arms", arms))
			v.unions = append(v.unions, n)
		},
	}
	name := strings.TrimPrefix(address, Base)
	doc := object.Of("$schema", Draft, "$id", Base+name)
	var defs object.Object
	for _, d := range v.set.definitions {
		switch {
		case d.File != name:
		case d.Pointer == "":
			doc = append(doc, f.emit(v.set, d.Node)...)
		default:
			defs.Set(d.key(), f.emit(v.set, d.Node))
		}
	}
	if defs != nil {
		doc.Set("$defs", defs)
	}
	return io.NopCloser(bytes.NewReader(object.Append(nil, doc))), nil
}

// url is the address of a definition for the compiler.
func url(name string) string { return Base + name }
