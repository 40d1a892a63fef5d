package pypi

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/packages/model"
)

// unknown is the type of a tag that no arm has. It is a literal that no tag equals, so that a
// comparison with a known tag takes the arm out of the union.
const unknown = "Unknown"

const heading = `"""The types of lines and of their parts.

Values are plain dicts, lists, strings and numbers: a TypedDict says what is in them. Each class has
the name of its schema. A line may have more members than its type, and a string with known values
may have others.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

Unknown: TypeAlias = Literal["(unknown)"]
"""The tag of what this version of ccwire does not know.

At run time it is the tag as it was written, never "(unknown)". A comparison with any known tag
narrows a union to that arm, and what is left in the end has this one.
"""
`

// taken are the names that the file has for itself.
var taken = []string{"Any", "Literal", "NotRequired", "TypeAlias", "TypedDict", unknown}

// types returns the file with the types: classes first, in the order of the model, then what they
// are joined to.
func types(m *model.Model) ([]byte, error) {
	w := &typeWriter{done: hidden(m)}
	w.out.WriteString(heading)
	for _, t := range m.Types {
		if slices.Contains(taken, t.Name) {
			return nil, fmt.Errorf("the file of types uses the name %s", t.Name)
		}
		if t.Struct != nil && !w.done[t] {
			w.class(t)
		}
	}
	for _, t := range m.Types {
		w.alias(t)
	}
	return w.out.Bytes(), nil
}

// typeWriter writes types.
type typeWriter struct {
	out  bytes.Buffer
	done map[*model.Type]bool // those that are hidden, and aliases that are written
}

// class writes an object. Members whose names are no identifiers are in a base of its own.
func (w *typeWriter) class(t *model.Type) {
	base := "TypedDict"
	var odd, members []*model.Member
	for _, m := range t.Struct.Members {
		switch {
		case m.Legacy:
		case isIdentifier(m.Name):
			members = append(members, m)
		default:
			odd = append(odd, m)
		}
	}
	if odd != nil {
		base = "_" + t.Name
		fmt.Fprintf(&w.out, "\n\n%s = TypedDict(\n    %q,\n    {\n", base, base)
		for _, m := range odd {
			for _, line := range wrap("        # ", join(m.Doc, m.History)) {
				w.out.WriteString(line + "\n")
			}
			fmt.Fprintf(&w.out, "        %q: %s,\n", m.Name, strconv.Quote(memberType(t, m)))
		}
		w.out.WriteString("    },\n)\n")
	}
	fmt.Fprintf(&w.out, "\n\nclass %s(%s):\n", t.Name, base)
	w.doc("    ", sentence(t))
	if len(members) > 0 {
		w.out.WriteByte('\n')
	}
	for _, m := range members {
		fmt.Fprintf(&w.out, "    %s: %s\n", m.Name, memberType(t, m))
		if doc := join(m.Doc, m.History); doc != "" {
			w.doc("    ", doc)
		}
	}
}

// memberType returns the type of a member. What the SDK must send is required in what the SDK
// sends, though a reader does not insist.
func memberType(t *model.Type, m *model.Member) string {
	value := annotation(m.Value)
	if m.Required || m.Send && t.Direction == model.SDK {
		return value
	}
	return "NotRequired[" + value + "]"
}

// alias writes a type that is no class, after those that it names.
func (w *typeWriter) alias(t *model.Type) {
	if t.Struct != nil || t.Inline || w.done[t] {
		return
	}
	w.done[t] = true
	for _, other := range uses(t) {
		w.alias(other)
	}
	fmt.Fprintf(&w.out, "\n%s: TypeAlias = %s\n", t.Name, definition(t))
	w.doc("", sentence(t))
}

// sentence returns what is said of a type.
func sentence(t *model.Type) string {
	history := t.History
	if history != "" {
		history = strings.ToUpper(history[:1]) + history[1:] + "."
	}
	if doc := join(t.Doc, history); doc != "" {
		return doc
	}
	return t.Definition
}

func join(doc, history string) string { return strings.TrimSpace(doc + " " + history) }

// doc writes a docstring.
func (w *typeWriter) doc(indent, text string) {
	text = strings.NewReplacer(`\`, `\\`, `"""`, `\"\"\"`).Replace(text)
	if strings.HasSuffix(text, `"`) {
		text = text[:len(text)-1] + `\"`
	}
	const quotes = `"""`
	lines := wrap(indent, quotes+text)
	w.out.WriteString(strings.Join(lines, "\n"))
	if len(lines) > 1 {
		w.out.WriteString("\n" + indent)
	}
	w.out.WriteString(quotes + "\n")
}

// wrap breaks a text into lines that begin with indent.
func wrap(indent, text string) (lines []string) {
	const width = 97 // leaves room for the quotes
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = indent + word
		case len(line)+1+len(word) > width:
			lines = append(lines, line)
			line = indent + word
		default:
			line += " " + word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// keywords are the words of Python that are no names.
var keywords = strings.Fields(`False None True and as assert async await break class continue def del elif else except
	finally for from global if import in is lambda nonlocal not or pass raise return try while with yield`)

func isIdentifier(name string) bool {
	for i, c := range name {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	// A name that begins with two underscores is another one inside a class.
	return name != "" && !strings.HasPrefix(name, "__") && !slices.Contains(keywords, name)
}
