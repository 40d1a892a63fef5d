package npm

import (
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/packages/archive"
	"github.com/ccwire/ccwire/internal/packages/model"
)

// tables returns what check.js and definitions.js read: how each type is checked, and what judges
// each definition of the schemas.
//
// A type is a row: of an object [name, required members, optional members], of a legacy one also
// what it lacks and how it becomes modern; of a union {tag, arms, other, legacy}; of a choice {or}.
// An expression is the number of a row, or one of the forms in expr. Enums are open, so they are
// strings, and an optional member that may be anything has nothing to check.
func tables(m *model.Model) []archive.Entry {
	t := table{}
	for _, typ := range m.Types {
		if typ.Base == nil && (typ.Struct != nil || typ.Union != nil || typ.Choice != nil) {
			t[typ] = len(t)
		}
	}
	types := []byte(made + "export const rows = [\n")
	for _, typ := range m.Types {
		if _, ok := t[typ]; ok {
			types = append(object.Append(types, t.row(typ)), ",\n"...)
		}
	}
	types = append(types, "];\n\nexport const names = {\n"...)
	for _, typ := range m.Types {
		if !typ.Legacy && !typ.Inline {
			types = line(types, typ.Name, t.ofType(typ))
		}
	}
	definitions := []byte(made + "export const definitions = {\n")
	for _, name := range m.Definitions() {
		definitions = line(definitions, name, t.expr(m.Definition(name)))
	}
	return []archive.Entry{
		{Path: "tables/types.js", Data: append(types, "};\n"...)},
		{Path: "tables/definitions.js", Data: append(definitions, "};\n"...)},
	}
}

// made is the first line of files that are made.
const made = "// Made from the schemas by protogen package npm.\n"

// line appends a member of an object, on a line of its own.
func line(b []byte, name string, v any) []byte {
	b = append(object.AppendText(b, name), ':')
	return append(object.Append(b, v), ",\n"...)
}

// A table numbers the types that have a row.
type table map[*model.Type]int

func (t table) row(typ *model.Type) any {
	switch {
	case typ.Struct != nil:
		return t.structure(typ)
	case typ.Union != nil:
		return t.union(typ.Union)
	}
	var or []any
	for _, e := range typ.Choice {
		or = append(or, []any{kind(e), t.expr(e)})
	}
	return object.Of("or", or)
}

func (t table) structure(typ *model.Type) any {
	required, optional := object.Object{}, object.Object{}
	for _, m := range typ.Struct.Members {
		e := t.expr(m.Value)
		switch {
		case m.Required:
			required.Set(m.Name, e)
		case e != any(""):
			optional.Set(m.Name, e)
		}
	}
	row := []any{typ.Name, required, optional}
	if s := typ.Struct; s.Lacks != nil || s.Modern != nil {
		row = append(row, s.Lacks, s.Modern)
	}
	return row
}

// union returns the arms by their tags, the one for other tags, the legacy ones, and the tags that
// stand for others.
func (t table) union(u *model.Union) any {
	var arms, legacy []any
	var other any
	for _, a := range u.Arms {
		number := t.ofType(a.Type)
		if a.Legacy {
			legacy = append(legacy, number)
			continue
		}
		if a.Values != nil {
			arms = append(arms, []any{number, a.Values})
		}
		if a.Open || a.Unknown {
			other = number
		}
	}
	tags := object.Object{}
	for _, l := range u.Legacy {
		if l.Modern != "" {
			tags.Set(l.Tag, l.Modern)
		}
	}
	return object.Of("tag", u.Tag, "arms", arms, "other", object.If(other != nil, other),
		"legacy", object.If(legacy != nil, legacy), "tags", object.If(len(tags) > 0, tags))
}

func (t table) ofType(typ *model.Type) any {
	if typ.Base != nil {
		typ = typ.Base
	}
	switch {
	case typ.Enum != nil && typ.Enum.Closed:
		return []any{"in", typ.Enum.Values}
	case typ.Enum != nil:
		return "s"
	case typ.Alias != nil:
		return t.expr(typ.Alias)
	}
	return t[typ]
}

// letters are the expressions that need nothing else. That of any JSON is empty.
var letters = map[model.Kind]string{
	model.String: "s", model.Bool: "b", model.Int: "i", model.Number: "n", model.Any: "", model.Object: "o",
}

// expr returns an expression: a letter, ["=", constant], ["in", values], ["not", values],
// ["[", element], ["{", value] or ["?", what is there if it is not null].
func (t table) expr(e *model.Expr) (out any) {
	switch e.Kind {
	case model.Const:
		out = []any{"=", e.Const}
	case model.List:
		out = []any{"[", t.expr(e.Elem)}
	case model.Map:
		out = []any{"{", t.expr(e.Elem)}
	case model.Ref:
		out = t.ofType(e.Type)
	default:
		out = letters[e.Kind]
	}
	if e.Except != nil {
		out = []any{"not", e.Except}
	}
	if e.Nullable && out != any("") {
		out = []any{"?", out}
	}
	return out
}

// kind returns the kind of JSON of an arm of a choice, in the words of typeof; "array" for a list.
func kind(e *model.Expr) string {
	switch e.Kind {
	case model.String, model.Const:
		return "string"
	case model.Bool:
		return "boolean"
	case model.Int, model.Number:
		return "number"
	case model.List:
		return "array"
	case model.Ref:
		if e.Type.Enum != nil {
			return "string"
		}
		if e.Type.Alias != nil {
			return kind(e.Type.Alias)
		}
	}
	return "object"
}
