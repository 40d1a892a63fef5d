package crate

import (
	"fmt"

	"github.com/ccwire/ccwire/internal/packages/model"
)

const derived = "#[derive(Clone, Debug)]\n"

// declare writes a type as a person reads it.
func (g *generator) declare(f *file, t *model.Type) error {
	f.printf("\n")
	if t.Enum != nil {
		return g.enum(f, t)
	}
	f.doc("", t.Doc, sentence(t.History))
	switch {
	case t.Struct != nil:
		return g.structure(f, t)
	case t.Union != nil:
		return g.union(f, t)
	case t.Alias != nil:
		text, err := expr(t.Alias, typeName)
		f.printf("pub type %s = %s;\n", typeName(t), text)
		return err
	}
	f.printf("%spub enum %s {\n", derived, typeName(t))
	for _, e := range t.Choice {
		text, err := expr(e, typeName)
		if err != nil {
			return err
		}
		f.printf("    %s(%s),\n", choiceName(t, e), text)
	}
	f.printf("}\n")
	return nil
}

func (g *generator) structure(f *file, t *model.Type) error {
	f.printf("#[derive(Clone, Debug, Default)]\npub struct %s {\n", typeName(t))
	seen := taken{"extra": "extra"}
	for _, m := range t.Struct.Members {
		if m.Value.Kind == model.Const {
			if !m.Required {
				return fmt.Errorf("member %q: a constant that may be absent", m.Name)
			}
			continue
		}
		if err := seen.add(fieldName(t.Struct, m), m.Name); err != nil {
			return err
		}
		text, err := expr(m.Value, typeName)
		if err != nil {
			return fmt.Errorf("member %q: %w", m.Name, err)
		}
		if m.Value.Kind == model.Ref && g.holds(m.Value.Type, t) {
			text = "Box<" + text + ">"
		}
		if !m.Required {
			text = "Option<" + text + ">"
		}
		f.doc("    ", m.Doc, m.History)
		f.printf("    pub %s: %s,\n", fieldName(t.Struct, m), text)
	}
	f.printf("    /// All other members.\n    pub extra: Map<String, Value>,\n}\n")
	return nil
}

func (g *generator) union(f *file, t *model.Type) error {
	f.printf("%s#[allow(clippy::large_enum_variant)]\n#[non_exhaustive]\npub enum %s {\n", derived, typeName(t))
	seen := taken{"Unknown": "unknown"}
	for _, a := range t.Union.Arms {
		if a.Legacy || a.Unknown {
			continue
		}
		if err := seen.add(armName(t, a), a.Type.Name); err != nil {
			return err
		}
		f.printf("    %s(%s),\n", armName(t, a), typeName(a.Type))
	}
	f.printf("    /// An object whose `%s` is not known.\n    Unknown(Value),\n}\n", t.Union.Tag)
	return nil
}

func (g *generator) enum(f *file, t *model.Type) error {
	f.printf("strings! {\n")
	f.doc("    ", t.Doc, sentence(t.History))
	f.printf("    %s {\n", typeName(t))
	seen := taken{}
	for _, v := range t.Enum.Values {
		if variant(v) == "Other" {
			continue
		}
		if err := seen.add(variant(v), v); err != nil {
			return err
		}
		f.printf("        %s = %q,\n", variant(v), v)
	}
	f.printf("    }\n}\n")
	return nil
}

// holds reports whether a value of type t has one of type inner in itself, not in a list.
func (g *generator) holds(t, inner *model.Type) bool {
	seen := map[*model.Type]bool{}
	var in func(t *model.Type) bool
	in = func(t *model.Type) bool {
		if t == inner {
			return true
		}
		if seen[t] {
			return false
		}
		seen[t] = true
		var parts []*model.Expr
		switch {
		case t.Struct != nil:
			for _, m := range t.Struct.Members {
				parts = append(parts, m.Value)
			}
		case t.Union != nil:
			for _, a := range t.Union.Arms {
				if !a.Legacy && !a.Unknown && in(a.Type) {
					return true
				}
			}
		case t.Alias != nil:
			parts = append(parts, t.Alias)
		default:
			parts = t.Choice
		}
		for _, e := range parts {
			if e.Kind == model.Ref && in(e.Type) {
				return true
			}
		}
		return false
	}
	return in(t)
}
