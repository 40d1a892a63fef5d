package manual

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/schema"
)

// A Member is one of an object.
type Member struct {
	Name     string
	Type     Type
	Required bool // a reader may rely on it
	ToSend   bool // a sender must give it, though a reader must not rely on it
	Nullable bool

	Since         string // the oldest version that writes it, if older ones leave it out
	RequiredSince string // the oldest version from which on it is always there
	Evidence      string // what it is known from, if not as its definition is
	Meaning       string
	Values        []string // the known ones, if it is a string with some
	Open          bool     // there may be other values
}

// Marks returns what else is to be said of the member, in words.
func (m *Member) Marks() (marks []string) {
	if m.Required {
		marks = append(marks, "required")
	}
	if m.ToSend {
		marks = append(marks, "required to send")
	}
	if m.Nullable {
		marks = append(marks, "nullable")
	}
	if m.Since != "" {
		marks = append(marks, "since "+m.Since)
	}
	if m.RequiredSince != "" {
		marks = append(marks, "always since "+m.RequiredSince)
	}
	if m.Evidence != "" {
		marks = append(marks, m.Evidence)
	}
	return marks
}

// A Type says what a value is, in pieces, some of which are entries.
type Type []Piece

// A Piece of a type is a text, and the entry that it names, if it does.
type Piece struct {
	Text string
	To   *Entry
}

// String returns the type as one text.
func (t Type) String() string {
	var b strings.Builder
	for _, p := range t {
		b.WriteString(p.Text)
	}
	return b.String()
}

func text(s string) Type { return Type{{Text: s}} }

func (m *Manual) member(d *schema.Definition, p *schema.Property) Member {
	member := Member{
		Name:          p.Name,
		Type:          m.typeOf(p.Node),
		Required:      p.Required,
		ToSend:        !p.Required && slices.Contains(d.SendRequired, p.Name),
		Nullable:      slices.Contains(m.set.Kinds(p.Node), "null") && !p.Opaque,
		Since:         p.Since,
		RequiredSince: p.RequiredSince,
		Evidence:      p.Evidence,
		Meaning:       p.Description,
		Values:        valuesOf(p.Node),
		Open:          p.Partial,
	}
	if target := m.entries[p.Ref]; member.Meaning == "" && target != nil {
		member.Meaning = FirstSentence(target.Definition.Description)
	}
	if p.Items != nil && member.Values == nil {
		member.Values, member.Open = valuesOf(p.Items), p.Items.Partial
	}
	return member
}

// valuesOf returns the values that a node lists itself.
func valuesOf(n *schema.Node) (values []string) {
	values = append(values, n.XEnum...)
	for _, v := range n.Enum {
		if s, ok := v.(string); ok {
			values = append(values, s)
		}
	}
	return values
}

// typeOf says what a node is, but for null.
func (m *Manual) typeOf(n *schema.Node) Type {
	switch {
	case n.Ref != "":
		e := m.entries[n.Ref]
		return Type{{e.Title(), e}}
	case n.HasConst:
		constant, _ := json.Marshal(n.Const) // it was read from JSON
		return text(string(constant))
	case n.OneOf != nil:
		return m.choice(n.OneOf)
	case n.Opaque && n.Content != nil:
		return m.typeOf(n.Content)
	case n.ToolInput != "":
		return text("the tool's input")
	case n.ToolResult != "":
		return text("the tool's result")
	case n.AdditionalProperties != nil:
		return append(text("map of "), m.typeOf(n.AdditionalProperties)...)
	case n.Items != nil:
		return append(text("list of "), m.typeOf(n.Items)...)
	}
	var types []string
	for _, t := range n.Types {
		if t != "null" {
			types = append(types, t)
		}
	}
	switch {
	case len(types) == 0:
		return text("any")
	case n.Opaque:
		return text("any " + strings.Join(types, " or "))
	}
	return text(strings.Join(types, " or "))
}

// choice says what one of several nodes is.
func (m *Manual) choice(arms []*schema.Node) (t Type) {
	for _, arm := range arms {
		if len(arm.Types) == 1 && arm.Types[0] == "null" {
			continue
		}
		if t != nil {
			t = append(t, Piece{Text: " or "})
		}
		t = append(t, m.typeOf(arm)...)
	}
	return t
}
