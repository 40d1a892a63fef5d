package generator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/ccwire/ccwire/internal/naming"
	"github.com/ccwire/ccwire/schema"
)

// emitTypes writes what people read: the types of a schema folder, with their docs and constants.
func emitTypes(f *jen.File, file *file) {
	for _, u := range file.unions {
		declareUnion(f, u)
	}
	for _, s := range file.structs {
		declareStruct(f, s)
	}
	for _, c := range file.choices {
		declareChoice(f, c)
	}
	for _, e := range file.enums {
		declareEnum(f, e)
	}
}

// declareStruct writes a struct.
func declareStruct(f *jen.File, s *structType) {
	f.Add(comment(lead(s.name, s.doc)))
	f.Comment("//")
	f.Add(comment("Schema: " + s.def.Name() + since(s.def) + "."))
	f.Type().Id(s.name).StructFunc(func(g *jen.Group) {
		for _, fd := range s.fields {
			if fd.isConst {
				continue
			}
			if fd.doc != "" {
				g.Add(comment(fd.doc))
			}
			tag := fd.wire
			if !fd.required {
				tag += ",omitempty"
			}
			g.Id(fd.name).Add(fd.goType()).Tag(map[string]string{"json": tag})
		}
		g.Id("Extra").Op("*").Id("Members").Tag(map[string]string{"json": "-"}).Comment("Members without a field, in the order of the line.")
	})
}

// since says from which version on a definition is known, or that none was ever seen.
func since(d *schema.Definition) string {
	if h := d.History(); h != "" {
		return ", " + h
	}
	return ""
}

// goType is the type of the member's field.
func (fd *field) goType() *jen.Statement {
	if !fd.required && fd.typ.pointer() {
		return jen.Op("*").Add(fd.typ.goType())
	}
	return fd.typ.goType()
}

// declareEnum writes a string type with its known values.
func declareEnum(f *jen.File, e *enumType) {
	doc := lead(e.name, e.doc)
	if e.closed {
		doc += " No other values are allowed."
	} else {
		doc += " Other values are kept as they are."
	}
	f.Add(comment(doc))
	f.Type().Id(e.name).String()
	f.Commentf("Known values of %s.", e.name)
	f.Const().DefsFunc(func(g *jen.Group) {
		for _, v := range e.values {
			g.Id(constName(e.name, v)).Id(e.name).Op("=").Lit(v)
		}
	})
}

// declareChoice writes a struct with a field for each JSON kind that a value may be of.
func declareChoice(f *jen.File, c *choiceType) {
	doc := lead(c.name, c.doc)
	if len(c.arms) > 1 {
		doc += " Exactly one field is set."
	}
	f.Add(comment(doc))
	f.Type().Id(c.name).StructFunc(func(g *jen.Group) {
		for _, a := range c.arms {
			g.Id(a.field).Add((&field{typ: a.typ}).goType())
		}
	})
}

// declareUnion writes an interface and its unknown arm.
func declareUnion(f *jen.File, u *unionType) {
	arms := u.arms()
	for i, a := range arms {
		arms[i] = "*" + a
	}
	f.Add(comment(lead(u.name, u.doc)))
	f.Comment("//")
	unknown := "*" + u.unknown()
	if u.isFrame {
		unknown = "*UnknownSystem if it is a system line, else " + unknown
	}
	if len(arms) == 0 {
		f.Add(comment(fmt.Sprintf("This copy has no arm of it but %s.", unknown)))
	} else {
		f.Add(comment(fmt.Sprintf("Its arms are %s and, for what has no schema, %s.", strings.Join(arms, ", "), unknown)))
	}
	f.Comment("//")
	f.Add(comment("Schema: " + u.def.Name() + "."))
	f.Type().Id(u.name).InterfaceFunc(func(g *jen.Group) {
		g.Id("Appender")
		if u.tagMethod {
			g.Add(comment(fmt.Sprintf("%s returns the tag %q.", naming.Pascal(u.tags[0]), u.tags[0])))
			g.Id(naming.Pascal(u.tags[0])).Params().String()
		}
		if u.name == hookInput {
			g.Comment("Common returns what the inputs of all hooks have.")
			g.Id("Common").Params().Id("HookCommon")
		}
		g.Id("is" + u.name).Params()
		g.Id("readable")
	})
	f.Add(comment(fmt.Sprintf("%s is a %s without a schema, or one that does not decode, kept as it is.", u.unknown(), u.name)))
	f.Type().Id(u.unknown()).Struct(
		jen.Comment("The whole value."),
		jen.Id("Raw").Id("Raw"),
		jen.Comment("Why the value does not decode, a [*Error]; nil if only its tag is unknown."),
		jen.Id("Err").Error(),
	)
	if prefix, ok := tagConstants[u.name]; ok && len(arms) > 0 {
		f.Commentf("The values of %q that the schemas know.", u.tags[0])
		f.Const().DefsFunc(func(g *jen.Group) {
			for _, gr := range u.groups {
				g.Id(constName(prefix, gr.value)).Op("=").Lit(gr.value)
			}
		})
	}
}

// unknown is the name of the arm for what has no schema.
func (u *unionType) unknown() string { return "Unknown" + u.name }

// arms returns the names of the arms, each once, in the order of the schema; shapes of older peers
// that have a type of their own come last.
func (u *unionType) arms() (names []string) {
	add := func(a *arm) {
		if !slices.Contains(names, a.name) {
			names = append(names, a.name)
		}
	}
	for _, g := range u.groups {
		if g.arm != nil {
			add(g.arm)
		}
		for _, a := range g.arms {
			add(a)
		}
	}
	return append(names, u.old...)
}
