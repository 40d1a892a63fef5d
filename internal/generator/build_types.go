package generator

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/atombender/go-jsonschema/pkg/schemas"

	"github.com/ccwire/ccwire/internal/naming"
	"github.com/ccwire/ccwire/schema"
)

// repeated are members whose value is mostly the same from line to line; the decoder then shares
// one string. The number is that of its memo.
var repeated = map[string]int{"session_id": 0, "api_message_id": 1, "model": 2, "tool_name": 3, "cwd": 4, "transcript_path": 5}

// structure adds a struct.
func (b *builder) structure(d *definition) error {
	name, err := b.names.Definition(d.Definition)
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
	for i, p := range properties {
		if b.untyped(d.Definition, &d.notes.Properties[i]) {
			s.untyped = append(s.untyped, p.name)
			continue
		}
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
	fd = &field{name: naming.Field(p.name), wire: p.name, doc: p.notes.Description, required: p.required, repeated: -1,
		core: p.notes.Essential != "", send: slices.Contains(d.SendRequired, p.name)}
	if fd.doc == "" {
		fd.doc, _, _ = strings.Cut(b.set.Resolve(p.notes).Description, ". ")
		fd.doc = strings.TrimSuffix(fd.doc, ".") + "."
	}
	if h := p.notes.MemberHistory(); h != "" {
		fd.doc += " " + h
	}
	if n, ok := repeated[p.name]; ok {
		fd.repeated = n
	}
	if fd.core && !p.required {
		return nil, errors.New("x-essential is for required members")
	}
	if p.Const != nil {
		value, ok := p.Const.(string)
		if !ok || !p.required {
			return nil, errors.New("a constant must be a required string")
		}
		fd.isConst, fd.constant, fd.core = true, value, true
		return fd, nil
	}
	if fd.typ, err = b.expr(d, of+fd.name, p.node); err != nil {
		return nil, err
	}
	if list := b.set.Resolve(p.notes); fd.typ.kind == enumKind && p.required && len(list.XEnum) == 1 && !list.Partial {
		fd.only = list.XEnum[0]
	}
	if fd.send && (p.required && fd.typ.kind != stringKind || !p.required && fd.typ.pointer()) {
		return nil, errors.New("x-send-required is for required strings and for types that have a nil of their own")
	}
	return fd, nil
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
		if err := b.names.Take(name, d.Name()); err != nil {
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
		name, err := b.names.Definition(d.Definition)
		return &expr{kind: k, name: name}, err
	}
	switch {
	case isUnion:
		return named(unionKind)
	case len(d.Type.OneOf) > 0, d.isToolList():
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
	} else if err = b.names.Take(name, d.Name()); err == nil {
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
		typ, err := b.expr(d, name+naming.Pascal(kinds[0]), a)
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
	e := &enumType{name: name, def: d.Name(), doc: n.notes.Description, values: n.notes.XEnum, partial: n.notes.Partial}
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
		if text, err := json.Marshal(v); err != nil || string(text) != `"`+v+`"` {
			return fmt.Errorf("%s: the value %q is not written as it is: the decoder compares it so", d.Name(), v)
		}
		c := constName(name, v)
		if other, ok := seen[c]; ok {
			return fmt.Errorf("%s: the values %q and %q have the same Go name", d.Name(), v, other)
		}
		seen[c] = v
		if err := b.names.Take(c, d.Name()+" "+v); err != nil {
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
	return enum + naming.Pascal(value)
}
