package generator

import (
	"fmt"

	"github.com/dave/jennifer/jen"
)

// emitAppend writes the encoder of a struct, under the comment of its marshalers.
func emitAppend(f *jen.File, s *structType) {
	method(f, s.name, "AppendJSON").Params(buffer()).Add(appended()).BlockFunc(func(g *jen.Group) {
		g.If(jen.Id("v").Op("==").Nil()).Block(jen.Return(jen.Id("dst"), run("ErrNil").Call(jen.Lit(s.name))))
		g.Id("e").Op(":=").Add(run("Encode")).Call(jen.Id("dst"), jen.Id("v").Dot("Extra"))
		fixed := "" // constants that follow each other are appended in one go
		flush := func() {
			if fixed != "" {
				g.Id("e").Dot("Const").Call(quoted(fixed))
			}
			fixed = ""
		}
		for _, fd := range s.fields {
			if fd.isConst {
				fixed += fmt.Sprintf(`,%q:%q`, fd.wire, fd.constant)
				continue
			}
			flush()
			g.Add(putField(fd))
		}
		flush()
		g.Return(jen.Id("e").Dot("End").Call())
	})
}

// put appends a member by a method of the encoder.
func put(name string, fd *field, args ...jen.Code) *jen.Statement {
	args = append([]jen.Code{quoted(fmt.Sprintf(",%q:", fd.wire))}, args...)
	return jen.Id("e").Dot(name).Call(args...)
}

// putField is the statement that appends a member.
func putField(fd *field) jen.Code {
	v := jen.Id("v").Dot(fd.name)
	optional := !fd.required && !fd.send
	putIf := func(name string, args ...jen.Code) jen.Code { // with whether it is there
		if optional {
			return put("Optional"+name, fd, append([]jen.Code{v.Clone().Op("!=").Nil()}, args...)...)
		}
		return put(name, fd, args...)
	}
	prefix := ""
	if optional {
		prefix = "Optional"
	}
	e := fd.typ
	switch {
	case fd.only != "":
		return put("Only", fd, jen.String().Call(v), jen.Lit(fd.only))
	case fd.send && fd.required:
		return put("NonEmpty", fd, v)
	case e.kind == objectKind, e.kind == scalarKind:
		kinds, want := e.rawKinds()
		return put(prefix+"RawOf", fd, v, kinds, want)
	case e.basic() != "":
		return put(prefix+e.basic(), fd, v)
	case e.kind == enumKind && optional:
		return put("OptionalString", fd, jen.Parens(jen.Op("*").String()).Call(v))
	case e.kind == enumKind:
		return put("String", fd, jen.String().Call(v))
	case e.kind == unionKind, (e.kind == structKind || e.kind == choiceKind) && optional:
		return putIf("Value", v)
	case e.kind == structKind, e.kind == choiceKind:
		return put("Value", fd, addr(v))
	case e.strings():
		return put(prefix+"Strings", fd, v)
	case e.kind == sliceKind:
		return putIf("List", jen.Len(v), e.elementWriter(v))
	case e.kind == mapKind:
		return putIf("Map", run("Names").Call(v), e.elementWriter(v))
	}
	// nullable
	if name, value := e.elem.orNull(v.Clone().Dot("Value")); name != "" {
		null := jen.Code(jen.True())
		if optional {
			null = v.Clone().Dot("Null")
		}
		return put(name+"OrNull", fd, v.Clone().Dot("Valid"), null, value)
	}
	value := *fd
	value.typ, value.required, value.name = e.elem, true, fd.name+".Value"
	if optional {
		return jen.If(v.Clone().Dot("Valid")).Block(putField(&value)).Else().If(v.Clone().Dot("Null")).Block(put("Null", fd))
	}
	return jen.If(v.Clone().Dot("Valid")).Block(putField(&value)).Else().Block(put("Null", fd))
}

// orNull returns the kind of value that an encoder's method appends or null, and the value as it
// takes it; "" if there is no method for the type.
func (e *expr) orNull(v *jen.Statement) (name string, value jen.Code) {
	switch {
	case e.kind == structKind, e.kind == choiceKind:
		return "Value", addr(v)
	case e.kind == enumKind:
		return "String", jen.String().Call(v)
	case e.kind == rawKind:
		return "", nil
	}
	return e.basic(), v
}

// elementWriter is a function that appends an element of the list or map v.
func (e *expr) elementWriter(v *jen.Statement) jen.Code {
	if e.kind == sliceKind {
		return jen.Func().Params(buffer(), e.index().Int()).Add(appended()).Block(jen.Return(e.elem.append(v.Clone().Index(e.index()))))
	}
	element := v.Clone().Index(jen.Id("name"))
	body := []jen.Code{jen.Return(e.elem.append(element))}
	if e.elem.kind == structKind || e.elem.kind == choiceKind {
		body = []jen.Code{jen.Id("e").Op(":=").Add(element), jen.Return(e.elem.append(jen.Id("e")))}
	}
	return jen.Func().Params(buffer(), jen.Id("name").String()).Add(appended()).Block(body...)
}

// append is an expression that appends the value v to dst.
func (e *expr) append(v *jen.Statement) jen.Code {
	dst := jen.Id("dst")
	switch {
	case e.kind == objectKind, e.kind == scalarKind:
		kinds, want := e.rawKinds()
		return run("AppendRawOf").Call(dst, v, kinds, want)
	case e.basic() != "":
		return run("Append"+e.basic()).Call(dst, v)
	case e.kind == enumKind:
		return run("AppendString").Call(dst, jen.String().Call(v))
	case e.kind == unionKind:
		return run("AppendValue").Call(dst, jen.Lit(e.name), v)
	case e.strings():
		return run("AppendStrings").Call(dst, v)
	case e.kind == sliceKind:
		return run("AppendList").Call(dst, jen.Len(v), e.elementWriter(v))
	case e.kind == mapKind:
		return run("AppendMap").Call(dst, run("Names").Call(v), e.elementWriter(v))
	}
	return v.Clone().Dot("AppendJSON").Call(dst)
}

// emitChoiceAppend writes the encoder of a choice, under the comment of its marshalers.
func emitChoiceAppend(f *jen.File, c *choiceType) {
	isSet := []jen.Code{jen.Lit(c.name)}
	for _, a := range c.arms {
		isSet = append(isSet, jen.Id("v").Dot(a.field).Op("!=").Nil())
	}
	method(f, c.name, "AppendJSON").Params(buffer()).Add(appended()).Block(
		jen.Switch().BlockFunc(func(g *jen.Group) {
			g.Case(jen.Id("v").Op("==").Nil()).Block(jen.Return(jen.Id("dst"), run("ErrNil").Call(jen.Lit(c.name))))
			for i, a := range c.arms {
				v := jen.Id("v").Dot(a.field)
				value := v.Clone()
				if a.typ.basic() != "" && a.typ.pointer() || a.typ.kind == enumKind {
					value = jen.Op("*").Add(v)
				}
				alone := v.Clone().Op("!=").Nil()
				for j, other := range c.arms {
					if j != i {
						alone.Op("&&").Id("v").Dot(other.field).Op("==").Nil()
					}
				}
				g.Case(alone).Block(jen.Return(a.typ.append(value)))
			}
		}),
		jen.Return(jen.Id("dst"), run("ErrChoice").Call(isSet...)),
	)
}

// marshalers writes the methods for encoding/json.
func marshalers(f *jen.File, name string) {
	f.Comment("// MarshalJSON and UnmarshalJSON are for encoding/json, AppendJSON for [Appender].")
	marshal(f, name)
	method(f, name, "UnmarshalJSON").Params(jen.Id("data").Index().Byte()).Error().Block(jen.Return(jen.Id("unmarshal").Call(jen.Id("v"), jen.Id("data"))))
}

// marshaler writes MarshalJSON, which a value has too and not only a pointer.
func marshaler(f *jen.File, name string) {
	f.Comment("// MarshalJSON implements json.Marshaler.")
	marshal(f, name)
}

func marshal(f *jen.File, name string) {
	f.Func().Params(jen.Id("v").Id(name)).Id("MarshalJSON").Params().Add(appended()).Block(jen.Return(jen.Id("v").Dot("AppendJSON").Call(jen.Nil())))
}
