package generator

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/schema"
)

// envelopeArea is the area that every subset has: the lines themselves.
const envelopeArea = "envelope"

// toolArea is the area of the built-in tools.
const toolArea = "tool"

// noAreas are the folders that a subset has no use for by themselves: what the others need of them
// comes along; transcript files and drivers of SDKs have no Go types.
var noAreas = []string{"conformance", "legacy", "shared", "testdata", "transcript"}

// Areas returns the parts of the schemas that GenerateOnly takes, sorted: their folders, but for
// those that come along where they are needed.
func Areas(schemas fs.FS) (areas []string) {
	files, _ := fs.Glob(schemas, "*/*.json") // the pattern is a good one
	for _, file := range files {
		if area := path.Dir(file); !slices.Contains(noAreas, area) {
			areas = append(areas, area)
		}
	}
	return slices.Compact(areas)
}

// GenerateOnly returns the generated files for some areas of the schemas. A line or a request is
// typed if it is of one of them, or if it carries something of one; all others arrive as the
// unknown arm of their union. Names are as in the whole.
func GenerateOnly(schemas fs.FS, areas []string) (map[string][]byte, error) {
	for _, area := range areas {
		if !slices.Contains(Areas(schemas), area) {
			return nil, fmt.Errorf("there is no area %q", area)
		}
	}
	in, err := load(schemas)
	if err != nil {
		return nil, err
	}
	in.only = choose(in.set, areas)
	return generateFrom(in)
}

// has reports whether a definition is part of what is generated.
func (in *input) has(d *schema.Definition) bool { return in.only == nil || in.only[d.File] }

// choose returns the files that a subset has.
func choose(set *schema.Set, areas []string) map[string]bool {
	files := map[string]bool{}
	for _, d := range set.Definitions() {
		if area := path.Dir(d.File); area == envelopeArea || slices.Contains(areas, area) {
			addFile(set, files, d.File)
		}
	}
	types := map[string]bool{}
	eachArm(set, func(a *schema.Arm, frame bool) {
		if a.Legacy || a.Unknown {
			return
		}
		if carries(set, a.Definition.File, areas) {
			addFile(set, files, a.Definition.File)
		}
		if frame && files[a.Definition.File] {
			for _, value := range a.Tags[0].Values {
				types[value] = true
			}
		}
	})
	eachArm(set, func(a *schema.Arm, frame bool) {
		if frame && a.Legacy && types[a.Tags[0].Values[0]] {
			addFile(set, files, a.Definition.File)
		}
	})
	return files
}

// eachArm calls visit for the arms of a line and for those of a control request.
func eachArm(set *schema.Set, visit func(a *schema.Arm, frame bool)) {
	for _, name := range []string{schema.Either.Definition(), "envelope/control_request.json#/$defs/Request"} {
		u, _ := set.Union(set.Lookup(name).Node)
		for _, a := range u.Arms {
			visit(a, name == schema.Either.Definition())
		}
	}
}

// carries reports whether a file has something of an area, directly or by way of a shared file.
func carries(set *schema.Set, file string, areas []string) bool {
	if slices.Contains(areas, toolArea) && namesTool(set, file) {
		return true
	}
	for _, target := range refs(set, file) {
		area := path.Dir(target)
		if slices.Contains(areas, area) || area == "shared" && path.Dir(file) != area && carries(set, target, areas) {
			return true
		}
	}
	return false
}

// namesTool reports whether a file has the input or the result of a tool, with the name of the tool
// in place of a ref.
func namesTool(set *schema.Set, file string) bool {
	return slices.ContainsFunc(set.Definitions(), func(d *schema.Definition) bool {
		return d.File == file && slices.ContainsFunc(d.Properties, func(p schema.Property) bool { return p.ToolInput != "" || p.ToolResult != "" })
	})
}

// addFile adds a file and all that it refers to.
func addFile(set *schema.Set, files map[string]bool, file string) {
	if files[file] {
		return
	}
	files[file] = true
	for _, target := range refs(set, file) {
		addFile(set, files, target)
	}
}

// refs returns the files that a file refers to. The arms of a union in the envelope do not count:
// it has those that are chosen.
func refs(set *schema.Set, file string) (targets []string) {
	var visit func(n *schema.Node)
	visit = func(n *schema.Node) {
		if n == nil {
			return
		}
		if n.Ref != "" {
			target, _, _ := strings.Cut(n.Ref, "#")
			targets = append(targets, target)
		}
		for i := range n.Properties {
			visit(n.Properties[i].Node)
		}
		visit(n.Items)
		visit(n.AdditionalProperties)
		visit(n.Content)
		if path.Dir(file) != envelopeArea {
			for _, arm := range n.OneOf {
				visit(arm)
			}
		}
	}
	for _, d := range set.Definitions() {
		if d.File == file {
			visit(d.Node)
		}
	}
	return targets
}
