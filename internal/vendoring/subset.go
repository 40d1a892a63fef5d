package vendoring

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/generator"
	"github.com/ccwire/ccwire/internal/near"
	"github.com/ccwire/ccwire/schema"
)

// Areas returns the areas of the schemas, which Options.Only may name.
func Areas() []string { return generator.Areas(schema.Files()) }

// Names returns the names of types that Options.Only may have besides areas.
func Names() ([]string, error) { return generator.Names(schema.Files()) }

// checkChoice rejects types and parts that do not exist, or that exclude each other.
func checkChoice(only, with []string) error {
	if len(only) > 0 {
		names, err := Names()
		if err != nil {
			return err
		}
		for _, name := range only {
			if err := checkType(strings.TrimPrefix(name, "-"), names); err != nil {
				return err
			}
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

// sharedArea is the folder of what several areas have. It is no area, but its types have names.
const sharedArea = "shared"

// choiceOf splits names into those of what to have and, with a minus, of what to leave out.
func choiceOf(only []string, recorded bool) generator.Choice {
	c := generator.Choice{Recorded: recorded}
	for _, name := range only {
		if left, ok := strings.CutPrefix(name, "-"); ok {
			c.Without = append(c.Without, left)
		} else {
			c.Names = append(c.Names, name)
		}
	}
	return c
}

// checkType rejects the name of a type, or a pattern, that no type has.
func checkType(name string, names []string) error {
	if name != sharedArea && slices.ContainsFunc(names, func(known string) bool { return generator.Matches(name, known) }) {
		return nil
	}
	area, _, deep := strings.Cut(name, "/")
	switch {
	case deep && (slices.Contains(Areas(), area) || area == sharedArea):
		hint := "protogen vendor --names lists them"
		if words := near.Words(name, names); len(words) > 0 {
			hint = "did you mean " + strings.Join(words, " or ") + "?"
		}
		return fmt.Errorf("there is no type %q: %s", name, hint)
	case deep:
		return noName("area", area, near.Words(area, Areas()), Areas())
	}
	words := near.Words(name, Areas())
	if len(words) == 0 { // a type without its area
		words = slices.DeleteFunc(slices.Clone(names), func(known string) bool { return !strings.EqualFold(path.Base(known), name) })
	}
	return noName("area", name, words, Areas())
}

// checkName rejects a name that is not in a list, and says which ones are near.
func checkName(what, name string, list []string) error {
	if slices.Contains(list, name) {
		return nil
	}
	return noName(what, name, near.Words(name, list), list)
}

// noName says that there is no such name, and what may have been meant.
func noName(what, name string, near, list []string) error {
	hint := ""
	if len(near) > 0 {
		hint = "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return fmt.Errorf("there is no %s %q%s (there is %s)", what, name, hint, strings.Join(list, ", "))
}

// substitutes replace hand-written files of gen/wire that a subset cannot have as they are, where
// others need what they declare.
var substitutes = map[string]string{"mold.go": noMolds}

const noMolds = `package wire

// molds remember the pieces of a reply. This copy has no type for these.
type molds struct{}

func (*molds) read([]byte, *Options) Frame { return nil }

func (*molds) learn([]byte, Frame) {}
`

// subset returns the files of gen/wire for a part of the schemas: what is generated for it, and the
// hand-written declarations that fit.
func subset(files map[string][]byte, choice generator.Choice) (map[string][]byte, error) {
	handwritten, lacks := map[string][]byte{}, map[string]bool{}
	for name, text := range files {
		if !strings.HasSuffix(name, "_gen.go") {
			handwritten[name] = text
		}
	}
	var err error
	if choice.Keep, err = members(handwritten); err != nil {
		return nil, err
	}
	out, err := generator.GenerateOnly(schema.Files(), choice)
	if err != nil {
		return nil, err
	}
	for name, text := range files {
		if !strings.HasSuffix(name, "_gen.go") {
			continue
		}
		if err := eachDeclared(name, text, func(name string) { lacks[name] = true }); err != nil {
			return nil, err
		}
	}
	for name, text := range out {
		if strings.HasSuffix(name, "_test.go") {
			delete(out, name)
		} else if err := eachDeclared(name, text, func(name string) { delete(lacks, name) }); err != nil {
			return nil, err
		}
	}
	pruned, err := prune(handwritten, lacks, substitutes)
	if err != nil {
		return nil, err
	}
	maps.Copy(out, pruned)
	if doc, ok := out["doc.go"]; ok {
		out["doc.go"] = bytes.Replace(doc, []byte("\npackage "), []byte(partsDoc(choice.Names)+"\npackage "), 1)
	}
	return out, nil
}

// eachDeclared calls visit with the names that a file gives to its package.
func eachDeclared(name string, text []byte, visit func(name string)) error {
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range declarations(f) {
		for _, n := range d.names {
			visit(n)
		}
	}
	return nil
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

func partsDoc(areas []string) string {
	sorted := slices.Compact(slices.Sorted(slices.Values(areas)))
	return strings.TrimSuffix(fmt.Sprintf(areasNote, strings.Join(sorted, ", ")), "\n")
}
