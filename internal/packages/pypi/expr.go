package pypi

import (
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/packages/model"
)

// annotation returns an expression as a Python type.
func annotation(e *model.Expr) string {
	out := bare(e)
	if e.Nullable && out != "Any" {
		out += " | None"
	}
	return out
}

var plain = map[model.Kind]string{
	model.String: "str", model.Bool: "bool", model.Int: "int", model.Number: "float",
	model.Any: "Any", model.Object: "dict[str, Any]",
}

func bare(e *model.Expr) string {
	if e.Content != nil {
		return annotation(e.Content)
	}
	switch e.Kind {
	case model.Const:
		return literal([]string{e.Const})
	case model.List:
		return "list[" + annotation(e.Elem) + "]"
	case model.Map:
		return "dict[str, " + annotation(e.Elem) + "]"
	case model.String:
		if e.Except != nil {
			return unknown
		}
	case model.Ref:
		if e.Except != nil && e.Type.Enum != nil {
			return literal(e.Type.Enum.Values) + " | " + unknown
		}
		if !e.Type.Inline {
			return e.Type.Name
		}
		return definition(e.Type)
	}
	return plain[e.Kind]
}

// definition returns what a type that is no class stands for.
func definition(t *model.Type) string {
	switch {
	case t.Enum != nil && t.Enum.Closed:
		return literal(t.Enum.Values)
	case t.Enum != nil:
		return literal(t.Enum.Values) + " | str"
	case t.Alias != nil:
		return annotation(t.Alias)
	case t.Union != nil:
		var arms []string
		for _, a := range t.Union.Arms {
			if !a.Legacy {
				arms = append(arms, a.Type.Name)
			}
		}
		return strings.Join(arms, " | ")
	}
	arms := make([]string, len(t.Choice))
	for i, e := range t.Choice {
		arms[i] = annotation(e)
	}
	return strings.Join(arms, " | ")
}

func literal(values []string) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = strconv.Quote(v)
	}
	return "Literal[" + strings.Join(quoted, ", ") + "]"
}

// uses returns the types that a type names.
func uses(t *model.Type) (list []*model.Type) {
	add := func(e *model.Expr) {
		for ; e != nil; e = e.Elem {
			if e.Kind == model.Ref && e.Type.Inline {
				list = append(list, uses(e.Type)...)
			} else if e.Kind == model.Ref {
				list = append(list, e.Type)
			}
		}
	}
	add(t.Alias)
	for _, e := range t.Choice {
		add(e)
	}
	if t.Struct != nil {
		for _, m := range t.Struct.Members {
			add(m.Value)
		}
	}
	if t.Union != nil {
		for _, a := range t.Union.Arms {
			if !a.Legacy {
				list = append(list, a.Type)
			}
		}
	}
	return list
}

// hidden returns the legacy shapes that no type names: readers make something else of them.
func hidden(m *model.Model) map[*model.Type]bool {
	out := map[*model.Type]bool{}
	var show func(t *model.Type)
	show = func(t *model.Type) {
		delete(out, t)
		for _, other := range uses(t) {
			if out[other] {
				show(other)
			}
		}
	}
	for _, t := range m.Types {
		out[t] = t.Legacy
	}
	for _, t := range m.Types {
		if !t.Legacy {
			show(t)
		}
	}
	return out
}
