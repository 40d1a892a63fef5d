package generator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
)

// emitTextBlock writes the memory of the usual line. Its two sizes fill size
// classes of the allocator: 256 and 320 bytes.
func emitTextBlock(f *jen.File) {
	f.Comment("// textParts are the values of a line that carries a piece of text.")
	f.Type().Id("textParts").Struct(
		jen.Id("frame").Id("StreamEvent"),
		jen.Id("event").Id("ContentBlockDeltaEvent"),
		jen.Id("delta").Id("TextDelta"),
		jen.Id("slots").Index(jen.Lit(1)).String(),
	)
	f.Comment("// newTextParts sets memory aside for a line and n bytes of its strings.")
	f.Func().Id("newTextParts").Params(jen.Id("n").Int()).Params(jen.Op("*").Id("textParts"), jen.Index().Byte()).BlockFunc(func(g *jen.Group) {
		g.Switch().BlockFunc(func(g *jen.Group) {
			for _, size := range []int{88, 152} {
				g.Case(code("n <= %d", size)).Block(
					code("b := new(struct {\ntextParts\ntext [%d]byte\n})", size),
					code("return &b.textParts, b.text[:]"),
				)
			}
		})
		g.Add(code("return new(textParts), nil"))
	})
	f.Func().Id("newStreamEvent").Params(decoder()).Op("*").Id("StreamEvent").Block(
		code("if d.Len() > 512 {\nreturn new(StreamEvent)\n}"),
		code("b, text := newTextParts(152)"),
		code("d.Block = b"),
		code("d.Lend(text, b.slots[:])"),
		code("return &b.frame"),
	)
	f.Func().Id("newContentBlockDeltaEvent").Params(decoder()).Op("*").Id("ContentBlockDeltaEvent").Block(
		code("if b, ok := d.Block.(*textParts); ok {\nreturn &b.event\n}"),
		code("return new(ContentBlockDeltaEvent)"),
	)
	f.Func().Id("newTextDelta").Params(decoder()).Op("*").Id("TextDelta").Block(
		code("if b, ok := d.Block.(*textParts); ok {\nreturn &b.delta\n}"),
		code("return new(TextDelta)"),
	)
}

// emitUsual writes the reader of the usual line. Most of such a line is the
// same as in the one before: it is compared, and only the rest is read.
func emitUsual(f *jen.File, u *usualLine) error {
	var fields, learn, sets []string // what repeats
	var vars, paths, reads []string  // what does not
	for i, st := range u.steps {
		if st.fd == nil {
			learn = append(learn, fmt.Sprintf("string(s.Take(%d)) != `%s`", len(st.text), st.text))
			continue
		}
		local := private(st.fd.name)
		switch {
		case st.fd.typ.kind == intKind:
			fields = append(fields, local+" int64")
			learn = append(learn, fmt.Sprintf("!s.Int64(&next.%s)", local))
			sets = append(sets, fmt.Sprintf("%s = u.%s", st.path, local))
		case st.fd.typ.kind != stringKind:
			return fmt.Errorf("%s, first example: no way to scan %s", usual, st.fd.name)
		case st.fd.repeated >= 0 && st.fd.required:
			fields = append(fields, local+" string")
			learn = append(learn, fmt.Sprintf("!s.Repeated(&next.%s, d, %d)", local, st.fd.repeated))
			sets = append(sets, fmt.Sprintf("%s = u.%s", st.path, local))
		case st.fd.repeated >= 0: // older peers leave it out
			before := u.steps[i-1].text
			if before != fmt.Sprintf(`",%q:"`, st.fd.wire) {
				return fmt.Errorf("%s, first example: %s must follow a string, so that it can be left out", usual, st.fd.wire)
			}
			has := "has" + st.fd.name
			fields = append(fields, local+" string", has+" bool")
			learn[len(learn)-1] = fmt.Sprintf("!s.Optional(&next.%s, &next.%s, `%s`, d, %d)", local, has, before, st.fd.repeated)
			sets = append(sets, fmt.Sprintf("if u.%s {\nb.slots[0] = u.%s\n%s = &b.slots[0]\n}", has, local, st.path))
		default:
			read := "Text"
			if len(st.value) == len(`""`)+36 {
				read = "UUID"
			}
			learn = append(learn, fmt.Sprintf("!s.%s(&%s)", read, local))
			vars, paths, reads = append(vars, local), append(paths, st.path), append(reads, read)
		}
	}
	if !slices.Equal(reads, []string{"Text", "UUID"}) {
		return fmt.Errorf("%s, first example: a codec.Mold has a place for a string and a UUID behind it, not for %s", usual, strings.Join(vars, ", "))
	}
	f.Comment("// A usualReader reads the line of which a stream has the most: a piece of text, with its members in the usual order.")
	f.Comment("// Most of such a line is the same as in the one before.")
	f.Type().Id("usualReader").StructFunc(func(g *jen.Group) {
		g.Id("mold").Qual(codecPath, "Mold")
		for _, fd := range fields {
			g.Add(code("%s", fd))
		}
	})
	method := func(name string, params ...jen.Code) *jen.Statement {
		return f.Func().Params(jen.Id("u").Op("*").Id("usualReader")).Id(name).Params(append([]jen.Code{decoder(), jen.Id("line").Index().Byte()}, params...)...)
	}
	texts := strings.Join(vars, ", ")
	f.Comment("// read returns nil for any other line.")
	method("read", jen.Id("o").Op("*").Qual(codecPath, "Options")).Id("Frame").BlockFunc(func(g *jen.Group) {
		g.Add(code("if !o.Nests(%d) {\nreturn nil\n}", len(parts)+1))
		g.Add(code("%s, ok := u.mold.Fits(line)", texts))
		g.Add(code("if !ok {\n%s, ok = u.learn(d, line)\n}", texts))
		g.Add(code("if !ok {\nreturn nil\n}"))
		g.Add(code("b, room := newTextParts(%s.Len())", strings.Join(vars, ".Len() + ")))
		g.Add(code("%s = codec.Keep(line, o, room, %s)", strings.Join(paths, ", "), texts))
		for _, set := range append(sets, u.nulls...) {
			g.Add(code("%s", set))
		}
		g.Add(code("b.event.Delta = &b.delta"))
		g.Add(code("b.frame.Event = &b.event"))
		g.Add(code("return &b.frame"))
	})
	f.Comment("// learn reads all of the line, and remembers what may repeat on the next.")
	method("learn").Params(code("%s codec.Text, ok bool", texts)).BlockFunc(func(g *jen.Group) {
		g.Add(code("s := codec.NewScan(line)"))
		g.Add(code("if %s { // most others\nreturn %s, false\n}", learn[0], texts))
		g.Add(code("next := *u"))
		g.Add(code("if %s || !s.AtEnd() {\nreturn %s, false\n}", strings.Join(learn[1:], " ||\n"), texts))
		g.Add(code("next.mold.Cast(line, %s)", texts))
		g.Add(code("*u = next"))
		g.Add(code("return %s, true", texts))
	})
	return nil
}
