package generator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
)

// emitStruct writes a struct with its reader and writer.
func emitStruct(f *jen.File, s *structType) {
	f.Add(comment(lead(s.name, s.doc)))
	f.Comment("//")
	f.Add(comment(schemaLine(s)))
	var rare []*field
	f.Type().Id(s.name).StructFunc(func(g *jen.Group) {
		for _, fd := range s.fields {
			switch {
			case fd.rare:
				rare = append(rare, fd)
			case !fd.isConst:
				declare(g, fd)
			}
		}
		if len(rare) > 0 {
			g.Comment("Members that few lines have; nil if there are none.")
			g.Id("Rare").Op("*").Id(s.name + "Rare").Tag(map[string]string{"json": "-"})
		}
		g.Comment("Members that the schema does not name, in the order of the line.")
		g.Id("Extra").Op("*").Qual(codecPath, "Members").Tag(map[string]string{"json": "-"})
	})
	for _, u := range s.unions {
		f.Add(code("func (*%s) is%s() {}", s.name, u))
	}
	if s.tagged {
		tag := s.field(s.tags[0])
		f.Commentf("%s returns the value of %q.", pascal(tag.wire), tag.wire)
		f.Add(code("func (*%s) %s() string { return %q }", s.name, pascal(tag.wire), tag.constant))
	}
	emitShape(f, s)
	emitDecode(f, s)
	emitAppend(f, s)
	marshalers(f, s.name)
	if len(rare) > 0 {
		emitRare(f, s, rare)
	}
}

// emitRare writes the struct of the rare members. They are apart because a
// struct costs its size on each line, whatever the line has.
func emitRare(f *jen.File, s *structType, rare []*field) {
	f.Add(comment(fmt.Sprintf("%sRare holds the members of a [%s] that few lines have.", s.name, s.name)))
	f.Type().Id(s.name + "Rare").StructFunc(func(g *jen.Group) {
		for _, fd := range rare {
			declare(g, fd)
		}
	})
	f.Add(code("func (v *%s) rare() *%sRare {\nif v.Rare == nil {\nv.Rare = new(%sRare)\n}\nreturn v.Rare\n}", s.name, s.name, s.name))
}

// declare writes a member's field.
func declare(g *jen.Group, fd *field) {
	if fd.doc != "" {
		g.Add(comment(fd.doc))
	}
	typ := fd.typ.goType()
	if !fd.required && fd.typ.pointer() {
		typ = jen.Op("*").Add(typ)
	}
	tag := fd.wire
	if !fd.required {
		tag += ",omitempty"
	}
	g.Id(fd.name).Add(typ).Tag(map[string]string{"json": tag})
}

func schemaLine(s *structType) string {
	line := "Schema: " + s.def.Name()
	if s.def.Since != "" {
		line += ", seen since " + s.def.Since
	}
	return line + "."
}

// emitShape writes the table of the members.
func emitShape(f *jen.File, s *structType) {
	var need [2]uint64
	var names, keys []string
	tags := make([]string, len(s.tags))
	for i, fd := range s.fields {
		names = append(names, fd.wire)
		keys = append(keys, fmt.Sprintf("%q:", fd.wire))
		if fd.required {
			need[i/64] |= 1 << (i % 64)
		}
		for n, t := range s.tags {
			if fd.wire == t {
				tags[n] = fmt.Sprint(i)
			}
		}
	}
	f.Var().Id(shape(s)).Op("=").Qual(codecPath, "Shape").Values(
		code("\nNames: %s", list(names)),
		code("\nKeys: %s", list(keys)),
		code("\nNeed: codec.Bits{%#x, %#x}", need[0], need[1]),
		code("\nTags: []int{%s}", strings.Join(tags, ", ")),
		code("\nLegacy: %s,\n", list(s.legacy)),
	)
}

func shape(s *structType) string { return private(s.name) + "Shape" }

// emitDecode writes the reader: a loop over the members, each read by its
// number.
func emitDecode(f *jen.File, s *structType) {
	f.Add(code("func (v *%s) read(d *codec.Decoder) bool { return v.decode(d, 0, 0) }", s.name))
	f.Func().Params(jen.Id("v").Op("*").Id(s.name)).Id("decode").Params(decoder(), jen.Id("at"), jen.Id("tags").Int()).Bool().BlockFunc(func(g *jen.Group) {
		g.Add(code("var o codec.Object"))
		g.Add(code("if !o.Begin(d, &%s, at, tags) {\nreturn false\n}", shape(s)))
		if len(s.fields) == 0 {
			g.Add(code("o.Next(d, &v.Extra)"))
			g.Add(code("return o.End(d)"))
			return
		}
		var loop strings.Builder
		loop.WriteString("for i := o.Next(d, &v.Extra); i >= 0; i = o.Next(d, &v.Extra) {\nok := false\nswitch i {\n")
		for i, fd := range s.fields {
			fmt.Fprintf(&loop, "case %d:\nok = %s\n", i, fieldRead(fd))
		}
		loop.WriteString("}\nif !ok {\nreturn false\n}\n}")
		g.Add(code("%s", loop.String()))
		g.Add(code("return o.End(d)"))
	})
}

// fieldRead is the expression that reads a member.
func fieldRead(fd *field) string {
	if fd.isConst {
		return fmt.Sprintf("d.Const(%q)", fd.constant)
	}
	target := "&v." + fd.name
	if fd.rare {
		target = "&v.rare()." + fd.name
	}
	var read string
	switch {
	case fd.typ.kind == stringKind && fd.repeated >= 0 && fd.required:
		read = fmt.Sprintf("d.Repeated(%s, %d)", target, fd.repeated)
	case fd.typ.kind == stringKind && fd.repeated >= 0:
		read = fmt.Sprintf("d.OptionalRepeated(%s, %d)", target, fd.repeated)
	case fd.required || !fd.typ.pointer():
		read = fd.typ.read(target)
	case fd.typ.kind == stringKind:
		read = fmt.Sprintf("d.OptionalString(%s)", target)
	default:
		read = fmt.Sprintf("codec.Optional(%s, d, %s)", target, fd.typ.reader(false))
	}
	if !fd.required {
		read += " || o.Keep(d, &v.Extra)"
	}
	return read
}

// emitAppend writes the encoder.
func emitAppend(f *jen.File, s *structType) {
	f.Comment("// AppendJSON appends the value as one JSON object.")
	f.Func().Params(jen.Id("v").Op("*").Id(s.name)).Id("AppendJSON").Params(jen.Id("dst").Index().Byte()).Params(appended()...).BlockFunc(func(g *jen.Group) {
		g.Add(code("if v == nil {\nreturn dst, codec.ErrNil(%q)\n}", s.name))
		g.Add(code("start := len(dst)"))
		g.Add(code("var err error"))
		for rest := s.fields; len(rest) > 0; {
			n := slices.IndexFunc(rest, func(fd *field) bool { return fd.rare != rest[0].rare })
			if n < 0 {
				n = len(rest)
			}
			form, of := "%s", "v."
			if rest[0].rare {
				form, of = "if v.Rare != nil {\n%s\n}", "v.Rare."
			}
			var puts []string
			for _, fd := range rest[:n] {
				puts = append(puts, fieldAppend(fd, of))
			}
			g.Add(code(form, strings.Join(puts, "\n")))
			rest = rest[n:]
		}
		g.Add(code("return codec.CloseObject(dst, start, v.Extra, &err)"))
	})
}

// fieldAppend is the statements that append a member of a value.
func fieldAppend(fd *field, of string) string {
	if fd.isConst {
		return fmt.Sprintf("dst = append(dst, `,%q:%q`...)", fd.wire, fd.constant)
	}
	v := of + fd.name
	optional := !fd.required && !fd.send
	value := v
	if !fd.required && fd.typ.pointer() {
		value = "*" + v
	}
	key := fmt.Sprintf("`,%q:`", fd.wire)
	var put string
	switch fd.typ.kind {
	case stringKind, boolKind, intKind, floatKind, rawKind:
		put = fmt.Sprintf("dst = codec.Put%s(dst, %s, %s, &err)", fd.typ.basic(), key, value)
	case objectKind, scalarKind:
		put = fmt.Sprintf("dst = codec.PutRaw(dst, %s, %s, &err)", key, v)
	case unionKind:
		put = fmt.Sprintf("dst = codec.PutValue(dst, %s, %s, &err)", key, v)
	case sliceKind:
		put = fmt.Sprintf("dst = codec.PutSlice(dst, %s, %s, %s, &err)", key, v, fd.typ.elem.writer())
	case mapKind:
		put = fmt.Sprintf("dst = codec.PutMap(dst, %s, %s, %s, &err)", key, v, fd.typ.elem.writer())
	case nullKind:
		put = fmt.Sprintf("dst = codec.PutNullable(dst, %s, &%s, %s, &err)", key, v, fd.typ.elem.writer())
		if optional {
			return fmt.Sprintf("if !%s.Absent() {\n%s\n}", v, put)
		}
		return put
	default: // enum, struct, choice
		p := v
		if fd.required {
			p = "&" + v
		}
		put = fmt.Sprintf("dst = codec.Put(dst, %s, %s, %s, &err)", key, p, fd.typ.writer())
	}
	if optional {
		return fmt.Sprintf("if %s != nil {\n%s\n}", v, put)
	}
	return put
}
