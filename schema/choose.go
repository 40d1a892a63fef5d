package schema

import (
	"fmt"
	"slices"
	"strings"
)

// A choice is what the tags of an instance say about the arm it belongs to.
type choice struct {
	arm    *Arm   // nil if the tags select no arm
	legacy []*Arm // legacy arms that the tags do not rule out
	tag    string // without an arm: the member that is at fault,
	reason string // and what is wrong with it
}

// choose finds the arm of an object by its tags. In the closed form there are no unknown and no
// legacy arms.
func (u *Union) choose(v map[string]any, closed bool) choice {
	var c choice
	if !closed {
		for _, arm := range u.Arms {
			if arm.Legacy && arm.fits(v) {
				c.legacy = append(c.legacy, arm)
			}
		}
	}
	for b := u.root; ; {
		if b.arm != nil {
			c.arm = b.arm
			return c
		}
		c.tag = b.tag
		value, ok := v[b.tag]
		if !ok {
			c.reason = missing(b.tag)
			return c
		}
		tag, ok := value.(string)
		if !ok {
			c.reason = fmt.Sprintf("got %s, want a string", article(kindOf(value)))
			return c
		}
		next := b.values[tag]
		if next == nil && b.other != nil && !closed && b.other.arm.Tag(b.tag).matches(tag) {
			next = b.other
		}
		if next == nil {
			c.reason = fmt.Sprintf("got %q, want %s", clip(tag), alternatives(b.known()))
			return c
		}
		b = next
	}
}

// fits reports whether every tag of the arm is there with one of its values.
func (a *Arm) fits(v map[string]any) bool {
	for i := range a.Tags {
		value, ok := v[a.Tags[i].Name].(string)
		if !ok || !a.Tags[i].matches(value) {
			return false
		}
	}
	return true
}

func (b *branch) known() []string {
	var names []string
	for v := range b.values {
		names = append(names, fmt.Sprintf("%q", v))
	}
	slices.Sort(names)
	return names
}

// alternatives joins names as "a, b or c"; of a long list it gives the beginning.
func alternatives(names []string) string {
	const limit = 8
	if len(names) > limit+1 { // one more is as short as saying so
		return fmt.Sprintf("%s or %d others", strings.Join(names[:limit], ", "), len(names)-limit)
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

func missing(name string) string { return fmt.Sprintf("missing required member %q", name) }

// kindOf names the JSON kind of a decoded value.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	default:
		return "number"
	}
}

// article puts the kind into a sentence.
func article(kind string) string {
	switch kind {
	case "null":
		return "null"
	case "array", "object":
		return "an " + kind
	case "integer":
		return "a whole number"
	default:
		return "a " + kind
	}
}
