package generator

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/schema"
)

// toolArea is the area of the built-in tools.
const toolArea = "tool"

// noAreas are the folders that a subset has no use for by themselves: what the others need of them
// comes along; transcript files and drivers of SDKs have no Go types.
var noAreas = []string{"conformance", "legacy", "shared", "testdata", "transcript"}

// core are the files that every subset has: the line, and the lines of control requests.
var core = []string{
	"envelope/frame.json", "envelope/control_request.json", "envelope/control_response.json",
	"envelope/control_cancel_request.json", "envelope/keep_alive.json",
}

// listed are the unions that have only the arms that a subset names. All others have all of their
// arms, unless it names some.
var listed = []string{
	"envelope/frame.json", "envelope/from_cli.json", "envelope/from_sdk.json", "envelope/control_request.json",
	"hook/input.json", "hook/specific_output.json",
}

// moldedFile is the line whose pieces have molds.
const moldedFile = "message/stream_event.json"

// needs are files that hand-written code needs where it has another one: the molds of streamed
// pieces, and the answers to a permission request.
var needs = map[string][]string{
	moldedFile: {
		"content/stream_event.content_block_delta.json",
		"content/delta.text_delta.json", "content/delta.thinking_delta.json", "content/delta.input_json_delta.json",
	},
	"control/can_use_tool.json": {"permission/result.allow.json", "permission/result.deny.json"},
}

// A Choice says what a subset has. What that refers to comes along, in any folder.
type Choice struct {
	// Names are areas, names that Names lists, the part of one before a slash, or patterns of these
	// with "*". An area stands for the lines and requests that carry something of it, too.
	Names []string
	// Files are schema files. If there are any, unions have the arms that are chosen and no others.
	Files []string
}

// Areas returns the folders of the schemas that a Choice may name, sorted.
func Areas(schemas fs.FS) (areas []string) {
	for _, name := range Names(schemas) {
		area, _, _ := strings.Cut(name, "/")
		areas = append(areas, area)
	}
	return slices.Compact(areas)
}

// Names returns all that a Choice may name, areas aside, sorted: the schema files without their
// suffix, with a slash for each dot, such as control/initialize and message/system/init.
func Names(schemas fs.FS) (names []string) {
	files, _ := fs.Glob(schemas, "*/*.json") // the pattern is a good one
	for _, file := range files {
		if !slices.Contains(noAreas, path.Dir(file)) {
			names = append(names, nameOf(file))
		}
	}
	slices.Sort(names)
	return names
}

func nameOf(file string) string {
	return strings.ReplaceAll(strings.TrimSuffix(file, ".json"), ".", "/")
}

// Matches reports whether a name is what a pattern says, or below it: message/system, message/s*
// and message match message/system/init.
func Matches(pattern, name string) bool {
	parts := strings.Split(name, "/")
	n := strings.Count(pattern, "/") + 1
	if n > len(parts) {
		return false
	}
	ok, err := path.Match(pattern, strings.Join(parts[:n], "/"))
	return ok && err == nil
}

// GenerateOnly returns the generated files for a part of the schemas. What is left out arrives as
// the unknown arm of its union. Names are as in the whole.
func GenerateOnly(schemas fs.FS, c Choice) (map[string][]byte, error) {
	names := Names(schemas)
	for _, pattern := range c.Names {
		if !slices.ContainsFunc(names, func(name string) bool { return Matches(pattern, name) }) {
			return nil, fmt.Errorf("there is no %q", pattern)
		}
	}
	in, err := load(schemas)
	if err != nil {
		return nil, err
	}
	in.only = choose(in.set, c)
	return generateFrom(in)
}

// has reports whether a definition is part of what is generated.
func (in *input) has(d *schema.Definition) bool { return in.only == nil || in.only[d.File] }

// A chooser collects the files of a subset.
type chooser struct {
	set   *schema.Set
	defs  map[string][]*schema.Definition // by file
	named map[string]bool                 // files that the choice names
	exact bool                            // unions have the arms that are named, and no others
	files map[string]bool
}

// choose returns the files that a subset has.
func choose(set *schema.Set, choice Choice) map[string]bool {
	c := &chooser{set: set, defs: map[string][]*schema.Definition{}, named: map[string]bool{}, exact: len(choice.Files) > 0, files: map[string]bool{}}
	for _, d := range set.Definitions() {
		c.defs[d.File] = append(c.defs[d.File], d)
	}
	for _, file := range choice.Files {
		c.named[file] = true
	}
	var areas []string
	for _, pattern := range choice.Names {
		if !strings.Contains(pattern, "/") {
			areas = append(areas, pattern)
		}
	}
	for file := range c.defs {
		area := path.Dir(file)
		if !slices.Contains(noAreas, area) && slices.ContainsFunc(choice.Names, func(p string) bool { return Matches(p, nameOf(file)) }) {
			c.named[file] = true
		}
	}
	c.carriers(areas)
	for file := range c.named {
		c.add(file)
	}
	for _, file := range core {
		c.add(file)
	}
	c.legacy()
	return c.files
}

// carriers names the lines and requests that carry something of the areas.
func (c *chooser) carriers(areas []string) {
	inAreas := func(file string) bool {
		return slices.ContainsFunc(areas, func(a string) bool { return Matches(a, path.Dir(file)) })
	}
	var carries func(file string) bool
	carries = func(file string) bool {
		if inAreas(toolArea+"/") && c.namesTool(file) {
			return true
		}
		return slices.ContainsFunc(c.refs(file), func(target string) bool {
			return inAreas(target) || path.Dir(target) == "shared" && path.Dir(file) != "shared" && carries(target)
		})
	}
	var found []string
	c.eachArm(func(a *schema.Arm, _ bool) {
		if file := a.Definition.File; !a.Legacy && !a.Unknown && !slices.Contains(core, file) && carries(file) {
			found = append(found, file)
		}
	})
	for _, file := range found {
		c.named[file] = true
	}
}

// legacy adds the shapes of older peers for the lines that are there.
func (c *chooser) legacy() {
	types := map[string]bool{}
	c.eachArm(func(a *schema.Arm, frame bool) {
		if frame && !a.Legacy && !a.Unknown && c.files[a.Definition.File] {
			for _, value := range a.Tags[0].Values {
				types[value] = true
			}
		}
	})
	c.eachArm(func(a *schema.Arm, frame bool) {
		if frame && a.Legacy && types[a.Tags[0].Values[0]] {
			c.add(a.Definition.File)
		}
	})
}

// eachArm calls visit for the arms of a line and for those of a control request.
func (c *chooser) eachArm(visit func(a *schema.Arm, frame bool)) {
	for _, name := range []string{schema.Either.Definition(), "envelope/control_request.json#/$defs/Request"} {
		u, _ := c.set.Union(c.set.Lookup(name).Node)
		for _, a := range u.Arms {
			visit(a, name == schema.Either.Definition())
		}
	}
}

// namesTool reports whether a file has the input or the result of a tool, with the name of the tool
// in place of a ref.
func (c *chooser) namesTool(file string) bool {
	return slices.ContainsFunc(c.defs[file], func(d *schema.Definition) bool {
		return slices.ContainsFunc(d.Properties, func(p schema.Property) bool { return p.ToolInput != "" || p.ToolResult != "" })
	})
}

// add adds a file and all that it needs.
func (c *chooser) add(file string) {
	if c.files[file] {
		return
	}
	c.files[file] = true
	for _, target := range append(c.refs(file), needs[file]...) {
		c.add(target)
	}
}

// refs returns the files that a file refers to, without the arms of unions that are left out.
func (c *chooser) refs(file string) (targets []string) {
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
		if !c.picks(file, n) {
			for _, arm := range n.OneOf {
				visit(arm)
			}
		}
	}
	for _, d := range c.defs[file] {
		visit(d.Node)
	}
	return targets
}

// picks reports whether a union has only the arms that are named.
func (c *chooser) picks(file string, n *schema.Node) bool {
	u, ok := c.set.Union(n)
	return ok && (c.exact || slices.Contains(listed, file) || slices.ContainsFunc(u.Arms, func(a *schema.Arm) bool {
		return a.Definition.File != file && c.named[a.Definition.File]
	}))
}
