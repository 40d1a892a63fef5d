package generator

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/naming"
	"github.com/ccwire/ccwire/schema"
)

// toolArea is the area of the built-in tools.
const toolArea = "tool"

// sharedArea is the folder of what several areas have.
const sharedArea = "shared"

// noAreas are the folders that a subset has no use for by themselves: what the others need of them
// comes along; transcript files and drivers of SDKs have no Go types.
var noAreas = []string{"conformance", "legacy", sharedArea, "testdata", "transcript"}

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
	// Without are names, or patterns, of what is left out in any case: an optional member of such
	// a type is kept beside those that the schema does not name, and an arm arrives as the unknown
	// one.
	Without []string
	// Definitions are names of definitions. If there are any, unions have the arms that are chosen
	// and no others.
	Definitions []string
	// Recorded leaves out what no CLI was recorded to write or to take: optional members, and arms
	// that are not named.
	Recorded bool
	// Tools has the unions of tools also if no tool is chosen.
	Tools bool
	// Keep has the Go names of members that are there in any case: hand-written code uses them.
	Keep map[string]bool
}

// Areas returns the folders of the schemas that stand for their parts in a Choice, sorted.
func Areas(schemas fs.FS) (areas []string) {
	files, _ := fs.Glob(schemas, "*/*.json") // the pattern is a good one
	for _, file := range files {
		if area := path.Dir(file); !slices.Contains(noAreas, area) {
			areas = append(areas, area)
		}
	}
	return slices.Compact(areas)
}

// Names returns all that a Choice may name, areas aside, sorted: the schema files without their
// suffix, with a slash for each dot, such as control/initialize and message/system/init, and the
// definitions in a file below its name, such as hook/Stop/Input.
func Names(schemas fs.FS) (names []string, err error) {
	set, err := schema.Load(schemas)
	if err != nil {
		return nil, err
	}
	for _, d := range set.Definitions() {
		if name := nameOf(d); name != "" {
			names = append(names, name)
			if d.Pointer != "" {
				names = append(names, path.Dir(name))
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// nameOf returns the name of a definition, "" for those that no subset has by name.
func nameOf(d *schema.Definition) string {
	if area := path.Dir(d.File); slices.Contains(noAreas, area) && area != sharedArea || !generated(d) {
		return ""
	}
	name := strings.ReplaceAll(strings.TrimSuffix(d.File, ".json"), ".", "/")
	if d.Pointer != "" {
		name += "/" + defName(d)
	}
	return name
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

// matchesAny reports whether a definition is what one of the patterns says.
func matchesAny(patterns []string, d *schema.Definition) bool {
	name := nameOf(d)
	return name != "" && slices.ContainsFunc(patterns, func(p string) bool { return Matches(p, name) })
}

// GenerateOnly returns the generated files for a part of the schemas. What is left out arrives as
// the unknown arm of its union. Names are as in the whole.
func GenerateOnly(schemas fs.FS, c Choice) (map[string][]byte, error) {
	in, err := load(schemas)
	if err != nil {
		return nil, err
	}
	for _, pattern := range append(slices.Clone(c.Names), c.Without...) {
		known := func(d *schema.Definition) bool { return matchesAny([]string{pattern}, d) }
		if pattern == sharedArea || !slices.ContainsFunc(in.set.Definitions(), known) {
			return nil, fmt.Errorf("there is no %q", pattern)
		}
	}
	in.choose(c)
	return generateFrom(in)
}

// choose makes a subset of the input.
func (in *input) choose(c Choice) {
	in.choice = c
	in.only = choose(in, c)
}

// unseen reports whether a definition or a member was never recorded.
func unseen(n *schema.Node) bool {
	return slices.Contains([]string{"declared", "recognised", "described"}, n.Evidence)
}

// untyped reports whether a member of a definition is left out of its Go type.
func (in *input) untyped(d *schema.Definition, p *schema.Property) bool {
	if p.Required || slices.Contains(d.SendRequired, p.Name) || in.choice.Keep[naming.Field(p.Name)] {
		return false
	}
	return in.choice.Recorded && (unseen(p.Node) || unseen(in.set.Resolve(p.Node))) ||
		slices.ContainsFunc(in.targets(p.Node), func(to *schema.Definition) bool { return matchesAny(in.choice.Without, to) })
}

// targets returns the definitions that a node refers to.
func (in *input) targets(n *schema.Node) (targets []*schema.Definition) {
	if n == nil {
		return nil
	}
	if n.Ref != "" {
		return []*schema.Definition{in.set.Lookup(n.Ref)}
	}
	for _, part := range append([]*schema.Node{n.Items, n.AdditionalProperties, n.Content}, n.OneOf...) {
		targets = append(targets, in.targets(part)...)
	}
	return targets
}

// has reports whether a definition is part of what is generated.
func (in *input) has(d *schema.Definition) bool { return in.only == nil || in.only[d.Name()] }

// A chooser collects the definitions of a subset.
type chooser struct {
	*input
	files  map[string][]*schema.Definition // of all files
	named  map[string]bool                 // definitions that the choice names
	exact  bool                            // unions have the arms that are named, and no others
	chosen map[string]bool                 // definitions that the subset has
}

// choose returns the names of the definitions that a subset has.
func choose(in *input, choice Choice) map[string]bool {
	c := &chooser{input: in, files: map[string][]*schema.Definition{}, named: map[string]bool{}, exact: len(choice.Definitions) > 0, chosen: map[string]bool{}}
	for _, d := range in.set.Definitions() {
		c.files[d.File] = append(c.files[d.File], d)
	}
	for _, name := range choice.Definitions {
		c.named[name] = true
	}
	var areas []string
	for _, pattern := range choice.Names {
		if !strings.Contains(pattern, "/") {
			areas = append(areas, pattern)
		}
	}
	for file, defs := range c.files {
		switch whole := strings.ReplaceAll(strings.TrimSuffix(file, ".json"), ".", "/"); {
		case slices.Contains(noAreas, path.Dir(file)) && path.Dir(file) != sharedArea:
		case slices.ContainsFunc(choice.Names, func(p string) bool { return Matches(p, whole) }):
			c.name(file)
		default:
			for _, d := range defs {
				if matchesAny(choice.Names, d) {
					c.named[d.Name()] = true
				}
			}
		}
	}
	for _, file := range c.carriers(areas) {
		c.name(file)
	}
	for name := range c.named {
		if d := in.set.Lookup(name); !matchesAny(choice.Without, d) {
			c.add(d)
		}
	}
	for _, file := range core {
		c.addFile(file)
	}
	c.legacy()
	return c.chosen
}

// name names the definitions of a file that no other one in it refers to. The rest comes along if
// they need it.
func (c *chooser) name(file string) {
	inside := map[*schema.Definition]bool{}
	for _, d := range c.files[file] {
		for _, to := range c.allRefs(d) {
			inside[to] = inside[to] || to != d
		}
	}
	for _, d := range c.files[file] {
		if !inside[d] {
			c.named[d.Name()] = true
		}
	}
}

// carriers returns the lines and requests that carry something of the areas.
func (c *chooser) carriers(areas []string) (files []string) {
	inAreas := func(file string) bool {
		return slices.ContainsFunc(areas, func(a string) bool { return Matches(a, path.Dir(file)) })
	}
	var carries func(file string) bool
	carries = func(file string) bool {
		return slices.ContainsFunc(c.files[file], func(d *schema.Definition) bool {
			return inAreas(toolArea+"/") && namesTool(d) || slices.ContainsFunc(c.refs(d), func(to *schema.Definition) bool {
				return inAreas(to.File) || path.Dir(to.File) == sharedArea && path.Dir(file) != sharedArea && carries(to.File)
			})
		})
	}
	c.eachArm(func(a *schema.Arm, _ bool) {
		if file := a.Definition.File; !a.Legacy && !a.Unknown && !slices.Contains(core, file) && carries(file) {
			files = append(files, file)
		}
	})
	return files
}

// legacy adds the shapes of older peers for the lines that are there.
func (c *chooser) legacy() {
	types := map[string]bool{}
	c.eachArm(func(a *schema.Arm, frame bool) {
		if frame && !a.Legacy && !a.Unknown && c.chosen[a.Definition.Name()] {
			for _, value := range a.Tags[0].Values {
				types[value] = true
			}
		}
	})
	c.eachArm(func(a *schema.Arm, frame bool) {
		if frame && a.Legacy && types[a.Tags[0].Values[0]] {
			c.addFile(a.Definition.File)
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

// namesTool reports whether a definition has the input or the result of a tool, with the name of
// the tool in place of a ref.
func namesTool(d *schema.Definition) bool {
	return slices.ContainsFunc(d.Properties, func(p schema.Property) bool { return p.ToolInput != "" || p.ToolResult != "" })
}

// addFile adds all definitions of a file, and what they need.
func (c *chooser) addFile(file string) {
	for _, d := range c.files[file] {
		c.add(d)
	}
}

// add adds a definition and all that it needs. A request has its answer.
func (c *chooser) add(d *schema.Definition) {
	if c.chosen[d.Name()] {
		return
	}
	c.chosen[d.Name()] = true
	for _, to := range c.refs(d) {
		c.add(to)
	}
	for _, file := range needs[d.File] {
		c.addFile(file)
	}
	if answer := c.set.Lookup(d.File + "#/$defs/Response"); d.IsRequest() && answer != nil {
		c.add(answer)
	}
}

// refs returns what a definition refers to, without the arms of unions that are left out.
func (c *chooser) refs(d *schema.Definition) []*schema.Definition {
	return c.refsBut(d, func(p *schema.Property) bool { return c.untyped(d, p) }, func(n, arm *schema.Node) bool { return c.leavesOut(d, n, arm) })
}

// allRefs returns what a definition refers to.
func (c *chooser) allRefs(d *schema.Definition) []*schema.Definition {
	return c.refsBut(d, func(*schema.Property) bool { return false }, func(_, _ *schema.Node) bool { return false })
}

// refsBut returns what a definition refers to, but for some members and arms.
func (c *chooser) refsBut(d *schema.Definition, member func(*schema.Property) bool, but func(n, arm *schema.Node) bool) (targets []*schema.Definition) {
	var visit func(n *schema.Node)
	visit = func(n *schema.Node) {
		if n == nil {
			return
		}
		if n.Ref != "" {
			targets = append(targets, c.set.Lookup(n.Ref))
		}
		for i := range n.Properties {
			if !member(&n.Properties[i]) {
				visit(n.Properties[i].Node)
			}
		}
		visit(n.Items)
		visit(n.AdditionalProperties)
		visit(n.Content)
		for _, arm := range n.OneOf {
			if !but(n, arm) {
				visit(arm)
			}
		}
	}
	visit(d.Node)
	return targets
}

// leavesOut reports whether an arm of a union is there only if it is named: arms in other files are
// if the union is listed or another one of them is named, all are if the choice is exact.
func (c *chooser) leavesOut(d *schema.Definition, n, arm *schema.Node) bool {
	u, ok := c.set.Union(n)
	if !ok || arm.Ref == "" || slices.Contains(core, d.File) && c.set.Lookup(arm.Ref).File == d.File {
		return false
	}
	to := c.set.Lookup(arm.Ref)
	if matchesAny(c.choice.Without, to) || c.exact || c.choice.Recorded && unseen(to.Node) {
		return true
	}
	return to.File != d.File && (slices.Contains(listed, d.File) || slices.ContainsFunc(u.Arms, func(a *schema.Arm) bool {
		return a.Definition.File != d.File && c.named[a.Definition.Name()]
	}))
}
