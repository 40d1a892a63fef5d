package crate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/packages/model"
	"github.com/ccwire/ccwire/schema"
)

// table writes what a type is on the wire.
func (g *generator) table(f *file, t *model.Type) error {
	switch {
	case t.Struct != nil:
		g.objectTable(f, t)
	case t.Union != nil:
		return g.unionTable(f, t)
	case t.Choice != nil:
		return g.choiceTable(f, t)
	}
	return nil
}

func (g *generator) objectTable(f *file, t *model.Type) {
	f.printf("\nobjects! { %s {\n", g.path(t))
	for _, m := range t.Struct.Members {
		switch {
		case m.Value.Kind == model.Const:
			f.printf("    tag %q %q;\n", m.Name, m.Value.Const)
		case m.Value.Except != nil:
			f.printf("    except %q &[%s];\n", m.Name, quoted(m.Value.Except, ", "))
		}
	}
	if lacks := t.Struct.Lacks; lacks != nil {
		f.printf("    lacks %q &[%s];\n", lacks[0], quoted(lacks, ", "))
	}
	f.printf("    [\n")
	for _, m := range t.Struct.Members {
		if m.Value.Kind == model.Const {
			continue
		}
		how := "optional"
		if m.Required {
			how = "required"
		}
		f.printf("    %s %q %s;\n", how, m.Name, fieldName(t.Struct, m))
	}
	f.printf("    ]\n} }\n")
}

func (g *generator) unionTable(f *file, t *model.Type) error {
	f.printf("\nunions! { %s %q {\n", typeName(t), t.Union.Tag)
	var open, unknown, legacy string
	var known []string
	for _, a := range t.Union.Arms {
		switch {
		case a.Unknown:
			unknown = fmt.Sprintf("    unknown %s;\n", g.path(a.Type))
		case a.Legacy:
			text, err := g.legacy(t.Union, a.Type)
			if err != nil {
				return err
			}
			legacy += text
		case a.Open:
			open = fmt.Sprintf("    open %s(%s);\n", armName(t, a), g.path(a.Type))
		default:
			known = append(known, a.Values...)
			f.printf("    %s => %s(%s);\n", quoted(a.Values, " | "), armName(t, a), g.path(a.Type))
		}
	}
	if t.Base != nil {
		for _, a := range t.Base.Union.Arms {
			if !a.Legacy && !a.Unknown && !slices.Contains(known, a.Values[0]) {
				f.printf("    keep %s => %s;\n", quoted(a.Values, " | "), g.path(a.Type))
			}
		}
	}
	f.printf("%s%s", open, unknown)
	for _, l := range t.Union.Legacy {
		if l.Modern != "" {
			f.printf("    older %q => %q;\n", l.Tag, l.Modern)
		}
	}
	f.printf("%s} }\n", legacy)
	return nil
}

// legacy returns the row for a legacy arm: what can be one, and how it becomes its modern form.
func (g *generator) legacy(u *model.Union, t *model.Type) (string, error) {
	inside, lacks := "", []string{u.Tag}
	var steps []schema.PatchOp
	if t.Struct != nil {
		inside, lacks = missing(t.Struct)
		steps = t.Struct.Modern
	}
	if lacks == nil {
		return "", fmt.Errorf("nothing tells %s apart", t.Name)
	}
	modern := "|_| None"
	if steps != nil {
		modern = "|mut node| {"
		for _, s := range steps {
			switch s.Op {
			case "move":
				modern += fmt.Sprintf(" node.shift(&[%s], &[%s]);", pointer(s.From), pointer(s.Path))
			case "add":
				modern += fmt.Sprintf(" node.put(&[%s], parse(%s).ok()?);", pointer(s.Path), rustString(string(s.Value)))
			default:
				return "", fmt.Errorf("%s: a step %q", t.Name, s.Op)
			}
		}
		modern += " Some(node) }"
	}
	return fmt.Sprintf("    legacy %q [%s] %s => %s;\n", inside, quoted(lacks, " "), g.path(t), modern), nil
}

// missing returns what an object of a legacy shape lacks, or what the member inside of it does.
func missing(s *model.Struct) (inside string, lacks []string) {
	if s.Lacks != nil {
		return "", s.Lacks
	}
	for _, m := range s.Members {
		if m.Value.Type != nil && m.Value.Type.Struct != nil && m.Value.Type.Struct.Lacks != nil {
			return m.Name, m.Value.Type.Struct.Lacks
		}
	}
	return "", nil
}

func (g *generator) choiceTable(f *file, t *model.Type) error {
	f.printf("\nchoices! { %s, %s {\n", g.path(t), choiceName(t, t.Choice[0]))
	for _, e := range t.Choice {
		text, err := expr(e, g.path)
		if err != nil {
			return err
		}
		f.printf("    %s => %s(%s);\n", node(e), choiceName(t, e), text)
	}
	f.printf("} }\n")
	if t.Choice[0].Kind == model.String || t.Choice[len(t.Choice)-1].Kind == model.String {
		f.printf("\nimpl From<&str> for %s {\n    fn from(text: &str) -> Self {\n        Self::Text(text.to_string())\n    }\n}\n", g.path(t))
	}
	return nil
}

// node returns the pattern for the kind of JSON that an expression is.
func node(e *model.Expr) string {
	switch e.Kind {
	case model.String:
		return "Node::String(_)"
	case model.Bool:
		return "Node::Bool(_)"
	case model.Int, model.Number:
		return "Node::Number(_)"
	case model.List:
		return "Node::List(_)"
	case model.Ref:
		switch {
		case e.Type.Enum != nil:
			return "Node::String(_)"
		case e.Type.Alias != nil:
			return node(e.Type.Alias)
		}
	}
	return "Node::Object(_)"
}

// calls writes what goes together but does not refer to each other.
func (g *generator) calls(f *file) {
	of := func(e *model.Expr, none string) string {
		if e == nil {
			return none
		}
		return g.path(e.Type)
	}
	for _, r := range g.model.Requests {
		f.printf("\nimpl Request for %s {\n    const SUBTYPE: &'static str = %q;\n    type Response = %s;\n}\n",
			g.path(r.Request), r.Subtype, of(r.Response, "Option<Value>"))
	}
	for _, h := range g.model.Hooks {
		output := "Option<Value>"
		if h.Output != nil {
			output = g.path(h.Output)
		}
		f.printf("\nimpl Hook for %s {\n    const EVENT: &'static str = %q;\n    type Output = %s;\n}\n", g.path(h.Input), h.Event, output)
	}
	for _, t := range g.model.Tools {
		if t.Input != nil && t.Input.Type != nil && t.Input.Type.Alias == nil {
			f.printf("\nimpl Tool for %s {\n    const NAMES: &'static [&'static str] = &[%s];\n    type Result = %s;\n}\n",
				g.path(t.Input.Type), quoted(t.Names, ", "), of(t.Result, "Value"))
		}
	}
}

func quoted(list []string, between string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = rustString(s)
	}
	return strings.Join(out, between)
}

// pointer returns the steps of a JSON pointer.
func pointer(p string) string {
	if p == "" {
		return ""
	}
	return quoted(strings.Split(p[1:], "/"), ", ")
}

func rustString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
