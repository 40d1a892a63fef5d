package vendoring

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/generator"
	"github.com/ccwire/ccwire/internal/near"
	"github.com/ccwire/ccwire/schema"
)

// Areas returns what Options.Only may name.
func Areas() []string { return generator.Areas(schema.Files()) }

// checkChoice rejects areas and parts that do not exist, or that exclude each other.
func checkChoice(only, with []string) error {
	for _, area := range only {
		if err := checkName("area", area, Areas()); err != nil {
			return err
		}
	}
	for _, part := range with {
		if err := checkName("part", part, Parts); err != nil {
			return err
		}
	}
	if len(only) > 0 && slices.Contains(with, transport) {
		return fmt.Errorf("transport needs the types of all areas: leave out --only, or --with %s", transport)
	}
	return nil
}

// checkName rejects a name that is not in a list, and says which ones are near.
func checkName(what, name string, list []string) error {
	if slices.Contains(list, name) {
		return nil
	}
	hint := ""
	if near := near.Words(name, list); len(near) > 0 {
		hint = "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return fmt.Errorf("there is no %s %q%s (there is %s)", what, name, hint, strings.Join(list, ", "))
}

// handwritten are the files of gen/wire that need generated types, and what replaces each where a
// subset lacks one of them; nothing if nobody else needs it.
var handwritten = []struct{ file, needs, instead string }{
	{"assistant.go", "Assistant TextBlock", ""},
	{"content.go", "TextBlock", ""},
	{"hook.go", "UnknownHookInput", ""},
	{"mcp.go", "MCPMessage MCPMessageRequest MCPMessageResponse", ""},
	{"mold.go", "StreamEvent", noMolds},
	{"permission.go", "CanUseToolRequest", ""},
	{"result.go", "ResultError ResultSuccess", ""},
	{"tool.go", "UnknownToolInput", ""},
	{"user.go", "User", ""},
}

const noMolds = `package wire

// molds remember the pieces of a reply. This copy has no type for these.
type molds struct{}

func (*molds) read([]byte, *Options) Frame { return nil }

func (*molds) learn([]byte, Frame) {}
`

// subset returns the files of gen/wire for some areas: what is generated for them, and the
// hand-written ones that fit it.
func subset(files map[string][]byte, areas []string) (map[string][]byte, error) {
	out, err := generator.GenerateOnly(schema.Files(), areas)
	if err != nil {
		return nil, err
	}
	declared := func(name string) bool {
		for _, text := range out {
			if bytes.Contains(text, []byte("\ntype "+name+" struct {")) {
				return true
			}
		}
		return false
	}
	lacks := map[string]string{} // what to have instead, by file
	for _, h := range handwritten {
		if !slices.ContainsFunc(strings.Fields(h.needs), func(name string) bool { return !declared(name) }) {
			continue
		}
		lacks[h.file] = h.instead
	}
	for name := range out {
		if strings.HasSuffix(name, "_test.go") {
			delete(out, name)
		}
	}
	for name, text := range files {
		if strings.HasSuffix(name, "_gen.go") {
			continue
		}
		if instead, ok := lacks[name]; ok {
			text = []byte(instead)
		}
		if len(text) > 0 {
			out[name] = text
		}
	}
	if doc, ok := out["doc.go"]; ok {
		out["doc.go"] = bytes.Replace(doc, []byte("\npackage "), []byte(areasDoc(areas)+"\npackage "), 1)
	}
	return out, nil
}

// areasNote is the end of the package comment of a subset, for the names of its areas.
const areasNote = `
//
// # Areas
//
// This copy has types for these areas of the schemas, and for what they need:
// %s.
// Everything else on the wire arrives as the Unknown arm of its union, which keeps it as it is.
`

func areasDoc(areas []string) string {
	sorted := slices.Compact(slices.Sorted(slices.Values(areas)))
	return strings.TrimSuffix(fmt.Sprintf(areasNote, strings.Join(sorted, ", ")), "\n")
}
