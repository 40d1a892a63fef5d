package generator

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/naming"
	"github.com/ccwire/ccwire/schema"
)

// builder makes the program out of the schemas.
type builder struct {
	*input
	names   *naming.Namer
	files   map[string]*file
	seen    map[string]bool
	structs map[string]*structType
	unions  map[string]*unionType
}

func build(in *input) (*program, error) {
	b := &builder{input: in, names: naming.With(in.exceptions), files: map[string]*file{}, seen: map[string]bool{},
		structs: map[string]*structType{}, unions: map[string]*unionType{}}
	p := &program{revision: in.set.Revision()}
	for _, d := range in.set.Definitions() {
		if !generated(d) || !in.has(d) {
			continue
		}
		if err := b.define(in.defs[d.Name()]); err != nil {
			return nil, err
		}
	}
	for _, d := range in.set.Definitions() {
		if !in.has(d) {
			continue
		}
		if err := b.rules(p, d); err != nil {
			return nil, err
		}
		if err := b.call(p, d); err != nil {
			return nil, err
		}
		if err := b.entry(p, d); err != nil {
			return nil, err
		}
	}
	if in.only == nil {
		if err := b.names.Unused(); err != nil {
			return nil, err
		}
	}
	b.link()
	if err := b.tools(p); err != nil {
		return nil, err
	}
	for _, f := range b.files {
		slices.SortFunc(f.structs, func(x, y *structType) int { return cmp.Compare(x.name, y.name) })
		slices.SortFunc(f.enums, func(x, y *enumType) int { return cmp.Compare(x.name, y.name) })
		slices.SortFunc(f.unions, func(x, y *unionType) int { return cmp.Compare(x.name, y.name) })
		slices.SortFunc(f.choices, func(x, y *choiceType) int { return cmp.Compare(x.name, y.name) })
		p.files = append(p.files, f)
	}
	slices.SortFunc(p.files, func(x, y *file) int { return cmp.Compare(x.folder, y.folder) })
	slices.SortFunc(p.calls, func(x, y *call) int { return cmp.Compare(x.subtype, y.subtype) })
	return p, nil
}

// generated reports whether a definition gets a Go type. The unions of one direction are for
// validators: a decoder reads both. A legacy shape is read as its modern form, where it has one. An
// unknown arm comes with its union.
func generated(d *schema.Definition) bool {
	switch {
	case d.File == "envelope/from_cli.json", d.File == "envelope/from_sdk.json", d.Node.Unknown:
		return false
	case strings.HasPrefix(d.File, "legacy/"):
		return d.Pointer == "" && len(d.Modern) == 0
	}
	return !d.Legacy() || strings.HasPrefix(d.File, "message/")
}

// file returns the output file of a definition.
func (b *builder) file(d *schema.Definition) *file {
	folder := path.Dir(d.File)
	f := b.files[folder]
	if f == nil {
		f = &file{folder: folder}
		b.files[folder] = f
	}
	return f
}

// define adds the type of a definition.
func (b *builder) define(d *definition) error {
	if b.seen[d.Name()] {
		return nil
	}
	b.seen[d.Name()] = true
	_, isUnion := b.set.Union(d.notes)
	switch {
	case d.Type.Ref != "":
		return nil // another name for a type
	case isUnion:
		return b.union(d.Definition)
	case d.isStruct():
		return b.structure(d)
	case len(d.Type.OneOf) == 0 && !d.isEnum() && !d.isToolList():
		return nil // a plain string, a map, an opaque value: no type of its own
	}
	name, err := b.names.Definition(d.Definition)
	if err != nil {
		return err
	}
	if d.isToolList() {
		_, err = b.choice(d.Definition, name, d.notes.Description, []node{d.node})
		return err
	}
	if len(d.Type.OneOf) > 0 {
		arms, err := d.arms()
		if err != nil {
			return err
		}
		_, err = b.choice(d.Definition, name, d.notes.Description, arms)
		return err
	}
	return b.enum(d.Definition, name, d.node)
}

// rules adds the rule of a legacy frame.
func (b *builder) rules(p *program, d *schema.Definition) error {
	if !strings.HasPrefix(d.File, "legacy/") || d.Pointer != "" {
		return nil
	}
	r := &legacyRule{def: d}
	b.conditions(r, "", d.Node)
	if len(d.Modern) == 0 {
		name, err := b.names.Definition(d)
		if err != nil {
			return err
		}
		r.arm = name
		b.unions["Frame"].old = append(b.unions["Frame"].old, name)
		s := b.structs[d.Name()]
		s.unions = append(s.unions, "Frame")
		s.tags = []string{"type"}
	}
	p.legacy = append(p.legacy, r)
	return nil
}

// conditions collects which members a legacy shape has and lacks.
func (b *builder) conditions(r *legacyRule, at string, n *schema.Node) {
	for _, name := range n.NotRequired {
		r.absent = append(r.absent, at+"/"+name)
	}
	for i := range n.Properties {
		p := &n.Properties[i]
		if p.HasConst && at == "" {
			r.tag, _ = p.Const.(string)
			continue
		}
		if !p.Required {
			continue
		}
		r.present = append(r.present, at+"/"+p.Name)
		if target := b.set.Resolve(p.Node); strings.HasPrefix(target.File, "legacy/") && target.IsStruct() {
			b.conditions(r, at+"/"+p.Name, target)
		}
	}
}

// call adds the operation of a control request.
func (b *builder) call(p *program, d *schema.Definition) error {
	if !d.IsRequest() {
		return nil
	}
	c := &call{subtype: strings.TrimSuffix(path.Base(d.File), ".json"), doc: d.Description, direction: d.Direction, folder: path.Dir(d.File)}
	c.name = naming.Pascal(c.subtype)
	var err error
	if c.request, err = b.names.Definition(d); err != nil {
		return err
	}
	if resp := b.set.Lookup(d.File + "#/$defs/Response"); resp != nil {
		if c.response, err = b.refExpr(resp.Name()); err != nil {
			return err
		}
	}
	p.calls = append(p.calls, c)
	return nil
}

// entry adds a definition to the table that the tests go through. A union whose arms are frames has
// no type of its own.
func (b *builder) entry(p *program, d *schema.Definition) error {
	_, isUnion := b.set.Union(d.Node)
	if !generated(d) || isUnion && strings.HasPrefix(d.File, "message/") {
		return nil
	}
	typ, err := b.refExpr(d.Name())
	p.entries = append(p.entries, &entry{definition: d.Name(), typ: typ})
	return err
}
