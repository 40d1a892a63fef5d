package scrub

import (
	"regexp"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/schema"
)

// A vocabulary is what the schemas know.
type vocabulary struct {
	names   map[string]bool            // of members
	words   map[string]map[string]bool // values, by the name of the member that has them
	all     map[string]bool            // these values
	numbers map[string]bool            // members that have numbers
	opaque  map[string]bool            // members whose value the schemas say nothing of
	typed   map[string]bool            // members whose value they describe
	maps    map[string]bool            // members that have a map: its names are anybody's
}

// free reports whether the schemas do not say what is at a member of an object, or in the map, that
// is at another member.
func (v *vocabulary) free(member, around string) bool {
	if !v.names[member] {
		return !v.maps[around]
	}
	return v.opaque[member] && !v.typed[member]
}

// methods are those of MCP.
var methods = []string{
	"completion/complete", "elicitation/create", "initialize", "logging/setLevel", "ping", "prompts/get", "prompts/list", "resources/list",
	"resources/read", "resources/subscribe", "resources/templates/list", "resources/unsubscribe", "roots/list", "sampling/createMessage", "tools/call", "tools/list",
	"notifications/cancelled", "notifications/elicitation/complete", "notifications/initialized", "notifications/message", "notifications/progress",
	"notifications/prompts/list_changed", "notifications/resources/list_changed", "notifications/resources/updated", "notifications/roots/list_changed",
	"notifications/tools/list_changed",
}

// known returns the vocabulary of all schemas.
var known = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{names: map[string]bool{}, words: map[string]map[string]bool{}, all: map[string]bool{}, numbers: map[string]bool{},
		opaque: map[string]bool{}, typed: map[string]bool{}, maps: map[string]bool{}}
	v.word("jsonrpc", "2.0")
	for _, m := range methods {
		v.word("method", m)
	}
	for _, set := range []*schema.Set{schema.Default(), schema.Transcripts()} {
		for _, d := range set.Definitions() {
			v.node(set, d.Node)
			for _, name := range d.Tool {
				for _, member := range []string{"name", "tool", "tool_name", "toolName", "tools"} {
					v.word(member, name)
				}
			}
		}
	}
	return v
})

// node takes the members of an object and of what is in it.
func (v *vocabulary) node(set *schema.Set, n *schema.Node) {
	if n == nil {
		return
	}
	for i := range n.Properties {
		p := &n.Properties[i]
		v.names[p.Name] = true
		if p.Node.Opaque && p.Node.Content == nil {
			v.opaque[p.Name] = true
		} else {
			v.typed[p.Name] = true
		}
		v.values(set, p.Name, p.Node, map[*schema.Node]bool{})
		v.node(set, p.Node)
	}
	v.node(set, n.AdditionalProperties)
	v.node(set, n.Items)
	v.node(set, n.Content)
	for _, arm := range n.OneOf {
		v.node(set, arm)
	}
}

// values takes the words that a member may have as its value, or in a list or map.
func (v *vocabulary) values(set *schema.Set, member string, n *schema.Node, seen map[*schema.Node]bool) {
	if n == nil || seen[n] {
		return
	}
	seen[n] = true
	if n.HasType("integer") || n.HasType("number") {
		v.numbers[member] = true
	}
	if text, ok := n.Const.(string); ok && n.HasConst {
		v.word(member, text)
	}
	for _, one := range n.Enum {
		if text, ok := one.(string); ok {
			v.word(member, text)
		}
	}
	for _, text := range n.XEnum {
		v.word(member, text)
	}
	for _, text := range n.NotEnum {
		v.word(member, text)
	}
	v.maps[member] = v.maps[member] || n.AdditionalProperties != nil
	if n.Ref != "" {
		v.values(set, member, set.Resolve(n), seen)
	}
	v.values(set, member, n.Items, seen)
	v.values(set, member, n.AdditionalProperties, seen)
	v.values(set, member, n.Content, seen)
	for _, arm := range n.OneOf {
		v.values(set, member, arm, seen)
	}
	for _, tag := range n.LegacyTags {
		v.word("type", tag.Tag)
		v.word("subtype", tag.Tag)
	}
}

func (v *vocabulary) word(member, text string) {
	if v.words[member] == nil {
		v.words[member] = map[string]bool{}
	}
	v.words[member][text] = true
	v.all[text] = true
}

// identifier finds names that a programmer gives: words of letters, joined by case, "_" or "-".
var identifier = regexp.MustCompile(`^_?[A-Za-z]{1,24}(?:[_-][A-Za-z]{1,24}){0,7}$`)

// stays reports whether a name that the schemas do not know may stay.
func (s *Scrubber) stays(name string) bool {
	if !s.KeepNames || len(name) > 48 || !identifier.MatchString(name) {
		return false
	}
	lower := strings.ToLower(name)
	for _, private := range s.private {
		if strings.Contains(lower, private) {
			return false
		}
	}
	return true
}
