package generator

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/atombender/go-jsonschema/pkg/schemas"

	"github.com/ccwire/ccwire/internal/naming"
	"github.com/ccwire/ccwire/schema"
)

// A node is a schema as go-jsonschema models it, with what that leaves out beside it: the order of
// members, resolved refs, and our annotations.
type node struct {
	*schemas.Type
	notes *schema.Node
}

// A definition is a schema with a name.
type definition struct {
	*schema.Definition
	node
}

// input is the schema tree.
type input struct {
	set  *schema.Set
	defs map[string]*definition // by name
	only map[string]bool        // the definitions to generate from, by name; nil means all

	choice Choice // of what only was made

	exceptions []naming.Exception // of names
}

// load reads the tree.
func load(fsys fs.FS) (*input, error) {
	set, err := schema.Load(fsys)
	if err != nil {
		return nil, err
	}
	in := &input{set: set, defs: map[string]*definition{}, exceptions: naming.Exceptions}
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
		n, err := pair(t, d.Node)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name(), err)
		}
		in.defs[d.Name()] = &definition{d, n}
	}
	return in, nil
}

// pair joins the two models of one schema, which must be of the same structure.
func pair(t *schemas.Type, notes *schema.Node) (node, error) {
	switch {
	case t == nil:
		return node{}, errors.New("go-jsonschema does not see the schema")
	case len(t.Properties) != len(notes.Properties), len(t.OneOf) != len(notes.OneOf), (t.Items == nil) != (notes.Items == nil):
		return node{}, errors.New("go-jsonschema sees another structure")
	}
	for i := range notes.Properties {
		if t.Properties[notes.Properties[i].Name] == nil {
			return node{}, fmt.Errorf("go-jsonschema does not see the member %q", notes.Properties[i].Name)
		}
	}
	return node{t, notes}, nil
}

// property is a member of an object.
type property struct {
	name     string
	required bool
	node
}

// properties returns the members of an object, in the order of the file.
func (n node) properties() ([]property, error) {
	var out []property
	for i := range n.notes.Properties {
		p := &n.notes.Properties[i]
		member, err := pair(n.Properties[p.Name], p.Node)
		if err != nil {
			return nil, fmt.Errorf("member %q: %w", p.Name, err)
		}
		out = append(out, property{p.Name, slices.Contains(n.Required, p.Name), member})
	}
	return out, nil
}

// arms returns the choices of a oneOf.
func (n node) arms() ([]node, error) {
	var out []node
	for i, t := range n.OneOf {
		arm, err := pair(t, n.notes.OneOf[i])
		if err != nil {
			return nil, err
		}
		out = append(out, arm)
	}
	return out, nil
}

// isStruct reports whether instances are objects with the members that the schema lists.
func (n node) isStruct() bool {
	return slices.Contains(n.Type.Type, "object") && n.AdditionalProperties == nil && n.OneOf == nil && !n.notes.Opaque
}

// isToolList reports whether the schema is a list that a tool returns: it has a type of its own, so
// that it can be an arm.
func (n node) isToolList() bool { return n.notes.Tool != nil && slices.Contains(n.Type.Type, "array") }

// isEnum reports whether the schema lists values, in a closed list or in an open one.
func (n node) isEnum() bool { return len(n.Enum) > 0 || len(n.notes.XEnum) > 0 }

// defName returns the key of a definition in its file's $defs.
func defName(d *schema.Definition) string { return d.Pointer[len("/$defs/"):] }
