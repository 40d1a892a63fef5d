package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The types that the libraries fill are inferred from the lines themselves: for each kind of line a
// struct with every member that the corpus shows, and no other. A member that some lines lack, or
// that is null in some, is a pointer. What ccwire keeps raw is a json.RawMessage.

// A shape is what the values at one place of a kind's lines have in common.
type shape struct {
	seen    int // values
	null    bool
	raw     bool // values of different kinds, or opaque
	scalar  string
	order   []string          // of the members, as they first came
	members map[string]*shape // of an object; the one of a map is under ""
	element *shape            // of an array
	isMap   bool
}

// opaque are the members that ccwire keeps as text, by the end of their path.
var opaque = []string{
	"/tool_input", "/tool_response", "/tool_use_result", "/content/[]/input", "/content_block/input",
	"can_use_tool:/request/input", "mcp_message:/request/message", "/response/response",
	"/context_management", "/permission_denials/[]", "/entries/[]", "/structured_output",
}

// isMap are the objects whose members are named by data.
var isMap = []string{"/modelUsage", "/model_usage_since_last_result", "/by_type"}

func endsIn(path string, list []string) bool {
	return slices.ContainsFunc(list, func(end string) bool { return strings.HasSuffix(path, end) })
}

// add makes the shape one of v too, the value at path.
func (s *shape) add(path string, v json.RawMessage) {
	s.seen++
	switch v = bytes.TrimSpace(v); {
	case s.raw:
	case string(v) == "null":
		s.null = true
	case endsIn(path, opaque):
		s.raw = true
	case v[0] == '{':
		s.object(path, v)
	case v[0] == '[':
		s.scalarIs("[]")
		var list []json.RawMessage
		must(json.Unmarshal(v, &list))
		if s.element == nil {
			s.element = new(shape)
		}
		for _, e := range list {
			s.element.add(path+"/[]", e)
		}
	case v[0] == '"':
		s.scalarIs("string")
	case v[0] == 't' || v[0] == 'f':
		s.scalarIs("bool")
	case bytes.ContainsAny(v, ".eE"):
		s.scalarIs("float64")
	default:
		s.scalarIs("int64")
	}
}

// scalarIs notes the kind of a value.
func (s *shape) scalarIs(kind string) {
	switch {
	case s.scalar == "" || s.scalar == kind:
		s.scalar = kind
	case strings.Contains("int64 float64", s.scalar) && strings.Contains("int64 float64", kind):
		s.scalar = "float64"
	default:
		s.raw = true
	}
}

func (s *shape) object(path string, v json.RawMessage) {
	s.scalarIs("{}")
	s.isMap = endsIn(path, isMap)
	if s.members == nil {
		s.members = map[string]*shape{}
	}
	d := json.NewDecoder(bytes.NewReader(v))
	_, err := d.Token()
	for must(err); d.More(); {
		token, err := d.Token()
		must(err)
		var value json.RawMessage
		must(d.Decode(&value))
		name := token.(string)
		if s.isMap {
			name = ""
		}
		if s.members[name] == nil {
			s.members[name] = new(shape)
			s.order = append(s.order, name)
		}
		s.members[name].add(path+"/"+token.(string), value)
	}
}

// goType returns the Go type of the values.
func (s *shape) goType() string {
	switch {
	case s.raw || s.scalar == "" || s.scalar == "{}" && len(s.members) == 0:
		return "json.RawMessage"
	case s.isMap:
		return "map[string]" + s.members[""].goType()
	case s.scalar == "[]":
		return "[]" + s.element.goType()
	case s.scalar != "{}":
		return s.scalar
	}
	var b strings.Builder
	b.WriteString("struct {\n")
	used := map[string]bool{}
	for _, name := range s.order {
		m := s.members[name]
		kind, tag := m.goType(), name
		nillable := strings.HasPrefix(kind, "[]") || strings.HasPrefix(kind, "map") || kind == "json.RawMessage"
		if m.null || m.seen < s.seen {
			if !nillable {
				kind = "*" + kind
			}
			if !m.null {
				tag += ",omitempty"
			}
		}
		field := exported(name)
		for used[field] {
			field += "X"
		}
		used[field] = true
		fmt.Fprintf(&b, "%s %s `json:%q`\n", field, kind, tag)
	}
	b.WriteString("}")
	return b.String()
}

// exported returns a name as a Go identifier.
func exported(name string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return !('a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9') }) {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	if b.Len() == 0 || b.String()[0] <= '9' {
		return "F" + b.String()
	}
	return b.String()
}

// kindOf names the kind of a line, which the libraries are told beforehand. What is inside a line,
// such as a stream event or the blocks of a message, has one type for all that it can be, as the
// hand-written types of SDKs have.
func kindOf(text []byte) string {
	var v struct {
		Type, Subtype string
		Request       struct{ Subtype string }
		Message       struct{ Content any }
	}
	_ = json.Unmarshal(text, &v) // what is of another form has no part in the name
	parts := []string{v.Type, v.Subtype, v.Request.Subtype}
	if v.Type == "user" {
		parts = append(parts, contentKind(v.Message.Content))
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(parts, ":")
}

// contentKind tells the forms of a user message's content apart, which have no type in common: the
// libraries would only skip it.
func contentKind(content any) string {
	list, ok := content.([]any)
	if !ok {
		return "text"
	}
	for _, block := range list {
		if block, _ := block.(map[string]any); block["type"] == "tool_result" {
			if _, ok := block["content"].(string); !ok {
				return "blocks:list"
			}
		}
	}
	return "blocks"
}

// writePlain writes the package that holds the types of the kinds.
func writePlain(dir string, lines [][]byte) error {
	kinds := map[string]*shape{}
	for _, l := range lines {
		k := kindOf(l)
		if kinds[k] == nil {
			kinds[k] = new(shape)
		}
		kinds[k].add(k+":", l)
	}
	var b bytes.Buffer
	name := filepath.Base(dir)
	fmt.Fprintf(&b, "// Code generated by go run . -write-types; DO NOT EDIT.\n\n// Package %s holds a type for each kind of line.\npackage %s\n\nimport \"encoding/json\"\n\n", name, name)
	b.WriteString("// New makes a value for a kind of line.\nvar New = map[string]func() any{\n")
	sorted := slices.Sorted(maps.Keys(kinds))
	for _, k := range sorted {
		fmt.Fprintf(&b, "%q: func() any { return new(%s) },\n", k, exported(k))
	}
	b.WriteString("}\n")
	for _, k := range sorted {
		fmt.Fprintf(&b, "\ntype %s %s\n", exported(k), kinds[k].goType())
	}
	source, err := format.Source(b.Bytes())
	if err != nil {
		return fmt.Errorf("%w in\n%s", err, b.Bytes())
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "types_gen.go"), source, 0o666)
}
