package generator

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// usual is the frame of which a stream has the most by far: a piece of a
// reply's text. Its first example in the schema is the line as the CLI writes
// it. A line that differs from it only in its values is read in one go, without
// looking at each member; any other line is read the general way. Members of its
// objects that the example does not have are rare.
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

// A step of the usual line is either fixed text or a value to read.
type step struct {
	text  string
	path  string // Go expression of the field
	fd    *field
	value string // of the example
}

// A usualLine is the usual frame as steps.
type usualLine struct {
	b     *builder
	steps []step
	nulls []string // assignments for the members that are null
}

// newUsualLine turns the example into steps, and marks the members that are
// rare.
func newUsualLine(b *builder) (*usualLine, error) {
	s := b.structs[usual]
	u := &usualLine{b: b}
	if err := u.object(s, "b.frame", s.def.Examples[0]); err != nil {
		return nil, fmt.Errorf("%s, first example: %w", usual, err)
	}
	u.merge()
	return u, nil
}

func (u *usualLine) fixed(text string) { u.steps = append(u.steps, step{text: text}) }

func (u *usualLine) object(s *structType, at string, example json.RawMessage) error {
	dec := json.NewDecoder(bytes.NewReader(example))
	if _, err := dec.Token(); err != nil {
		return err
	}
	for _, fd := range s.fields {
		fd.rare = !fd.required
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
		fd.rare = false
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
func (u *usualLine) merge() {
	var out []step
	for _, st := range u.steps {
		if st.fd == nil && len(out) > 0 && out[len(out)-1].fd == nil {
			out[len(out)-1].text += st.text
			continue
		}
		out = append(out, st)
	}
	u.steps = out
}
