package recording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// node is a JSON value that keeps the order of members and the text of numbers.
type node struct {
	kind    byte     // '{', '[', '"', or 0 for anything else
	names   []string // of an object's members
	items   []*node  // members or elements
	text    string   // of a string
	literal string   // of a number, true, false, null
}

// parseNode reads one JSON value.
func parseNode(data []byte) (*node, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	n, err := readNode(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("something follows the JSON value")
	}
	return n, nil
}

func readNode(d *json.Decoder) (*node, error) {
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := tok.(type) {
	case json.Delim:
		n := &node{kind: byte(t)}
		for d.More() {
			if n.kind == '{' {
				name, err := d.Token()
				if err != nil {
					return nil, err
				}
				n.names = append(n.names, name.(string))
			}
			item, err := readNode(d)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, item)
		}
		_, err := d.Token() // the closing delimiter
		return n, err
	case string:
		return &node{kind: '"', text: t}, nil
	case json.Number:
		return &node{literal: t.String()}, nil
	case bool:
		return &node{literal: fmt.Sprint(t)}, nil
	}
	return &node{literal: "null"}, nil
}

// get returns the member of that name, nil if there is none.
func (n *node) get(name string) *node {
	for i, k := range n.names {
		if k == name {
			return n.items[i]
		}
	}
	return nil
}

// String returns the value as compact JSON.
func (n *node) String() string { return string(n.append(nil)) }

func (n *node) append(b []byte) []byte {
	switch n.kind {
	case '{', '[':
		b = append(b, n.kind)
		for i, item := range n.items {
			if i > 0 {
				b = append(b, ',')
			}
			if n.kind == '{' {
				b = append(appendString(b, n.names[i]), ':')
			}
			b = item.append(b)
		}
		return append(b, n.kind+2) // '}' follows '{' by two, ']' follows '['
	case '"':
		return appendString(b, n.text)
	}
	return append(b, n.literal...)
}

func appendString(b []byte, s string) []byte {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return append(b, `""`...)
	}
	return append(b, bytes.TrimRight(buf.Bytes(), "\n")...)
}

// shape describes the kinds in a value, without its contents.
func (n *node) shape() string {
	switch n.kind {
	case '{':
		s := "{"
		for i, k := range n.names {
			s += k + ":" + n.items[i].shape() + ","
		}
		return s + "}"
	case '[':
		s := "["
		for _, item := range n.items {
			if one := item.shape(); !bytes.Contains([]byte(s), []byte(one)) {
				s += one + ","
			}
		}
		return s + "]"
	case '"':
		return "s"
	}
	switch n.literal {
	case "true", "false":
		return "b"
	case "null":
		return "0"
	}
	return "n"
}
