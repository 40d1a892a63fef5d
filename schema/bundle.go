package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"unicode"

	"github.com/ccwire/ccwire/internal/object"
)

// BundleOptions say what [Set.Bundle] writes.
type BundleOptions struct {
	Direction   Direction // whose lines the root is
	Annotations bool      // keep the keywords x-…, which validators in strict mode refuse
}

// Bundle returns one JSON Schema document for validators, which needs no other: its root is a line,
// and its $defs hold every other definition under a flat name, such as InterruptRequest. Validators
// need no options for it, and the first error is about the arm of a union that the tag selects. An
// open enum is written as a choice between its known values and any string, so that readers see the
// values. Equal sets give equal bytes.
func (s *Set) Bundle(o BundleOptions) ([]byte, error) {
	names, err := s.BundleNames()
	if err != nil {
		return nil, err
	}
	root := s.Lookup(o.Direction.Definition())
	if root == nil {
		return nil, fmt.Errorf("schema: there is no %s to be the root of the bundle", o.Direction.Definition())
	}
	f := &form{
		ref: func(name string) string {
			if name == root.Name() {
				return "#"
			}
			return "#/$defs/" + names[name]
		},
		union:  func(out *object.Object, n *Node, arms []object.Object) { s.writeUnion(out, n, arms) },
		types:  writeTypes,
		absent: writeAbsent,
		items:  "items",
		values: "additionalProperties",
		enum: func(out *object.Object, n *Node, types, values []any) {
			open := object.Object{}
			writeTypes(&open, types)
			out.Set("anyOf", []object.Object{object.Of("enum", values), open})
		},
	}
	f.notes = func(out *object.Object, n *Node) {
		if o.Annotations {
			annotate(out, s, f, n)
			return
		}
		if n.Description != "" {
			out.Set("description", n.Description)
		}
		if n.Examples != nil {
			out.Set("examples", n.Examples)
		}
	}
	doc := object.Of("$schema", Draft, "$id", Base+"bundle.json", "$comment", "Revision "+s.Revision(), "title", names[root.Name()])
	doc = append(doc, f.emit(s, root.Node)...)
	var defs object.Object
	for _, d := range s.definitions {
		if d != root {
			defs.Set(names[d.Name()], f.emit(s, d.Node))
		}
	}
	doc.Set("$defs", defs)
	return indent(doc)
}

// indent writes a document for people, too.
func indent(doc object.Object) ([]byte, error) {
	var indented bytes.Buffer
	err := json.Indent(&indented, object.Append(nil, doc), "", "  ")
	indented.WriteByte('\n')
	return indented.Bytes(), err
}

// annotate writes the keywords of n that say nothing about validity, but for those that only the
// files need.
func annotate(out *object.Object, s *Set, f *form, n *Node) {
	word := func(name, value string) {
		if value != "" {
			out.Set(name, value)
		}
	}
	word("description", n.Description)
	word("x-direction", n.Direction)
	word("x-since", n.Since)
	word("x-required-since", n.RequiredSince)
	word("x-evidence", n.Evidence)
	word("x-essential", n.Essential)
	if n.Unknown {
		out.Set("x-unknown", true)
	}
	if n.Opaque {
		out.Set("x-opaque", true)
	}
	if n.Content != nil {
		out.Set("x-content", f.emit(s, n.Content))
	}
	if n.LegacyTags != nil {
		var tags object.Object
		for _, t := range n.LegacyTags {
			var modern any
			if t.Modern != "" {
				modern = t.Modern
			}
			tags.Set(t.Tag, modern)
		}
		out.Set("x-legacy-tags", tags)
	}
	if n.Modern != nil {
		out.Set("x-modern", n.Modern)
	}
	if n.SendRequired != nil {
		out.Set("x-send-required", n.SendRequired)
	}
	if n.XEnum != nil {
		out.Set("x-enum", n.XEnum)
	}
	if n.Partial {
		out.Set("x-enum-partial", true)
	}
	if n.Examples != nil {
		out.Set("examples", n.Examples)
	}
}

// BundleNames returns the names that definitions have in the bundle, by their own. One is that of
// its file and its own, and that of its folder in front where two would be the same.
func (s *Set) BundleNames() (map[string]string, error) {
	count := map[string]int{}
	short := func(d *Definition) string {
		return pascal(strings.TrimSuffix(path.Base(d.File), ".json")) + pascal(d.key())
	}
	for _, d := range s.definitions {
		count[short(d)]++
	}
	names, taken := map[string]string{}, map[string]string{}
	for _, d := range s.definitions {
		name := short(d)
		if count[name] > 1 {
			name = pascal(path.Dir(d.File)) + name
		}
		if other, ok := taken[name]; ok {
			return nil, fmt.Errorf("schema: %s and %s would both be %s in the bundle", other, d.Name(), name)
		}
		taken[name] = d.Name()
		names[d.Name()] = name
	}
	return names, nil
}

// pascal writes "system.task_started" as "SystemTaskStarted".
func pascal(s string) string {
	var b strings.Builder
	upper := true
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			upper = true
		case upper:
			b.WriteRune(unicode.ToUpper(r))
			upper = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
