package npm

import (
	"strings"

	"github.com/ccwire/ccwire/internal/packages/model"
)

// maps writes the interfaces that say what belongs together, and Types, which names all types.
func (w *writer) maps(m *model.Model) {
	w.printf("\n/** Each control request by its subtype, with what a success answers and who sends it. */\n")
	w.printf("export interface Requests {\n")
	for _, r := range m.Requests {
		response := "undefined"
		if r.Response != nil {
			response = w.expr(r.Response, r.Direction != model.SDK)
		}
		w.doc("  ", r.Request.Doc)
		w.printf("  %s: { request: %s; response: %s; direction: %q };\n", key(r.Subtype), w.name(r.Request, r.Direction == model.SDK), response, r.Direction)
	}
	w.printf("}\n\n/** Each hook event, with what a hook is told and what it may answer in `hookSpecificOutput`. */\n")
	w.printf("export interface Hooks {\n")
	for _, h := range m.Hooks {
		output := "undefined"
		if h.Output != nil {
			output = w.name(h.Output, true)
		}
		w.doc("  ", h.Input.Doc)
		w.printf("  %s: { input: %s; output: %s };\n", key(h.Event), h.Input.Name, output)
	}
	w.printf("}\n\n/** Each built-in tool by its name, with what lines carry as any JSON. */\n")
	w.printf("export interface Tools {\n")
	for _, t := range m.Tools {
		for i, name := range t.Names {
			if i > 0 {
				w.printf("  /** @deprecated The tool is called %s today. */\n", t.Names[0])
			}
			w.printf("  %s: { input: %s; result: %s };\n", key(name), w.orUnknown(t.Input), w.orUnknown(t.Result))
		}
	}
	w.printf("}\n\n/** Each type by its name, for `check`. */\nexport interface Types {\n")
	for _, t := range m.Types {
		if !t.Inline && !t.Legacy {
			w.printf("  %s: %s;\n", t.Name, t.Name)
		}
	}
	w.printf("}\n")
}

func (w *writer) orUnknown(e *model.Expr) string {
	if e == nil {
		return "unknown"
	}
	return strings.TrimSpace(w.expr(e, false))
}
