package generator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/ccwire/ccwire/internal/naming"
)

// emitShape writes the table of an object's members.
func emitShape(f *jen.File, s *structType) {
	var need, core [2]uint64
	tags := make([]int, len(s.tags))
	var keys []string
	for i, fd := range s.fields {
		keys = append(keys, fmt.Sprintf("%q:", fd.wire))
		if fd.required {
			need[i/64] |= 1 << (i % 64)
		}
		if fd.core && !slices.Contains(s.tags, fd.wire) {
			core[i/64] |= 1 << (i % 64)
		}
		for n, t := range s.tags {
			if fd.wire == t {
				tags[n] = i
			}
		}
	}
	var rows []jen.Code
	if len(keys) > 0 {
		rows = append(rows, value("Keys", stringsLit(keys)))
	}
	rows = append(rows, bits("Need", need)...)
	rows = append(rows, bits("Core", core)...)
	if len(tags) > 0 {
		rows = append(rows, value("Tags", jen.Index().Int().ValuesFunc(func(g *jen.Group) {
			for _, t := range tags {
				g.Lit(t)
			}
		})))
	}
	if len(s.legacy) > 0 {
		rows = append(rows, value("Legacy", stringsLit(s.legacy)))
	}
	if len(s.untyped) > 0 {
		rows = append(rows, value("Untyped", stringsLit(s.untyped)))
	}
	f.Var().Id(shapeOf(s)).Op("=").Add(run("Shape")).Values(rows...)
}

// value is a field of a literal that stands on one line.
func value(field string, v jen.Code) jen.Code { return jen.Id(field).Op(":").Add(v) }

// bits is the field of a literal that is a set of members, none if that is empty.
func bits(name string, set [2]uint64) []jen.Code {
	switch {
	case set[1] != 0:
		return []jen.Code{value(name, run("Bits").Values(hex(set[0]), hex(set[1])))}
	case set[0] != 0:
		return []jen.Code{value(name, run("Bits").Values(hex(set[0])))}
	}
	return nil
}

func hex(n uint64) jen.Code { return jen.Op(fmt.Sprintf("%#x", n)) }

// stringsLit is a list of strings, in backquotes where that saves escapes.
func stringsLit(list []string) *jen.Statement {
	return jen.Index().String().ValuesFunc(func(g *jen.Group) {
		for _, s := range list {
			g.Add(quoted(s))
		}
	})
}

func quoted(s string) *jen.Statement {
	if strings.Contains(s, `"`) && !strings.Contains(s, "`") {
		return jen.Op("`" + s + "`")
	}
	return jen.Lit(s)
}

// emitRead writes the reader of a struct: a loop over the members, each read by its number.
func emitRead(f *jen.File, s *structType) {
	method(f, s.name, "read").Params(decoder(), jen.Id("tagged").Bool()).Bool().BlockFunc(func(g *jen.Group) {
		if tag := s.enumTag; tag != nil {
			v := jen.Id("v").Dot(tag.name)
			if s.openTag {
				read := d("TagIn", jen.Parens(jen.Op("*").String()).Call(addr(v)), jen.Op("&").Id(enumOf(tag.typ.name)))
				g.If(jen.Id("tagged").Op("&&").Op("!").Add(read)).Block(jen.Return(jen.False()))
			} else {
				g.If(jen.Id("tagged")).Block(v.Op("=").Id(tag.typ.name).Call(d("Decisive")))
			}
		}
		g.Id("o").Op(":=").Add(run("ReadObject")).Call(jen.Id("d"), jen.Op("&").Id(shapeOf(s)), jen.Op("&").Id("v").Dot("Extra"))
		begin := jen.Id("o").Dot("Begin").Call(jen.Id("tagged"))
		if len(s.fields) == 0 {
			g.Id("o").Dot("Next").Call(begin)
		} else {
			g.For(jen.Id("ok").Op(":=").Add(begin), jen.Id("o").Dot("Next").Call(jen.Id("ok")), jen.Empty()).Block(
				jen.Switch(jen.Id("o").Dot("Member")).BlockFunc(func(g *jen.Group) {
					for i, fd := range s.fields {
						g.Case(jen.Lit(i)).Block(readField(fd)...)
					}
				}),
			)
		}
		end := jen.Id("o").Dot("End").Call()
		for i, fd := range s.fields {
			if fd.required && !fd.core && fd.typ != nil && fd.typ.kind == unionKind {
				end.Op("&&").Id(unionOf(fd.typ.name)).Dot("present").Call(addr(jen.Id("v").Dot(fd.name)), jen.Op("&").Id("o"), jen.Lit(i))
			}
		}
		g.Return(end)
	})
}

// readField is the statements that read a member and set ok. Where they fail, an optional member is
// as it was.
func readField(fd *field) []jen.Code {
	if fd.isConst {
		return setOK(d("Const", jen.Lit(fd.constant)))
	}
	v := jen.Id("v").Dot(fd.name)
	switch {
	case fd.only != "":
		return setOK(d("Only", jen.Parens(jen.Op("*").String()).Call(addr(v)), jen.Op("&").Id(enumOf(fd.typ.name)), jen.Lit(fd.wire), jen.Op("&").Id("v").Dot("Extra")))
	case fd.typ.kind == stringKind && fd.repeated >= 0 && fd.required:
		return setOK(d("Repeated", addr(v), jen.Lit(fd.repeated)))
	case fd.typ.kind == stringKind && fd.repeated >= 0:
		return setOK(d("OptionalRepeated", addr(v), jen.Lit(fd.repeated)))
	case fd.required && (fd.typ.kind == structKind || fd.typ.kind == choiceKind) && !fd.core:
		return setOK(jen.Id("readMember").Call(addr(v), jen.Id("d")))
	case fd.required || !fd.typ.pointer():
		return fd.typ.read(v, fd.required && !fd.core)
	}
	return fd.typ.readOptional(v)
}

func setOK(e jen.Code) []jen.Code { return []jen.Code{jen.Id("ok").Op("=").Add(e)} }

// readOptional is the statements that read into a new variable and let v point to it.
func (e *expr) readOptional(v *jen.Statement) []jen.Code {
	switch e.kind {
	case enumKind:
		return append([]jen.Code{
			v.Clone().Op("=").Parens(jen.Op("*").Id(e.name)).Call(d("OptionalEnum", jen.Op("&").Id(enumOf(e.name)))),
		}, setOK(v.Clone().Op("!=").Nil())...)
	case structKind, choiceKind:
		return setOK(jen.Id("readOptional").Call(addr(v), jen.Id("d")))
	}
	return setOK(d("Optional"+e.basic(), addr(v)))
}

// read is the statements that read into the variable v and set ok.
func (e *expr) read(v *jen.Statement, inList bool) []jen.Code {
	if r := e.readExpr(v, inList); r != nil {
		return setOK(r)
	}
	switch e.kind {
	case sliceKind:
		s := jen.Id("s" + strings.Repeat("s", e.elem.nesting()))
		element := []jen.Code{s.Clone().Op("=").Append(s, e.elem.zero())}
		return []jen.Code{
			s.Clone().Op(":=").Add(e.goType()).Values(),
			jen.If(jen.Id("ok").Op("=").Add(d("Array", jen.Func().Params(e.index().Int()).Bool().Block(
				append(element, e.elem.returnRead(s.Clone().Index(e.index()), true)...)...))), jen.Id("ok")).Block(v.Clone().Op("=").Add(s)),
		}
	case mapKind:
		m := jen.Id("m")
		body := []jen.Code{jen.Var().Id("e").Add(e.elem.goType())}
		if r := e.elem.readExpr(jen.Id("e"), false); r != nil {
			body = append(body, jen.Id("ok").Op(":=").Add(r))
		} else {
			body = append(append(body, jen.Var().Id("ok").Bool()), e.elem.read(jen.Id("e"), false)...)
		}
		body = append(body, m.Clone().Index(jen.Id("name")).Op("=").Id("e"), jen.Return(jen.Len(m), jen.Id("ok")))
		return []jen.Code{
			m.Clone().Op(":=").Add(e.goType()).Values(),
			jen.If(jen.Id("ok").Op("=").Add(d("Map", jen.Func().Params(jen.Id("name").String()).Params(jen.Int(), jen.Bool()).Block(body...))), jen.Id("ok")).Block(v.Clone().Op("=").Add(m)),
		}
	}
	// nullable
	if e.elem.basic() != "" && e.elem.kind != rawKind {
		return setOK(d("Nullable"+e.elem.basic(), addr(v)))
	}
	switch e.elem.kind {
	case structKind, choiceKind:
		return setOK(jen.Id("readNullable").Call(addr(v), jen.Id("d")))
	case enumKind:
		return setOK(jen.Id("readEnumOrNull").Call(addr(v), jen.Id("d"), jen.Op("&").Id(enumOf(e.elem.name))))
	}
	value := e.elem.read(v.Clone().Dot("Value"), false)
	value = append(value, v.Clone().Dot("Valid").Op("=").Id("ok"))
	return []jen.Code{jen.If(jen.Id("ok").Op("=").Add(d("Null")), jen.Id("ok")).Block(
		v.Clone().Dot("Null").Op("=").True(),
	).Else().Block(value...)}
}

// nesting counts the lists inside each other.
func (e *expr) nesting() int {
	if e.kind != sliceKind {
		return 0
	}
	return 1 + e.elem.nesting()
}

// index is the variable of a loop over a list, another one for each list inside another.
func (e *expr) index() *jen.Statement { return jen.Id("i" + strings.Repeat("i", e.elem.nesting())) }

// returnRead is the statements of a function that reads into v and returns whether it could.
func (e *expr) returnRead(v *jen.Statement, inList bool) []jen.Code {
	if r := e.readExpr(v, inList); r != nil {
		return []jen.Code{jen.Return(r)}
	}
	body := append([]jen.Code{jen.Var().Id("ok").Bool()}, e.read(v, inList)...)
	return append(body, jen.Return(jen.Id("ok")))
}

// readExpr is an expression that reads into v, nil for types that need statements.
func (e *expr) readExpr(v *jen.Statement, inList bool) *jen.Statement {
	switch e.kind {
	case objectKind, scalarKind:
		kinds, want := e.rawKinds()
		return d("RawOf", addr(v), kinds, want)
	case unionKind:
		name := "read"
		if inList {
			name = "readElement"
		}
		return jen.Id(unionOf(e.name)).Dot(name).Call(addr(v), jen.Id("d"))
	case enumKind:
		return d("Enum", jen.Parens(jen.Op("*").String()).Call(addr(v)), jen.Op("&").Id(enumOf(e.name)))
	case structKind, choiceKind:
		return v.Clone().Dot("read").Call(jen.Id("d"), jen.False())
	case sliceKind:
		if e.strings() {
			return d("Strings", addr(v))
		}
		if e.elem.kind == structKind || e.elem.kind == choiceKind {
			return jen.Id("readList").Call(addr(v), jen.Id("d"))
		}
		return nil
	case mapKind, nullKind:
		return nil
	}
	return d(e.basic(), addr(v))
}

// emitChoiceRead writes the reader of a choice: the kind of the value decides.
func emitChoiceRead(f *jen.File, c *choiceType) {
	method(f, c.name, "read").Params(decoder(), jen.Id("_").Bool()).Bool().BlockFunc(func(g *jen.Group) {
		g.Var().Id("ok").Bool()
		var wanted []string
		g.Switch(d("Kind")).BlockFunc(func(g *jen.Group) {
			for _, a := range c.arms {
				wanted = append(wanted, article(a.kind))
				k := a.kind
				if k == "integer" {
					k = "number"
				}
				v := jen.Id("v").Dot(a.field)
				read := a.typ.read(v, false)
				if a.typ.pointer() {
					read = a.typ.readOptional(v)
				}
				g.Case(run("Kind" + naming.Pascal(k))).Block(read...)
			}
			g.Default().Block(jen.Return(d("Mismatch", jen.Lit(strings.Join(wanted, " or ")))))
		})
		g.Return(jen.Id("ok"))
	})
}

func article(kind string) string {
	if strings.ContainsAny(kind[:1], "aeiou") {
		return "an " + kind
	}
	return "a " + kind
}

// rawKinds is the JSON kinds that raw JSON may be of, as a set and in words.
func (e *expr) rawKinds() (kinds, want jen.Code) {
	names := e.kinds
	if e.kind == objectKind {
		names = []string{"object"}
	}
	set := new(jen.Statement)
	var words []string
	for i, k := range names {
		if i > 0 {
			set.Op("|")
		}
		set.Add(run("Kind" + naming.Pascal(k)))
		words = append(words, article(k))
	}
	return set, jen.Lit(strings.Join(words, " or "))
}
