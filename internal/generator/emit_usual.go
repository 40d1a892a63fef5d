package generator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"
)

// usual is the frame of which a stream has the most by far: a piece of a
// reply's text. Its first example in the schema is the line as the CLI writes
// it. A line that differs from it only in its values is read in one go, without
// looking at each member; any other line is read the general way.
const usual = "message/stream_event.json"

// blocks are the objects of the usual line. Their memory comes from a block that
// holds the whole line: the text of a reply arrives as thousands of these, so
// that one allocation for each matters. The value is the function that gives
// the memory.
var blocks = map[string]string{
	"StreamEvent":            "newStreamEvent",
	"ContentBlockDeltaEvent": "newContentBlockDeltaEvent",
	"TextDelta":              "newTextDelta",
}

// parts are the places in textParts of the objects inside the line.
var parts = map[string]string{"ContentBlockDeltaEvent": "b.event", "TextDelta": "b.delta"}

// emitTextBlock writes the memory of the usual line. Its two sizes fill size
// classes of the allocator: 320 and 384 bytes.
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
			for _, size := range []int{96, 160} {
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
		code("b, text := newTextParts(160)"),
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

// A step of the usual line is either fixed text or a value to read.
type step struct {
	text  string
	path  string // Go expression of the field
	fd    *field
	value string // of the example
}

// emitUsual writes the reader of the usual line: first all of the line is
// recognised, then memory is taken for its values.
func emitUsual(f *jen.File, b *builder) error {
	s := b.structs[usual]
	u := &usualLine{b: b}
	if err := u.object(s, "b.frame", s.def.Examples[0]); err != nil {
		return fmt.Errorf("%s, first example: %w", usual, err)
	}
	var texts []string
	var vars, conds, size, sets []string
	for _, st := range u.merge() {
		if st.fd == nil {
			conds = append(conds, fmt.Sprintf("!isUsual%d(s.Take(%d))", len(texts), len(st.text)))
			texts = append(texts, st.text)
			continue
		}
		local := private(st.fd.name)
		typ := "codec.Text"
		switch {
		case st.fd.typ.kind == intKind:
			typ = "int64"
			conds = append(conds, fmt.Sprintf("!s.Int64(&%s)", local))
			sets = append(sets, fmt.Sprintf("%s = %s", st.path, local))
		case st.fd.typ.kind != stringKind:
			return fmt.Errorf("%s, first example: no way to scan %s", usual, st.fd.name)
		case st.fd.repeated >= 0 && st.fd.required:
			typ = "string"
			conds = append(conds, fmt.Sprintf("!s.Repeated(&%s, d, %d)", local, st.fd.repeated))
			sets = append(sets, fmt.Sprintf("%s = %s", st.path, local))
		case st.fd.repeated >= 0:
			typ = "string"
			conds = append(conds, fmt.Sprintf("!s.Repeated(&%s, d, %d)", local, st.fd.repeated))
			sets = append(sets, fmt.Sprintf("b.slots[0] = %s", local), fmt.Sprintf("%s = &b.slots[0]", st.path))
		default:
			read := "Text"
			if len(st.value) == len(`""`)+36 {
				read = "UUID"
			}
			conds = append(conds, fmt.Sprintf("!s.%s(&%s)", read, local))
			size = append(size, local+".Len()")
			sets = append(sets, fmt.Sprintf("%s = s.Keep(%s)", st.path, local))
		}
		vars = append(vars, local+" "+typ)
	}
	f.Comment("// usualLine reads the line of which a stream has the most: a piece of text, with its members in the usual order.")
	f.Comment("// It returns nil for any other line.")
	f.Func().Id("usualLine").Params(decoder(), jen.Id("line").Index().Byte(), jen.Id("o").Op("*").Qual(codecPath, "Options")).Id("Frame").BlockFunc(func(g *jen.Group) {
		g.Add(code("s, ok := codec.NewScan(line, o, %d)", len(parts)+1))
		g.Add(code("var (\n%s\n)", strings.Join(vars, "\n")))
		g.If(code("!ok || %s || !s.AtEnd()", strings.Join(conds, " ||\n"))).Block(jen.Return(jen.Nil()))
		g.Add(code("b, room := newTextParts(%s)", strings.Join(size, " + ")))
		g.Add(code("s.Lend(room)"))
		for _, set := range append(u.nulls, sets...) {
			g.Add(code("%s", set))
		}
		g.Add(code("b.event.Delta = &b.delta"))
		g.Add(code("b.frame.Event = &b.event"))
		g.Add(code("return &b.frame"))
	})
	// Comparisons of up to 16 bytes are compiled without a call.
	for i, text := range texts {
		conds := []string{fmt.Sprintf("len(b) == %d", len(text))}
		for at := 0; at < len(text); at += 16 {
			end := min(at+16, len(text))
			conds = append(conds, fmt.Sprintf("string(b[%d:%d]) == `%s`", at, end, text[at:end]))
		}
		f.Func().Id(fmt.Sprintf("isUsual%d", i)).Params(jen.Id("b").Index().Byte()).Bool().Block(jen.Return(code("%s", strings.Join(conds, " && "))))
	}
	return nil
}

// usualLine turns an example into steps.
type usualLine struct {
	b     *builder
	steps []step
	nulls []string // assignments for the members that are null
}

func (u *usualLine) fixed(text string) { u.steps = append(u.steps, step{text: text}) }

func (u *usualLine) object(s *structType, at string, example json.RawMessage) error {
	dec := json.NewDecoder(bytes.NewReader(example))
	if _, err := dec.Token(); err != nil {
		return err
	}
	sep := "{"
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		var fd *field
		for _, c := range s.fields {
			if c.wire == key {
				fd = c
			}
		}
		if fd == nil {
			return fmt.Errorf("%s has no member %v", s.name, key)
		}
		u.fixed(fmt.Sprintf("%s%q:", sep, key))
		sep = ","
		switch {
		case fd.isConst:
			u.fixed(fmt.Sprintf("%q", fd.constant))
		case string(value) == "null":
			u.fixed("null")
			u.nulls = append(u.nulls, at+"."+fd.name+".Null = true")
		case fd.typ.kind == unionKind:
			arm, err := u.arm(fd.typ.name, value)
			if err != nil {
				return err
			}
			if err := u.object(arm, parts[arm.name], value); err != nil {
				return err
			}
		default:
			quote := ""
			if fd.typ.kind == stringKind {
				quote = `"`
			}
			u.fixed(quote)
			u.steps = append(u.steps, step{path: at + "." + fd.name, fd: fd, value: string(value)})
			u.fixed(quote)
		}
	}
	u.fixed("}")
	return nil
}

// arm finds the arm of a union that an example is of.
func (u *usualLine) arm(union string, example json.RawMessage) (*structType, error) {
	t := u.b.unions[union]
	var tags map[string]any
	if err := json.Unmarshal(example, &tags); err != nil {
		return nil, err
	}
	for _, g := range t.groups {
		if g.value == tags[t.tags[0]] && g.arm != nil && parts[g.arm.name] != "" {
			for _, s := range u.b.structs {
				if s.name == g.arm.name {
					return s, nil
				}
			}
		}
	}
	return nil, fmt.Errorf("no place for %v in the block", tags[t.tags[0]])
}

// merge joins neighbouring fixed texts. The last one ends the line.
func (u *usualLine) merge() []step {
	var out []step
	for _, st := range u.steps {
		if st.fd == nil && len(out) > 0 && out[len(out)-1].fd == nil {
			out[len(out)-1].text += st.text
			continue
		}
		out = append(out, st)
	}
	return out
}
