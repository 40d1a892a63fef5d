package schema

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// CodegenOptions say what [Set.CodegenBundle] writes.
type CodegenOptions struct {
	Direction Direction // who sends what the root leads to
	Closed    bool      // objects have no members but those named

	// Name gives a definition its name and title; no two may have the same.
	Name func(d *Definition) (string, error)
}

// codegenDraft is the dialect that generators of all languages read.
const codegenDraft = "http://json-schema.org/draft-07/schema#"

// The definitions that CodegenBundle adds. None of them is on the wire.
const (
	indexTitle       = "Protocol"
	responsesTitle   = "ControlResponses"
	emptyTitle       = "EmptyResponse"
	hookOutputsTitle = "HookOutputs"
	toolInputsTitle  = "ToolInputs"
	toolResultsTitle = "ToolResults"
)

// CodegenBundle returns one JSON Schema document, in draft 7, for generators of types. It says less
// than [Set.Bundle], since what generators cannot express makes their types useless: unions have
// known arms only, an open enum is a string whose description lists the known values, legacy
// shapes are left out. A reader must try the tag of a line before the types.
//
// The root is an index of what the definitions are for, and no line. Its members from_cli and
// from_sdk are the lines of a direction, control_responses maps the subtype of a request to the
// answer, hook_outputs maps an event to its hookSpecificOutput, tool_inputs and tool_results map
// the name of a tool to what it takes and returns. Every definition is reachable from there and has
// its name as title. With a direction, it has what that side sends: its lines, its requests and its
// answers to those of the other. Equal sets give equal bytes.
func (s *Set) CodegenBundle(o CodegenOptions) ([]byte, error) {
	c := &codegen{s: s, direction: o.Direction, closed: o.Closed, names: map[string]string{}}
	taken := map[string]string{}
	for _, title := range []string{indexTitle, responsesTitle, emptyTitle, hookOutputsTitle, toolInputsTitle, toolResultsTitle} {
		taken[title] = "a definition of the bundle"
	}
	for _, d := range s.definitions {
		if c.drops(d.Node) {
			continue
		}
		name, err := o.Name(d)
		if err != nil {
			return nil, err
		}
		if other, ok := taken[name]; ok {
			return nil, fmt.Errorf("schema: %s and %s would both be %s in the bundle", other, d.Name(), name)
		}
		taken[name] = d.Name()
		c.names[d.Name()] = name
	}
	index, err := c.index()
	if err != nil {
		return nil, err
	}
	doc := object.Of("$schema", codegenDraft, "$id", Base+"codegen.json", "$comment", "Revision "+s.Revision())
	doc = append(doc, index...)
	responses, empty := c.responses()
	defs := object.Of(responsesTitle, responses)
	if empty {
		defs.Set(emptyTitle, c.empty())
	}
	if c.direction != FromCLI {
		defs.Set(hookOutputsTitle, c.hookOutputs())
	}
	defs.Set(toolInputsTitle, c.tools(toolInputsTitle, "takes", func(t *Tool) *Definition { return t.Input }))
	defs.Set(toolResultsTitle, c.tools(toolResultsTitle, "returns", func(t *Tool) *Definition { return t.Result }))
	for i := 0; i < len(c.reached); i++ { // grows on the way
		d := s.byName[c.reached[i]]
		def := append(object.Of("title", c.names[d.Name()]), c.schema(d.Node)...)
		if d.Node.Opaque && d.Node.HasType("object") { // or generators make an object of it that keeps nothing
			def.Set("additionalProperties", object.Object{})
		}
		defs.Set(c.names[d.Name()], def)
	}
	slices.SortFunc(defs, func(a, b object.Member) int { return cmp.Compare(a.Name, b.Name) })
	doc.Set("definitions", defs)
	return indent(doc)
}

// codegen writes definitions for generators, and collects those that it refers to.
type codegen struct {
	s         *Set
	direction Direction
	closed    bool
	names     map[string]string // by the name of the definition
	reached   []string
}

// ref refers to a definition. One that only refers to another is not worth a type of its own.
func (c *codegen) ref(name string) object.Object {
	for c.s.byName[name].Ref != "" {
		name = c.s.byName[name].Ref
	}
	if !slices.Contains(c.reached, name) {
		c.reached = append(c.reached, name)
	}
	return toBundle(c.names[name])
}

// toBundle refers to a definition of the bundle by its title.
func toBundle(title string) object.Object { return object.Of("$ref", "#/definitions/"+title) }

// drops reports whether n is an arm or a member that generated types do without.
func (c *codegen) drops(n *Node) bool { return c.s.legacy(n) || c.s.Resolve(n).Unknown }

// sends reports whether who sends x-direction is the side that the bundle is about.
func (c *codegen) sends(direction string) bool {
	switch c.direction {
	case FromCLI:
		return direction != "sdk-to-cli"
	case FromSDK:
		return direction != "cli-to-sdk"
	}
	return true
}

// arms returns those of n that the bundle has. Where each side has arms of its own, those of the
// other side are left out; what one side alone makes may be sent back by the other.
func (c *codegen) arms(n *Node) (arms []*Node) {
	sides := map[string]bool{}
	for _, arm := range n.OneOf {
		sides[c.s.Resolve(arm).Direction] = true
	}
	directed := sides["cli-to-sdk"] && sides["sdk-to-cli"]
	for _, arm := range n.OneOf {
		if !c.drops(arm) && (!directed || c.sends(c.s.Resolve(arm).Direction)) {
			arms = append(arms, arm)
		}
	}
	return arms
}

// index writes the root.
func (c *codegen) index() (object.Object, error) {
	var members object.Object
	for _, d := range []struct {
		name string
		Direction
	}{{"from_cli", FromCLI}, {"from_sdk", FromSDK}} {
		switch {
		case c.direction != Either && c.direction != d.Direction:
			continue
		case c.s.Lookup(d.Definition()) == nil:
			return nil, fmt.Errorf("schema: there is no %s for the bundle", d.Definition())
		}
		members.Set(d.name, c.ref(d.Definition()))
	}
	members.Set("control_responses", toBundle(responsesTitle))
	if c.direction != FromCLI {
		members.Set("hook_outputs", toBundle(hookOutputsTitle))
	}
	members.Set("tool_inputs", toBundle(toolInputsTitle))
	members.Set("tool_results", toBundle(toolResultsTitle))
	return c.table(indexTitle, "An index of the protocol, not a line of it: the lines of each direction, the answers to requests, the outputs of hooks, the inputs and results of tools.", members), nil
}

// opposite is who answers, by who asks.
var opposite = map[string]string{"cli-to-sdk": "sdk-to-cli", "sdk-to-cli": "cli-to-sdk", "both": "both"}

// responses writes the map from the subtype of a request to its response, and reports whether one
// of them says nothing.
func (c *codegen) responses() (out object.Object, empty bool) {
	var members object.Object
	for _, d := range c.s.definitions {
		if !d.IsRequest() {
			continue
		}
		response := c.s.Lookup(location(d.File, "/$defs/Response"))
		for _, subtype := range c.s.tagValues(d, "subtype") {
			switch {
			case response == nil && c.sends(opposite[d.Direction]):
				members.Set(subtype, toBundle(emptyTitle))
				empty = true
			case response != nil && c.sends(response.Direction):
				members.Set(subtype, c.ref(response.Name()))
			}
		}
	}
	return c.table(responsesTitle, "For each subtype of a control request, what the member response of a success holds. It is not on the wire.", members), empty
}

// empty writes the response of requests that have none of their own.
func (c *codegen) empty() object.Object {
	return object.Of("title", emptyTitle, "description", "A response that says nothing; it may be left out.",
		"type", "object", "properties", object.Object{}, "additionalProperties", c.others())
}

// hookOutputs writes the map from the name of a hook event to its specific output.
func (c *codegen) hookOutputs() object.Object {
	var members object.Object
	for _, d := range c.s.definitions {
		if path.Dir(d.File) != "hook" || d.key() != "Output" {
			continue
		}
		for _, event := range c.s.tagValues(d, "hookEventName") {
			members.Set(event, c.ref(d.Name()))
		}
	}
	return c.table(hookOutputsTitle, "For each hook event that has one, its hookSpecificOutput. It is not on the wire.", members)
}

// tools writes the map from the names of a tool to one of its definitions. Of names that a language
// may write alike, such as ExitPlanMode and exit_plan_mode, it has the first.
func (c *codegen) tools(title, verb string, of func(*Tool) *Definition) object.Object {
	var members object.Object
	written := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(c.s.tools)) {
		alike := strings.ToLower(strings.ReplaceAll(name, "_", ""))
		if d := of(c.s.tools[name]); d != nil && !written[alike] {
			written[alike] = true
			members.Set(name, c.ref(d.Name()))
		}
	}
	return c.table(title, "For each built-in tool, what it "+verb+". Lines carry it as any JSON, beside the name of the tool.", members)
}

// table writes an object that has exactly these members.
func (c *codegen) table(title, description string, members object.Object) object.Object {
	required := []string{}
	for _, m := range members {
		required = append(required, m.Name)
	}
	return object.Of("title", title, "description", description, "type", "object",
		"required", required, "properties", members, "additionalProperties", false)
}

// schema writes n.
func (c *codegen) schema(n *Node) object.Object {
	var out object.Object
	if text := describe(n); text != "" {
		out.Set("description", text)
	}
	switch {
	case n.Ref != "" && out == nil:
		return c.ref(n.Ref)
	case n.Ref != "": // generators ignore what is beside a $ref, or make a second type of it
		return out.With("allOf", []object.Object{c.ref(n.Ref)})
	case n.OneOf != nil:
		return append(out, c.union(n)...)
	}
	if n.Types == nil && n.Enum == nil && !n.HasConst {
		return object.Object{} // any JSON; with a description some generators make an object of it
	}
	c.value(&out, n)
	if n.IsStruct() {
		c.members(&out, n)
	}
	if n.AdditionalProperties != nil {
		out.Set("additionalProperties", c.schema(n.AdditionalProperties))
	}
	if n.Items != nil {
		out.Set("items", c.schema(n.Items))
	}
	return out
}

// describe returns the description of n, with the known values of an open enum.
func describe(n *Node) string {
	if n.XEnum == nil || n.NotEnum != nil {
		return n.Description
	}
	known := "Known values: " + strings.Join(n.XEnum, ", ") + "."
	return strings.TrimSpace(n.Description + " " + known)
}

// value writes the type of n, and its values if the list of them is closed. The tag of an arm that
// takes unknown values, too, has the known ones.
func (c *codegen) value(out *object.Object, n *Node) {
	values := n.Enum
	switch {
	case n.HasConst:
		values = []any{n.Const}
	case n.NotEnum != nil:
		for _, v := range n.XEnum {
			values = append(values, v)
		}
	}
	types := n.Types
	if types == nil && values != nil {
		types = []string{kindOf(values[0])}
	}
	switch len(types) {
	case 0:
	case 1:
		out.Set("type", types[0])
	default:
		out.Set("type", types)
	}
	if values != nil { // also for a const, which some generators take for any string
		out.Set("enum", values)
	}
}

// members writes the members of a struct.
func (c *codegen) members(out *object.Object, n *Node) {
	var required []string
	properties := object.Object{}
	for _, p := range n.Properties {
		if c.drops(p.Node) || !c.sends(p.Direction) {
			continue
		}
		properties.Set(p.Name, c.schema(p.Node))
		if p.Required {
			required = append(required, p.Name)
		}
	}
	if required != nil {
		out.Set("required", required)
	}
	out.Set("properties", properties)
	out.Set("additionalProperties", c.others())
}

// others writes what members that are not named may be. An empty schema says the same as true, but
// makes more generators keep them.
func (c *codegen) others() any {
	if c.closed {
		return false
	}
	return object.Object{}
}

// union writes the known arms of n.
func (c *codegen) union(n *Node) object.Object {
	var arms []object.Object
	for _, arm := range c.arms(n) {
		arms = append(arms, c.schema(arm))
	}
	if len(arms) == 1 {
		return arms[0]
	}
	var out object.Object
	if tag := c.discriminator(n); tag != "" {
		out.Set("discriminator", object.Of("propertyName", tag))
	}
	out.Set("oneOf", arms)
	return out
}

// discriminator returns the member that tells all arms of n apart, or "" if there is none that
// every tool takes: of an arm that is a union itself, or has several values of the tag, some make
// types that reject their own lines.
func (c *codegen) discriminator(n *Node) string {
	u, ok := c.s.Union(n)
	if !ok || len(u.Tags) != 1 {
		return ""
	}
	tag := u.Tags[0]
	for _, arm := range c.arms(n) {
		if len(c.s.tagValues(c.s.definitionOf(c.s.Resolve(arm)), tag)) != 1 {
			return ""
		}
	}
	return tag
}
