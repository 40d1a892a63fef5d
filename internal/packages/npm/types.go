package npm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/packages/model"
)

// typings returns types.d.ts.
func typings(m *model.Model) ([]byte, error) {
	s, err := newSending(m)
	if err != nil {
		return nil, err
	}
	w := &writer{sending: s}
	w.printf("%s%s", made, prelude)
	for _, t := range m.Types {
		if t.Inline || t.Legacy {
			continue
		}
		if s.types[t] != t.Name {
			w.declare(t, false)
		}
		if s.types[t] != "" {
			w.declare(t, true)
		}
	}
	w.maps(m)
	return w.out, nil
}

// prelude is what all types share.
const prelude = `
declare enum Unknown {
  tag = "a tag that this version of the package does not know",
}

/**
 * The tag of what this version of the package does not know yet. It is any string but the known
 * ones. It is declared as an enum, so that a known tag leads to its type and to no other.
 */
export type UnknownTag = Unknown.tag;

/** Any object of JSON. */
export type JSONObject = { [member: string]: unknown };

/** What the CLI alone sends, and the SDK alone, in the words of the schemas. */
export type Direction = "cli-to-sdk" | "sdk-to-cli" | "both";
`

// A writer writes declarations.
type writer struct {
	*sending
	out []byte
}

func (w *writer) printf(format string, args ...any) { w.out = fmt.Appendf(w.out, format, args...) }

// declare writes a type: as it is read, or, if send is set, as an SDK writes it.
func (w *writer) declare(t *model.Type, send bool) {
	name := w.name(t, send)
	doc := t.Doc
	if send && name != t.Name {
		doc = fmt.Sprintf("%s This is %s as an SDK writes it.", doc, t.Name)
	}
	w.printf("\n")
	w.doc("", doc, sentence(t.History))
	switch {
	case t.Struct != nil && len(t.Struct.Members) == 0 && send:
		w.printf("export type %s = { [member: string]: never };\n", name)
	case t.Struct != nil:
		w.printf("export interface %s {\n", name)
		w.members(t, send)
		w.printf("}\n")
	default:
		w.printf("export type %s =%s;\n", name, w.alternatives(t, send))
	}
}

// members writes the members of an object. One that is read may have others, too; so may one of an
// unknown type.
func (w *writer) members(t *model.Type, send bool) {
	unknown := w.unknown[t]
	for _, m := range t.Struct.Members {
		history, end := m.History, ""
		if m.Legacy {
			end = "@deprecated Older peers send it."
		}
		w.doc("  ", m.Doc, history, end)
		value, optional := w.expr(m.Value, send), ""
		if m.Name == unknown {
			value = "UnknownTag"
		}
		if !m.Required && !(send && m.Send) {
			optional = "?"
			if send {
				value += " | undefined"
			}
		}
		w.member(key(m.Name)+optional, value)
	}
	if !send || unknown != "" {
		w.printf("  /** What this version of the package does not know. */\n  [member: string]: unknown;\n")
	}
}

// member writes a member, with each alternative on a line of its own if there are many.
func (w *writer) member(name, value string) {
	line := fmt.Sprintf("  %s: %s;\n", name, value)
	if len(line) > 100 && !strings.HasSuffix(value, "]") && !strings.HasSuffix(value, "}") {
		line = fmt.Sprintf("  %s:\n    | %s;\n", name, strings.ReplaceAll(value, " | ", "\n    | "))
	}
	w.out = append(w.out, line...)
}

// alternatives returns what a type that is no object is, on lines of their own if there are many.
func (w *writer) alternatives(t *model.Type, send bool) string {
	var list []string
	switch {
	case t.Union != nil:
		for _, a := range t.Union.Arms {
			if !a.Legacy && !a.Type.Legacy {
				list = append(list, w.name(a.Type, send))
			}
		}
	case t.Enum != nil:
		list = values(t.Enum, "(string & {})")
	case t.Choice != nil:
		for _, e := range t.Choice {
			list = append(list, w.expr(e, send))
		}
	default:
		return " " + w.expr(t.Alias, send)
	}
	if text := " " + strings.Join(list, " | "); len(text) <= 80 {
		return text
	}
	return "\n  | " + strings.Join(list, "\n  | ")
}

// values returns the known values of a string, and what stands for others.
func values(e *model.Enum, other string) (list []string) {
	for _, v := range e.Values {
		list = append(list, strconv.Quote(v))
	}
	if !e.Closed {
		list = append(list, other)
	}
	return list
}

var plain = map[model.Kind]string{
	model.String: "string", model.Bool: "boolean", model.Int: "number", model.Number: "number",
	model.Any: "unknown", model.Object: "JSONObject",
}

// expr returns what a value may be.
func (w *writer) expr(e *model.Expr, send bool) (text string) {
	switch e.Kind {
	case model.Const:
		text = strconv.Quote(e.Const)
	case model.List:
		text = w.expr(e.Elem, send)
		if strings.Contains(text, "|") {
			text = "(" + text + ")"
		}
		text += "[]"
	case model.Map:
		text = "{ [name: string]: " + w.expr(e.Elem, send) + " }"
	case model.Ref:
		switch {
		case e.Type.Inline && e.Except != nil:
			text = strings.Join(values(e.Type.Enum, "UnknownTag"), " | ")
		case e.Type.Inline:
			text = strings.TrimPrefix(strings.ReplaceAll(w.alternatives(e.Type, send), "\n  |", " |"), " ")
			text = strings.TrimPrefix(text, "| ")
		default:
			text = w.name(e.Type, send)
		}
	default:
		text = plain[e.Kind]
	}
	if e.Nullable && text != "unknown" {
		text += " | null"
	}
	return text
}

// key returns the name of a member as a literal of an object has it.
func key(name string) string {
	plain := name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	})
	if plain && (name[0] < '0' || name[0] > '9') {
		return name
	}
	return strconv.Quote(name)
}

// sentence makes "seen since 1.0.59" a sentence.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// doc writes a comment of paragraphs, if there are any.
func (w *writer) doc(indent string, paragraphs ...string) {
	paragraphs = slices.DeleteFunc(paragraphs, func(p string) bool { return p == "" })
	if len(paragraphs) == 0 {
		return
	}
	text := strings.ReplaceAll(strings.Join(paragraphs, "\n\n"), "*/", "*\\/")
	if len(paragraphs) == 1 && len(indent)+len(text) < 92 && !strings.Contains(text, "\n") {
		w.printf("%s/** %s */\n", indent, text)
		return
	}
	w.printf("%s/**\n", indent)
	for _, line := range strings.Split(text, "\n") {
		for _, part := range wrap(line, 96-len(indent)) {
			w.printf("%s\n", strings.TrimRight(indent+" * "+part, " "))
		}
	}
	w.printf("%s */\n", indent)
}

// wrap breaks a line into lines of at most width bytes, at spaces.
func wrap(line string, width int) (lines []string) {
	for len(line) > width {
		at := strings.LastIndexByte(line[:width+1], ' ')
		if at <= 0 {
			break
		}
		lines, line = append(lines, line[:at]), line[at+1:]
	}
	return append(lines, line)
}
