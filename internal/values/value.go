package values

import (
	"strings"

	"github.com/ccwire/ccwire/internal/jsontext"
	"github.com/ccwire/ccwire/schema"
)

// A value is a JSON value as it is drawn: with the spelling of its tokens, the space between them
// and the node that it is an instance of.
type value struct {
	text    string // of a scalar: its token
	object  bool
	array   bool
	members []member
	items   []*value
	space   string // after every bracket, comma and colon

	node *schema.Node // what it is an instance of; nil inside opaque values and for unknown members
}

// A member is a member of an object.
type member struct {
	name  string // its token, with quotes
	value *value
}

// scalar returns a value that is one token.
func scalar(text string) *value { return &value{text: text} }

// kind returns the JSON kind by its name.
func (v *value) kind() string {
	switch {
	case v.object:
		return "object"
	case v.array:
		return "array"
	}
	switch v.text[0] {
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// json returns the text of the value.
func (v *value) json() []byte {
	var b strings.Builder
	v.write(&b)
	return []byte(b.String())
}

func (v *value) write(b *strings.Builder) {
	switch {
	case v.object:
		b.WriteString("{" + v.space)
		for i, m := range v.members {
			if i > 0 {
				b.WriteString("," + v.space)
			}
			b.WriteString(m.name + v.space + ":" + v.space)
			m.value.write(b)
		}
		b.WriteString(v.space + "}")
	case v.array:
		b.WriteString("[" + v.space)
		for i, item := range v.items {
			if i > 0 {
				b.WriteString(v.space + "," + v.space)
			}
			item.write(b)
		}
		b.WriteString(v.space + "]")
	default:
		b.WriteString(v.text)
	}
}

// get returns the member of the name, or nil.
func (v *value) get(name string) *value {
	for i := range v.members {
		if unquote(v.members[i].name) == name {
			return v.members[i].value
		}
	}
	return nil
}

// unquote returns the text of a string token. A lone surrogate becomes the three bytes that UTF-8
// forbids, so that different ones stay different.
func unquote(token string) string {
	text, _ := jsontext.Text([]byte(token)) // what is drawn is JSON
	return text
}

// pointer appends a name to a JSON pointer.
func pointer(at, name string) string { return at + "/" + jsontext.EscapePointer(name) }
