package schema

import (
	"encoding/json"
	"strings"

	"github.com/ccwire/ccwire/internal/jsontext"
)

// A Definition is a schema with a name: the root of a file, or an entry of the file's $defs.
type Definition struct {
	File    string // slash-separated path from the schema root, such as "control/interrupt.json"
	Pointer string // "" for the root of the file, else "/$defs/" and the entry's name
	*Node
}

// Name returns the name by which refs and [Set.Lookup] know the definition: the file, then "#" and
// the pointer unless it is the root, such as "control/interrupt.json#/$defs/Request" or
// "shared/usage.json".
func (d *Definition) Name() string { return location(d.File, d.Pointer) }

// key is the name of the definition in $defs, "" for the root.
func (d *Definition) key() string {
	return jsontext.UnescapePointer(strings.TrimPrefix(d.Pointer, "/$defs/"))
}

// A Node is one schema object, with its keywords in typed fields. Lists are in the order of the
// file.
//
// A Node that is shared by all users of a [Set] must not be changed.
type Node struct {
	File    string // the file the node is in
	Pointer string // JSON pointer of the node in its file

	Description string
	Direction   string // x-direction: "sdk-to-cli", "cli-to-sdk" or "both"
	Since       string // x-since: the oldest CLI version that is known to have it, "" if unknown
	Evidence    string // x-evidence: "observed", "declared", "recognised", "described" or "legacy"

	RequiredSince string // x-required-since: the oldest CLI version from which on the member is never missing

	Essential string // x-essential: of a required member, why an object without it is of no use to a reader

	Ref   string   // name of the definition that $ref points to, "" without $ref
	Types []string // type, also when it is a single one

	Const    any // const, when HasConst
	HasConst bool
	Enum     []any    // enum: a closed list
	XEnum    []string // x-enum: the known values of an open list
	Partial  bool     // x-enum-partial: the list is known to lack values, so others are not reported

	Properties           []Property
	Required             []string
	SendRequired         []string // x-send-required: members that a sender must give, strings not empty, though a reader must not insist
	AdditionalProperties *Node    // the values of a map
	Items                *Node

	OneOf       []*Node
	NotEnum     []string // not.enum: the tags that an arm for unknown ones leaves to the other arms
	NotRequired []string // not.required: members that must not all be there

	Opaque  bool  // x-opaque: any JSON of the stated type, to be passed on untouched
	Content *Node // x-content: what an opaque value holds, not enforced

	Tool       []string // x-tool: names of the tool whose input or result it is, today's first
	ToolInput  string   // x-tool-input: the member beside it that names the tool whose input it is
	ToolResult string   // x-tool-result: the member beside it that names the tool whose result it is

	Arms       string      // x-arms: glob of the definitions that oneOf lists
	Unknown    bool        // x-unknown: the arm for tags that no other arm has
	LegacyTags []LegacyTag // x-legacy-tags: tag values that old peers use
	Modern     []PatchOp   // x-modern: how a legacy shape becomes its modern form

	Examples []json.RawMessage
	Rejects  []Reject // x-rejects: broken instances
}

// Location returns the place of the node, file and pointer, as error messages show it.
func (n *Node) Location() string { return location(n.File, n.Pointer) }

// Legacy reports whether the node is a shape that is read and never sent.
func (n *Node) Legacy() bool { return n.Evidence == "legacy" }

// Property returns the property of that name, or nil.
func (n *Node) Property(name string) *Property {
	for i := range n.Properties {
		if n.Properties[i].Name == name {
			return &n.Properties[i]
		}
	}
	return nil
}

// HasType reports whether the type keyword lists t.
func (n *Node) HasType(t string) bool {
	for _, have := range n.Types {
		if have == t {
			return true
		}
	}
	return false
}

// IsStruct reports whether instances are objects with the members that Properties lists and, in the
// closed form, no others: not a map, not opaque, not a choice. An object without any property is a
// struct without members.
func (n *Node) IsStruct() bool {
	return n.HasType("object") && n.AdditionalProperties == nil && n.OneOf == nil && !n.Opaque
}

// A Property is one named member of an object. Its Required hides the list of the same name in
// Node, which is about the members of the value.
type Property struct {
	Name     string
	Required bool
	*Node
}

// A LegacyTag is the value of a tag that only old peers use.
type LegacyTag struct {
	Tag    string
	Modern string // the tag of the arm it stands for, "" if there is none
}

// A PatchOp is one step of the way from a legacy shape to its modern form, with the meaning of RFC
// 6902.
type PatchOp struct {
	Op    string          `json:"op"`
	From  string          `json:"from,omitempty"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value,omitempty"`
}

// A Reject is a broken instance of a definition.
type Reject struct {
	Value json.RawMessage `json:"value"`
	At    string          `json:"at"`  // JSON pointer of the problem in Value
	Why   string          `json:"why"` // what is wrong with it
}

func location(file, pointer string) string {
	if pointer == "" {
		return file
	}
	return file + "#" + pointer
}
