package vendoring

import (
	"bytes"
	_ "embed" // the list of the preset
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

// presetText is the list of a preset: a name in a line, or a comment.
//
//go:embed sdk.txt
var presetText string

// SDK is the name of the preset with what a typical SDK needs.
const SDK = "sdk"

// Presets are lists of names that have a name of their own.
var Presets = map[string][]string{SDK: lines(presetText)}

// lines returns the lines of a text that are not empty and no comments.
func lines(text string) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return l == "" || strings.HasPrefix(l, "#") })
}

// expand returns names with the list of a preset in its place.
func expand(only []string) (names []string) {
	for _, name := range only {
		if list, ok := Presets[name]; ok {
			names = append(names, list...)
		} else {
			names = append(names, name)
		}
	}
	return names
}

// checkChoice rejects types and parts that do not exist, or that exclude each other.
func checkChoice(o Options) error {
	if only := expand(o.Only); len(only) > 0 {
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
	if o.For != "" {
		if err := checkFor(o.For); err != nil {
			return err
		}
	}
	for _, part := range o.With {
		if err := checkName("part", part, Parts); err != nil {
			return err
		}
	}
	if !o.whole() && slices.Contains(o.With, transport) {
		return fmt.Errorf("transport needs the types of all areas: leave out --only, --for and --recorded, or --with %s", transport)
	}
	return nil
}

// sharedArea is the folder of what several areas have. It is no area, but its types have names.
const sharedArea = "shared"

// choiceOf splits names into those of what to have and, with a minus, of what to leave out.
func choiceOf(o Options) generator.Choice {
	c := generator.Choice{Recorded: o.Recorded}
	for _, name := range expand(o.Only) {
		if left, ok := strings.CutPrefix(name, "-"); ok {
			c.Without = append(c.Without, left)
		} else {
			c.Names = append(c.Names, name)
		}
	}
	if c.Names == nil && o.For == "" {
		c.Names = Areas() // all but what is left out
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
var substitutes = map[string]string{"mold.go": noMolds, "reuse.go": noReuse}

const noMolds = `package wire

// molds remember the pieces of a reply. This copy has no type for these.
type molds struct{}

func (*molds) read([]byte, *Options) Frame { return nil }

func (*molds) learn([]byte, Frame) {}
`

const noReuse = `package wire

// Reuse gives the Decoder a frame that nobody uses any more. This copy has no type whose memory it
// would take.
func (*Decoder) Reuse(Frame) {}
`

// subset returns the files of gen/wire for a part of the schemas: what is generated for it, and the
// hand-written declarations that fit.
func subset(files map[string][]byte, o Options, used uses) (map[string][]byte, error) {
	choice := choiceOf(o)
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
	if o.For != "" {
		if err := used.choose(&choice, handwritten); err != nil {
			return nil, err
		}
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
	if pruned, err = sweep(pruned, out); err != nil {
		return nil, err
	}
	maps.Copy(out, pruned)
	if doc, ok := out[docFile]; ok {
		out[docFile] = bytes.Replace(doc, []byte("\npackage "), []byte(partsDoc(o)+"\npackage "), 1)
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

// partsNote is the end of the package comment of a subset.
const partsNote = `
//
// # Parts
//
// This copy has a part of the types, and what they need:
// %s.
// Everything else on the wire arrives as the Unknown arm of its union, or in Extra, which keep it
// as it is.`

func partsDoc(o Options) string {
	parts := slices.Compact(slices.Sorted(slices.Values(o.Only)))
	if o.For != "" {
		parts = append(parts, "what the code beside it uses")
	}
	if o.Recorded {
		parts = append(parts, "of that only what was recorded")
	}
	return fmt.Sprintf(partsNote, strings.Join(wrap(strings.Join(parts, ", "), 96), "\n// "))
}

// wrap breaks a text at its spaces into lines of a width.
func wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}
