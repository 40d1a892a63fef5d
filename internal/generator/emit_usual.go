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

// A step of the usual line is either fixed text or a value to read.
type step struct {
	text string
	path string // Go expression of the field
	fd   *field
}

// emitUsual writes the reader of the usual line.
func emitUsual(f *jen.File, b *builder) error {
	s := b.structs[usual]
	u := &usualLine{b: b}
	if err := u.object(s, "b.frame", s.def.Examples[0]); err != nil {
		return fmt.Errorf("%s, first example: %w", usual, err)
	}
	steps := u.merge()
	f.Comment("// usualLine reads the line of which a stream has the most: a piece of text, with its members in the usual order.")
	f.Comment("// It returns nil, and leaves the position where it was, for any other line.")
	f.Func().Id("usualLine").Params(decoder()).Id("Frame").BlockFunc(func(g *jen.Group) {
		// The counts before the first text go to variables, so that a line of
		// another kind costs no memory.
		var conds, sets []string
		n := 0
		for ; steps[n].fd == nil || steps[n].fd.typ.kind == intKind; n++ {
			if steps[n].fd == nil {
				conds = append(conds, fmt.Sprintf("!d.Next(`%s`)", steps[n].text))
				continue
			}
			local := private(steps[n].fd.name)
			g.Add(code("var %s int64", local))
			conds = append(conds, fmt.Sprintf("!d.Int64(&%s)", local))
			sets = append(sets, fmt.Sprintf("%s = %s", steps[n].path, local))
		}
		g.If(code("!d.Fits(%d) || %s", len(parts)+1, strings.Join(conds, " || "))).Block(
			code("d.Restart()"),
			code("return nil"),
		)
		g.Add(code("b := new(textBlock)"))
		g.Add(code("d.Lend(b.text[:], b.slots[:])"))
		conds = nil
		for _, st := range steps[n:] {
			if st.fd == nil {
				conds = append(conds, fmt.Sprintf("d.Next(`%s`)", st.text))
				continue
			}
			conds = append(conds, st.read())
		}
		g.If(code("%s && d.Finish()", strings.Join(conds, " &&\n"))).BlockFunc(func(g *jen.Group) {
			for _, set := range sets {
				g.Add(code("%s", set))
			}
			g.Add(code("b.event.Delta = &b.delta"))
			g.Add(code("b.frame.Event = &b.event"))
			g.Add(code("return &b.frame"))
		})
		g.Add(code("d.Restart()"))
		g.Add(code("return nil"))
	})
	return nil
}

// usualLine turns an example into steps.
type usualLine struct {
	b     *builder
	steps []step
}

func (u *usualLine) fixed(text string) { u.steps = append(u.steps, step{text: text}) }

// parts are the places in textBlock of the objects inside the line.
var parts = map[string]string{"ContentBlockDeltaEvent": "b.event", "TextDelta": "b.delta"}

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
			u.steps = append(u.steps, step{path: at + "." + fd.name, fd: fd})
		case fd.typ.kind == unionKind:
			arm, err := u.arm(fd.typ.name, value)
			if err != nil {
				return err
			}
			if err := u.object(arm, parts[arm.name], value); err != nil {
				return err
			}
		default:
			u.steps = append(u.steps, step{path: at + "." + fd.name, fd: fd})
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

// read is the expression that reads the value, without recovery: a member that
// does not decode is left to the general way.
func (st step) read() string {
	read, _, _ := strings.Cut(fieldRead(st.fd), " || o.Keep")
	return strings.ReplaceAll(read, "&v."+st.fd.name, "&"+st.path)
}
