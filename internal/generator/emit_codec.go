package generator

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/ccwire/ccwire/internal/naming"
)

// emitCodecs writes what nobody reads: the readers and writers of the types of a schema folder.
func emitCodecs(f *jen.File, file *file) {
	for _, u := range file.unions {
		emitUnionTable(f, u)
		emitUnknownArm(f, u)
	}
	for _, s := range file.structs {
		emitArmMethods(f, s)
		emitShape(f, s)
		emitRead(f, s)
		marshalers(f, s.name)
		emitAppend(f, s)
	}
	for _, c := range file.choices {
		emitChoiceRead(f, c)
		marshalers(f, c.name)
		emitChoiceAppend(f, c)
	}
	for _, e := range file.enums {
		emitEnumTable(f, e)
	}
}

// emitArmMethods writes what makes a struct an arm of its unions.
func emitArmMethods(f *jen.File, s *structType) {
	for _, u := range s.unions {
		f.Func().Params(jen.Op("*").Id(s.name)).Id("is" + u).Params().Block()
	}
	if s.tagged {
		tag := s.field(s.tags[0])
		f.Commentf("%s returns %q.", naming.Pascal(tag.wire), tag.constant)
		f.Func().Params(jen.Op("*").Id(s.name)).Id(naming.Pascal(tag.wire)).Params().String().Block(jen.Return(jen.Lit(tag.constant)))
	}
	if subtype := s.systemSubtype(); subtype != "" {
		f.Func().Params(jen.Op("*").Id(s.name)).Id("isSystemFrame").Params().Block()
		f.Commentf("Subtype returns %q.", subtype)
		f.Func().Params(jen.Op("*").Id(s.name)).Id("Subtype").Params().String().Block(jen.Return(jen.Lit(subtype)))
	}
	if slices.Contains(s.unions, hookInput) {
		f.Comment("// Common returns what the inputs of all hooks have.")
		method(f, s.name, "Common").Params().Id("HookCommon").Block(jen.Return(jen.Id("commonOf").CallFunc(func(g *jen.Group) {
			for _, member := range hookCommon {
				g.Id("v").Dot(s.field(member).name)
			}
		})))
	}
	if len(s.unions) == 0 {
		return
	}
	if fd := s.field("session_id"); fd != nil && fd.typ != nil && fd.typ.kind == stringKind {
		id := jen.Id("v").Dot(fd.name)
		if !fd.required {
			id = jen.Id("Value").Call(id)
		}
		method(f, s.name, "sessionID").Params().String().Block(jen.Return(id))
	}
}

// hookInput is the union of what hooks are told, and hookCommon the members that the hand-written
// function commonOf takes.
const hookInput = "HookInput"

var hookCommon = []string{"session_id", "transcript_path", "cwd", "permission_mode"}

// systemSubtype returns the subtype of a system line, "" for every other struct.
func (s *structType) systemSubtype() string {
	if tag := s.field("type"); !slices.Contains(s.unions, "Frame") || tag == nil || tag.constant != "system" {
		return ""
	}
	return s.field("subtype").constant
}

// emitEnumTable writes the known values of a string type.
func emitEnumTable(f *jen.File, e *enumType) {
	rows := []jen.Code{value("Values", stringsLit(e.values))}
	if e.closed {
		rows = append(rows, value("Closed", jen.True()))
	}
	if e.partial {
		rows = append(rows, value("Partial", jen.True()))
	}
	f.Var().Id(enumOf(e.name)).Op("=").Add(run("Enum")).Values(rows...)
	f.Comment("// Known reports whether the schema names the value.")
	f.Func().Params(jen.Id("v").Id(e.name)).Id("Known").Params().Bool().Block(
		jen.Return(jen.Id(enumOf(e.name)).Dot("Known").Call(jen.String().Call(jen.Id("v")))),
	)
}
