package pypi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/packages/model"
)

const shapesHeading = `"""What values are made of, for _read.py.

An expression is text, or a tuple:
    str bool int num any obj   a kind of JSON; any is any value, obj any object
    =TEXT                      this string
    @NAME                      a shape
    ("[", E) ("{", E)          a list of E, an object whose members are E
    ("!", E, VALUES)           E, but none of these strings
    ("?", E)                   E or null
"""

from typing import Any

`

// shapes returns the table that readers check values by.
func shapes(m *model.Model) []byte {
	var out bytes.Buffer
	out.WriteString(shapesHeading)
	out.WriteString("# By name. A struct has required and other members, and of a legacy shape the members of which one\n" +
		"# is missing, and the patch that makes the modern form. A union has its tag, its arms (the name, the\n" +
		"# values of the tag, and how the arm is chosen), and what tags of older peers stand for.\n" +
		"SHAPES: dict[str, tuple[Any, ...]] = {\n")
	for _, t := range m.Types {
		fmt.Fprintf(&out, "    %q: %s,\n", t.Name, shape(t))
	}
	subtypes := make([]string, len(m.Requests))
	for i, r := range m.Requests {
		subtypes[i] = r.Subtype
	}
	fmt.Fprintf(&out, "}\n\nREQUESTS = frozenset(%s)\n", stringTuple(subtypes))
	out.WriteString("\n# By subtype: what the answer to a request holds.\nRESPONSES: dict[str, Any] = {\n")
	for _, r := range m.Requests {
		if r.Response != nil {
			fmt.Fprintf(&out, "    %q: %s,\n", r.Subtype, code(r.Response))
		}
	}
	out.WriteString("}\n\n# By event: what hookSpecificOutput holds.\nHOOK_OUTPUTS: dict[str, Any] = {\n")
	for _, h := range m.Hooks {
		if h.Output != nil {
			fmt.Fprintf(&out, "    %q: %q,\n", h.Event, "@"+h.Output.Name)
		}
	}
	out.WriteString("}\n")
	tools := func(name string, of func(*model.Tool) *model.Expr) {
		fmt.Fprintf(&out, "\n%s: dict[str, Any] = {\n", name)
		for _, t := range m.Tools {
			for _, name := range t.Names {
				if e := of(t); e != nil {
					fmt.Fprintf(&out, "    %q: %s,\n", name, code(e))
				}
			}
		}
		out.WriteString("}\n")
	}
	tools("TOOL_INPUTS", input)
	tools("TOOL_RESULTS", result)
	return out.Bytes()
}

func input(t *model.Tool) *model.Expr  { return t.Input }
func result(t *model.Tool) *model.Expr { return t.Result }

// shape returns the row of a type. What is for one direction is checked as what is for both.
func shape(t *model.Type) string {
	switch {
	case t.Base != nil:
		return tuple("alias", strconv.Quote("@"+t.Base.Name))
	case t.Struct != nil:
		return structShape(t.Struct)
	case t.Union != nil:
		arms := make([]string, len(t.Union.Arms))
		for i, a := range t.Union.Arms {
			arms[i] = "(" + strings.Join([]string{strconv.Quote(a.Type.Name), stringTuple(a.Values), strconv.Quote(chosen(a))}, ", ") + ")"
		}
		parts := []string{strconv.Quote(t.Union.Tag), "(" + strings.Join(arms, ", ") + ",)"}
		if legacy := legacyTags(t.Union); legacy != "" {
			parts = append(parts, "{"+legacy+"}")
		}
		return tuple("union", parts...)
	case t.Enum != nil && t.Enum.Closed:
		return tuple("enum", stringTuple(t.Enum.Values))
	case t.Enum != nil:
		return tuple("alias", `"str"`)
	case t.Alias != nil:
		return tuple("alias", code(t.Alias))
	}
	arms := make([]string, len(t.Choice))
	for i, e := range t.Choice {
		arms[i] = code(e)
	}
	return tuple("choice", "("+strings.Join(arms, ", ")+",)")
}

// chosen says which objects an arm is for beside those with its tag.
func chosen(a *model.Arm) string {
	switch {
	case a.Legacy:
		return "legacy"
	case a.Open, a.Unknown:
		return "other"
	}
	return ""
}

// legacyTags returns the tags that another stands for.
func legacyTags(u *model.Union) string {
	var rows []string
	for _, tag := range u.Legacy {
		if tag.Modern != "" {
			rows = append(rows, strconv.Quote(tag.Tag)+": "+strconv.Quote(tag.Modern))
		}
	}
	return strings.Join(rows, ", ")
}

func structShape(s *model.Struct) string {
	var required, optional []string
	for _, m := range s.Members {
		row := strconv.Quote(m.Name) + ": " + code(m.Value)
		if m.Required {
			required = append(required, row)
		} else {
			optional = append(optional, row)
		}
	}
	parts := []string{"{" + strings.Join(required, ", ") + "}", "{" + strings.Join(optional, ", ") + "}"}
	if s.Lacks != nil || s.Modern != nil {
		patch, err := json.Marshal(s.Modern)
		if err != nil {
			panic(err) // it is a part of a schema, which was JSON
		}
		parts = append(parts, stringTuple(s.Lacks), strconv.Quote(string(patch)))
	}
	return tuple("struct", parts...)
}

var codes = map[model.Kind]string{
	model.String: "str", model.Bool: "bool", model.Int: "int", model.Number: "num", model.Any: "any", model.Object: "obj",
}

// code returns an expression in the form of the table.
func code(e *model.Expr) string {
	var out string
	switch e.Kind {
	case model.Const:
		out = strconv.Quote("=" + e.Const)
	case model.List:
		out = tuple("[", code(e.Elem))
	case model.Map:
		out = tuple("{", code(e.Elem))
	case model.Ref:
		out = strconv.Quote("@" + e.Type.Name)
		if e.Type.Enum != nil && !e.Type.Enum.Closed {
			out = `"str"`
		}
	default:
		out = strconv.Quote(codes[e.Kind])
	}
	if e.Except != nil {
		out = tuple("!", out, stringTuple(e.Except))
	}
	if e.Nullable {
		out = tuple("?", out)
	}
	return out
}

func tuple(kind string, parts ...string) string {
	return "(" + strconv.Quote(kind) + ", " + strings.Join(parts, ", ") + ")"
}

func stringTuple(values []string) string {
	if len(values) == 0 {
		return "()"
	}
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = strconv.Quote(v)
	}
	return "(" + strings.Join(quoted, ", ") + ",)"
}
