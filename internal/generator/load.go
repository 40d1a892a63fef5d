package generator

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"

	"github.com/atombender/go-jsonschema/pkg/schemas"

	"github.com/ccwire/ccwire/schema"
)

// input is the schema tree: the annotated model of package schema, which keeps
// the order of members, and the structural model of go-jsonschema. The two are
// read independently and must agree.
type input struct {
	set   *schema.Set
	types map[string]*schemas.Type // by definition name
}

// load reads the tree.
func load(fsys fs.FS) (*input, error) {
	set, err := schema.Load(fsys)
	if err != nil {
		return nil, err
	}
	in := &input{set: set, types: map[string]*schemas.Type{}}
	files := map[string]*schemas.Schema{}
	for _, d := range set.Definitions() {
		file := files[d.File]
		if file == nil {
			text, err := fs.ReadFile(fsys, d.File)
			if err != nil {
				return nil, err
			}
			if file, err = schemas.FromJSONReader(bytes.NewReader(text)); err != nil {
				return nil, fmt.Errorf("%s: %w", d.File, err)
			}
			files[d.File] = file
		}
		t := (*schemas.Type)(file.ObjectAsType)
		if d.Pointer != "" {
			t = file.Definitions[defName(d)]
		}
		if err := agree(d, t); err != nil {
			return nil, err
		}
		in.types[d.Name()] = t
	}
	return in, nil
}

// agree checks that both models see the same structure.
func agree(d *schema.Definition, t *schemas.Type) error {
	switch {
	case t == nil:
		return fmt.Errorf("%s: go-jsonschema does not see the definition", d.Name())
	case len(t.Properties) != len(d.Properties):
		return fmt.Errorf("%s: %d properties, go-jsonschema sees %d", d.Name(), len(d.Properties), len(t.Properties))
	case len(t.OneOf) != len(d.OneOf):
		return fmt.Errorf("%s: %d arms, go-jsonschema sees %d", d.Name(), len(d.OneOf), len(t.OneOf))
	}
	for _, p := range d.Properties {
		if t.Properties[p.Name] == nil || slices.Contains(t.Required, p.Name) != p.Required {
			return fmt.Errorf("%s: go-jsonschema sees the member %q differently", d.Name(), p.Name)
		}
	}
	return nil
}

// defName returns the key of a definition in its file's $defs.
func defName(d *schema.Definition) string { return d.Pointer[len("/$defs/"):] }
