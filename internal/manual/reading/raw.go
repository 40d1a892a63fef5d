package reading

import (
	"bytes"
	"encoding/json"

	"github.com/ccwire/ccwire/internal/terminal"
)

// A rawMember is a member of an object as it is written.
type rawMember struct {
	name  string
	value json.RawMessage
}

// members returns the members of an object in their order, none for another value.
func members(text []byte) (list []rawMember) {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		t, err := d.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			return list
		}
		m := rawMember{name: name}
		if d.Decode(&m.value) != nil {
			return list
		}
		list = append(list, m)
	}
	return list
}

// preview returns the beginning of a text in one line, safe to print.
func preview(text []byte) string {
	if len(text) > 4*maxText {
		text = text[:4*maxText]
	}
	return terminal.Cut(terminal.Printable(string(text)), maxText)
}
