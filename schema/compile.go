package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// compileLazily arranges that each form is compiled once, when it is first asked for.
func (s *Set) compileLazily() {
	s.open = sync.OnceValue(func() *Validator { return s.compile(false) })
	s.closed = sync.OnceValue(func() *Validator { return s.compile(true) })
}

// compile hands the files to the JSON Schema compiler, each definition at its own place so that
// errors point into the files. Only oneOf is written as the keyword x-union, which looks at the tag
// first (see dispatch): one arm is validated instead of all, so that the time does not multiply
// with every level of nesting. The elements of lists and maps have keywords of their own, too (see
// elements).
func (s *Set) compile(closed bool) *Validator {
	v := &Validator{set: s, closed: closed, schemas: map[string]*jsonschema.Schema{}}
	var unions []*Node
	f := &form{
		closed: closed,
		ref:    url,
		items:  itemsKeyword,
		values: valuesKeyword,
		union: func(out *object, n *Node, arms []object) {
			out.set(unionKeyword, object{{"id", len(unions)}, {"arms", arms}})
			unions = append(unions, n)
		},
	}
	docs := map[string]*object{}
	for _, d := range s.definitions {
		doc := docs[d.File]
		if doc == nil {
			doc = &object{{"$schema", Draft}, {"$id", Base + d.File}}
			docs[d.File] = doc
		}
		if d.Pointer == "" {
			*doc = append(*doc, f.emit(s, d.Node)...)
		}
	}
	for name, doc := range docs {
		var defs object
		for _, d := range s.definitions {
			if d.File == name && d.Pointer != "" {
				defs.set(d.key(), f.emit(s, d.Node))
			}
		}
		if defs != nil {
			doc.set("$defs", defs)
		}
	}
	v.err = v.build(docs, unions)
	return v
}

func (v *Validator) build(docs map[string]*object, unions []*Node) error {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.RegisterExtension(unionKeyword, nil, &unionCompiler{v, unions})
	c.RegisterExtension(itemsKeyword, nil, elementsCompiler{itemsKeyword})
	c.RegisterExtension(valuesKeyword, nil, elementsCompiler{valuesKeyword})
	for name, doc := range docs {
		text, err := json.Marshal(doc)
		if err != nil {
			return err
		}
		if err := c.AddResource(Base+name, bytes.NewReader(text)); err != nil {
			return err
		}
	}
	for _, d := range v.set.definitions {
		compiled, err := c.Compile(url(d.Name()))
		if err != nil {
			return fmt.Errorf("schema %s: %w", d.Name(), err)
		}
		v.schemas[d.Name()] = compiled
	}
	return nil
}

// url is the address of a definition for the compiler.
func url(name string) string { return Base + name }
