package generator

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/atombender/go-jsonschema/pkg/schemas"

	"github.com/ccwire/ccwire/schema"
)

// repeated are members whose value is mostly the same from line to line; the decoder then shares
// one string. The number is that of its memo.
var repeated = map[string]int{"session_id": 0, "api_message_id": 1, "model": 2, "tool_name": 3, "cwd": 4, "transcript_path": 5}

// tagConstants are the unions whose tags people write by hand: their values become constants that
// begin with the name.
var tagConstants = map[string]string{"HookInput": "HookEvent"}

// builder makes the program out of the schemas.
type builder struct {
	*input
	names   *namer
	files   map[string]*file
	seen    map[string]bool
	structs map[string]*structType
	unions  map[string]*unionType
}

func build(in *input) (*program, error) {
	b := &builder{input: in, names: newNamer(), files: map[string]*file{}, seen: map[string]bool{},
		structs: map[string]*structType{}, unions: map[string]*unionType{}}
	p := &program{revision: in.set.Revision()}
	for _, d := range in.set.Definitions() {
		if !generated(d) {
			continue
		}
		if err := b.define(in.defs[d.Name()]); err != nil {
			return nil, err
		}
	}
	for _, d := range in.set.Definitions() {
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
	if err := b.names.unused(); err != nil {
		return nil, err
	}
	b.link()
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
	case len(d.Type.OneOf) == 0 && !d.isEnum():
		return nil // a plain string, a map, an opaque value: no type of its own
	}
	name, err := b.names.definition(d.Definition)
	if err != nil {
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

// structure adds a struct.
func (b *builder) structure(d *definition) error {
	name, err := b.names.definition(d.Definition)
	if err != nil {
		return err
	}
	s := &structType{name: name, def: d.Definition, doc: d.notes.Description}
	f := b.file(d.Definition)
	f.structs = append(f.structs, s)
	b.structs[d.Name()] = s
	properties, err := d.properties()
	if err != nil {
		return fmt.Errorf("%s: %w", d.Name(), err)
	}
	taken := map[string]string{"Extra": "the unknown members"}
	for _, p := range properties {
		if p.notes.Legacy() {
			s.legacy = append(s.legacy, p.name)
			continue
		}
		fd, err := b.field(d.Definition, name, p)
		if err != nil {
			return fmt.Errorf("%s, member %q: %w", d.Name(), p.name, err)
		}
		if !fd.isConst {
			if other := taken[fd.name]; other != "" {
				return fmt.Errorf("%s: members %q and %q have the same Go name", d.Name(), p.name, other)
			}
			taken[fd.name] = p.name
		}
		s.fields = append(s.fields, fd)
	}
	return nil
}

// field returns a member of the struct of that name.
func (b *builder) field(d *schema.Definition, of string, p property) (fd *field, err error) {
	fd = &field{name: fieldName(p.name), wire: p.name, doc: p.notes.Description, required: p.required, repeated: -1,
		send: slices.Contains(d.SendRequired, p.name)}
	if fd.doc == "" {
		fd.doc, _, _ = strings.Cut(b.set.Resolve(p.notes).Description, ". ")
		fd.doc = strings.TrimSuffix(fd.doc, ".") + "."
	}
	if n, ok := repeated[p.name]; ok {
		fd.repeated = n
	}
	if p.Const != nil {
		value, ok := p.Const.(string)
		if !ok || !p.required {
			return nil, errors.New("a constant must be a required string")
		}
		fd.isConst, fd.constant = true, value
		return fd, nil
	}
	if fd.typ, err = b.expr(d, of+fd.name, p.node); err == nil && fd.send && fd.typ.pointer() {
		err = errors.New("x-send-required is for types that have a nil of their own")
	}
	return fd, err
}

// expr returns the Go type of a schema; name is for a type that it needs.
func (b *builder) expr(d *schema.Definition, name string, n node) (*expr, error) {
	types := n.Type.Type
	switch {
	case n.Ref != "":
		return b.refExpr(n.notes.Ref)
	case n.notes.Opaque && len(types) == 0:
		return &expr{kind: rawKind}, nil
	case n.notes.Opaque && len(types) == 1 && types[0] == "object":
		return &expr{kind: objectKind}, nil
	case n.notes.Opaque && !slices.Contains(types, "null"):
		return nil, fmt.Errorf("an opaque %v", types)
	case len(n.OneOf) > 0:
		return b.oneOf(d, name, n)
	case len(types) > 1 && (len(types) == 2 || n.notes.Opaque) && slices.Contains(types, "null"):
		return b.nullable(d, name, n)
	case len(types) > 1:
		return &expr{kind: scalarKind, kinds: types}, nil
	case n.isEnum():
		if err := b.names.take(name, d.Name()); err != nil {
			return nil, err
		}
		return &expr{kind: enumKind, name: name}, b.enum(d, name, n)
	case len(types) != 1:
		return nil, fmt.Errorf("no type")
	}
	switch types[0] {
	case "string":
		return &expr{kind: stringKind}, nil
	case "boolean":
		return &expr{kind: boolKind}, nil
	case "integer":
		return &expr{kind: intKind}, nil
	case "number":
		return &expr{kind: floatKind}, nil
	case "array":
		return b.container(sliceKind, d, name+"Item", n.Items, n.notes.Items)
	case "object":
		if n.AdditionalProperties != nil {
			return b.container(mapKind, d, name+"Value", n.AdditionalProperties, n.notes.AdditionalProperties)
		}
	}
	return nil, fmt.Errorf("no Go type for type %v", types)
}

// container is a list or a map.
func (b *builder) container(k kind, d *schema.Definition, name string, t *schemas.Type, notes *schema.Node) (*expr, error) {
	n, err := pair(t, notes)
	if err != nil {
		return nil, err
	}
	elem, err := b.expr(d, name, n)
	if err == nil && elem.kind == nullKind {
		err = errors.New("no way to write a list or a map of nullable values")
	}
	return &expr{kind: k, elem: elem}, err
}

// refExpr returns the Go type of a definition.
func (b *builder) refExpr(ref string) (*expr, error) {
	d := b.defs[b.set.Lookup(ref).Name()]
	if d.Type.Ref != "" {
		return b.refExpr(d.notes.Ref)
	}
	_, isUnion := b.set.Union(d.notes)
	named := func(k kind) (*expr, error) {
		name, err := b.names.definition(d.Definition)
		return &expr{kind: k, name: name}, err
	}
	switch {
	case isUnion:
		return named(unionKind)
	case len(d.Type.OneOf) > 0:
		return named(choiceKind)
	case d.isStruct():
		return named(structKind)
	case d.isEnum():
		return named(enumKind)
	}
	return b.expr(d.Definition, "", d.node)
}

// nullable wraps the type of n without null.
func (b *builder) nullable(d *schema.Definition, name string, n node) (*expr, error) {
	inner := *n.Type
	inner.Type = slices.DeleteFunc(slices.Clone(inner.Type), func(t string) bool { return t == "null" })
	elem, err := b.expr(d, name, node{&inner, n.notes})
	if err != nil {
		return nil, err
	}
	return &expr{kind: nullKind, elem: elem}, nil
}

// oneOf is a nullable type or a choice between kinds.
func (b *builder) oneOf(d *schema.Definition, name string, n node) (*expr, error) {
	if _, ok := b.set.Union(n.notes); ok {
		return nil, fmt.Errorf("a union must be a definition of its own")
	}
	all, err := n.arms()
	if err != nil {
		return nil, err
	}
	rest := slices.DeleteFunc(slices.Clone(all), func(a node) bool { return slices.Equal(a.Type.Type, schemas.TypeList{"null"}) })
	var elem *expr
	if len(rest) == 1 {
		elem, err = b.expr(d, name, rest[0])
	} else if err = b.names.take(name, d.Name()); err == nil {
		elem, err = b.choice(d, name, n.notes.Description, rest)
	}
	if err != nil || len(rest) == len(all) {
		return elem, err
	}
	return &expr{kind: nullKind, elem: elem}, nil
}

// choice adds a choice between JSON kinds.
func (b *builder) choice(d *schema.Definition, name, doc string, arms []node) (*expr, error) {
	c := &choiceType{name: name, def: d.Name(), doc: doc}
	for _, a := range arms {
		kinds := b.set.Kinds(a.notes)
		if len(kinds) != 1 {
			return nil, fmt.Errorf("an arm of several kinds %v", kinds)
		}
		typ, err := b.expr(d, name+pascal(kinds[0]), a)
		if err != nil {
			return nil, err
		}
		c.arms = append(c.arms, &choiceArm{field: choiceFields[kinds[0]], kind: kinds[0], typ: typ})
	}
	f := b.file(d)
	f.choices = append(f.choices, c)
	return &expr{kind: choiceKind, name: name}, nil
}

// choiceFields are the fields of a choice, by JSON kind.
var choiceFields = map[string]string{"string": "Text", "array": "List", "object": "Object", "number": "Number", "integer": "Number", "boolean": "Bool"}

// enum adds a string type with known values.
func (b *builder) enum(d *schema.Definition, name string, n node) error {
	e := &enumType{name: name, def: d.Name(), doc: n.notes.Description, values: n.notes.XEnum}
	for _, v := range n.Enum {
		s, ok := v.(string)
		if !ok {
			return fmt.Errorf("%s: an enum of other values than strings", d.Name())
		}
		e.closed = true
		e.values = append(e.values, s)
	}
	seen := map[string]string{}
	for _, v := range e.values {
		c := constName(name, v)
		if other, ok := seen[c]; ok {
			return fmt.Errorf("%s: the values %q and %q have the same Go name", d.Name(), v, other)
		}
		seen[c] = v
		if err := b.names.take(c, d.Name()+" "+v); err != nil {
			return err
		}
	}
	f := b.file(d)
	f.enums = append(f.enums, e)
	return nil
}

func constName(enum, value string) string {
	if value == "" {
		return enum + "Empty"
	}
	return enum + pascal(value)
}

// union adds an interface with its arms.
func (b *builder) union(d *schema.Definition) error {
	name, err := b.names.definition(d)
	if err != nil {
		return err
	}
	if err := b.names.take("Unknown"+name, d.Name()+" unknown"); err != nil {
		return err
	}
	if strings.HasPrefix(d.File, "message/") { // flattened into the frames
		return nil
	}
	src, _ := b.set.Union(d.Node)
	u := &unionType{name: name, def: d, doc: d.Description, tags: src.Tags, legacy: d.LegacyTags, isFrame: name == "Frame"}
	if len(u.tags) > 2 {
		return fmt.Errorf("%s: more than two tags", d.Name())
	}
	byValue := map[string]*group{}
	for _, a := range src.Arms {
		if a.Unknown || a.Legacy && !strings.HasPrefix(a.Definition.File, "message/") {
			continue
		}
		armName, err := b.names.definition(a.Definition)
		if err != nil {
			return err
		}
		first := a.Tag(u.tags[0]).Values
		deciding := first
		if len(u.tags) == 2 && a.Tag(u.tags[1]) != nil {
			deciding = a.Tag(u.tags[1]).Values
		}
		one := &arm{name: armName, values: deciding, legacy: a.Legacy}
		if len(u.tags) == 1 || a.Tag(u.tags[1]) == nil {
			for _, v := range first {
				g := &group{value: v, arm: one}
				byValue[v] = g
				u.groups = append(u.groups, g)
			}
			continue
		}
		g := byValue[first[0]]
		if g == nil {
			g = &group{value: first[0]}
			byValue[first[0]] = g
			u.groups = append(u.groups, g)
		}
		g.arms = append(g.arms, one)
	}
	if prefix, ok := tagConstants[name]; ok {
		for _, g := range u.groups {
			if err := b.names.take(constName(prefix, g.value), d.Name()+" "+g.value); err != nil {
				return err
			}
		}
	}
	f := b.file(d)
	f.unions = append(f.unions, u)
	b.unions[name] = u
	return nil
}

// link tells arms of their unions and unions of their use in lists.
func (b *builder) link() {
	byName := map[string]*structType{}
	for _, s := range b.structs {
		byName[s.name] = s
	}
	for _, u := range b.unions {
		for _, g := range u.groups {
			arms := g.arms
			tags := u.tags
			if g.arm != nil {
				arms, tags = []*arm{g.arm}, u.tags[:1]
			}
			for _, a := range arms {
				s := byName[a.name]
				s.unions = append(s.unions, u.name)
				s.tags = tags
				if f := s.field(tags[len(tags)-1]); !f.isConst {
					s.enumTag = f
				}
			}
		}
	}
	for _, u := range b.unions {
		arms := u.arms()
		u.tagMethod = !slices.ContainsFunc(arms, func(name string) bool {
			return byName[name].field(u.tags[0]) == nil || !byName[name].field(u.tags[0]).isConst
		})
		for _, name := range arms {
			byName[name].tagged = byName[name].tagged || u.tagMethod
		}
	}
	for _, s := range b.structs {
		slices.Sort(s.unions)
		for _, f := range s.fields {
			if f.typ != nil {
				b.markLists(f.typ, false)
			}
		}
	}
	for _, f := range b.files {
		for _, c := range f.choices {
			for _, a := range c.arms {
				b.markLists(a.typ, false)
			}
		}
	}
}

func (b *builder) markLists(e *expr, inList bool) {
	if e.kind == unionKind && inList {
		b.unions[e.name].inLists = true
	}
	if e.elem != nil {
		b.markLists(e.elem, inList || e.kind == sliceKind)
	}
}

// field returns the member of that name, nil if there is none.
func (s *structType) field(wire string) *field {
	for _, f := range s.fields {
		if f.wire == wire {
			return f
		}
	}
	return nil
}

// rules adds the rule of a legacy frame.
func (b *builder) rules(p *program, d *schema.Definition) error {
	if !strings.HasPrefix(d.File, "legacy/") || d.Pointer != "" {
		return nil
	}
	r := &legacyRule{def: d}
	b.conditions(r, "", d.Node)
	if len(d.Modern) == 0 {
		name, err := b.names.definition(d)
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
	if path.Dir(d.File) != "control" || d.Pointer != "/$defs/Request" {
		return nil
	}
	c := &call{subtype: strings.TrimSuffix(path.Base(d.File), ".json"), doc: d.Description, direction: d.Direction}
	c.name = pascal(c.subtype)
	var err error
	if c.request, err = b.names.definition(d); err != nil {
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
