package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/jsontext"
)

// A LoadError is one mistake in a schema file.
type LoadError struct {
	File    string
	Pointer string // JSON pointer of the mistake in the file
	Err     error
}

func (e *LoadError) Error() string { return fmt.Sprintf("schema %s#%s: %v", e.File, e.Pointer, e.Err) }

func (e *LoadError) Unwrap() error { return e.Err }

// parser turns the text of one file into nodes. It collects mistakes and goes on.
type parser struct {
	file string
	errs []error
	all  []*Node // every node of the file, parents after children
}

func (p *parser) fail(pointer string, err error) {
	p.errs = append(p.errs, &LoadError{p.file, pointer, err})
}

// definitions parses the file and returns what it defines: the root if it says something about
// instances, then $defs.
func (p *parser) definitions(text []byte) (defs []*Definition, id string) {
	ms, err := members(text)
	if err != nil {
		p.fail("", err)
		return nil, ""
	}
	var root []member
	var inner json.RawMessage
	for _, m := range ms {
		switch m.name {
		case "$schema":
			var draft string
			if err := strict(m.raw, &draft); err != nil || draft != Draft {
				p.fail("/$schema", fmt.Errorf("is %s, want %q", m.raw, Draft))
			}
		case "$id":
			if err := strict(m.raw, &id); err != nil {
				p.fail("/$id", err)
			}
		case "$defs":
			inner = m.raw
		default:
			root = append(root, m)
		}
	}
	if len(root) > 0 {
		defs = append(defs, &Definition{File: p.file, Node: p.keywords("", root)})
	}
	if inner != nil {
		ms, err := members(inner)
		if err != nil {
			p.fail("/$defs", err)
		}
		for _, m := range ms {
			at := "/$defs/" + jsontext.EscapePointer(m.name)
			defs = append(defs, &Definition{File: p.file, Pointer: at, Node: p.node(at, m.raw)})
		}
	}
	if len(defs) == 0 {
		p.fail("", errors.New("defines nothing"))
	}
	return defs, id
}

// node parses one schema object. It never returns nil, so that the caller can go on after a
// mistake.
func (p *parser) node(at string, raw json.RawMessage) *Node {
	ms, err := members(raw)
	if err != nil {
		p.fail(at, err)
	}
	return p.keywords(at, ms)
}

func (p *parser) keywords(at string, ms []member) *Node {
	n := &Node{File: p.file, Pointer: at}
	for _, m := range ms {
		pointer := at + "/" + jsontext.EscapePointer(m.name)
		read, ok := keywords[m.name]
		if !ok {
			p.fail(pointer, fmt.Errorf("unknown keyword %q", m.name))
			continue
		}
		if err := read(p, n, pointer, m.raw); err != nil {
			p.fail(pointer, err)
		}
	}
	for _, name := range append(n.Required[:len(n.Required):len(n.Required)], n.SendRequired...) {
		if n.Property(name) == nil {
			p.fail(at+"/required", fmt.Errorf("%q is not among the properties", name))
		}
	}
	for _, prop := range n.Properties {
		for _, name := range []string{prop.ToolInput, prop.ToolResult} {
			if name != "" && n.Property(name) == nil {
				p.fail(prop.Pointer, fmt.Errorf("the name of its tool, %q, is not among the properties beside it", name))
			}
		}
	}
	for i := range n.Properties {
		for _, name := range n.Required {
			if n.Properties[i].Name == name {
				n.Properties[i].Required = true
			}
		}
	}
	if n.Partial && (n.XEnum == nil || n.NotEnum != nil) {
		p.fail(at+"/x-enum-partial", errors.New("is for an x-enum, and not for one that tells arms apart"))
	}
	p.all = append(p.all, n)
	return n
}

type member struct {
	name string
	raw  json.RawMessage
}

// members returns the members of a JSON object in their order. They share the memory of raw.
func members(raw []byte) ([]member, error) {
	s := jsontext.NewScanner(raw)
	if c := s.Peek(); c != '{' && s.Skip() {
		return nil, fmt.Errorf("is %s, want an object", clip(string(raw)))
	}
	var ms []member
	for s.Open(); s.OK(); {
		name, ok := s.Key()
		if !ok {
			break
		}
		m := member{name: string(name)}
		if slices.ContainsFunc(ms, func(before member) bool { return before.name == m.name }) {
			return nil, fmt.Errorf("has the member %q twice", m.name)
		}
		s.Peek() // moves past the space before the value
		from := s.Pos
		if s.Skip() {
			m.raw = raw[from:s.Pos:s.Pos]
			ms = append(ms, m)
		}
	}
	if !s.Finish() {
		return nil, fmt.Errorf("is not JSON: want %w", &s.Fault)
	}
	return ms, nil
}

// strict decodes one keyword's value and does not tolerate null or unknown members.
func strict(raw json.RawMessage, into any) error {
	if string(raw) == "null" {
		return errors.New("is null")
	}
	if text, ok := into.(*string); ok && raw[0] == '"' { // most are, and a Decoder takes longer
		s := jsontext.NewScanner(raw)
		*text, ok = s.String()
		if ok {
			return nil
		}
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}

// absolute turns a $ref in file into the name of the definition it points to.
func absolute(file, ref string) (string, error) {
	target, pointer, _ := strings.Cut(ref, "#")
	if strings.Contains(target, ":") || strings.HasPrefix(target, "/") {
		return ref, fmt.Errorf("%q is not a path relative to the file", ref)
	}
	if target == "" {
		target = file
	} else {
		target = path.Join(path.Dir(file), target)
	}
	return location(target, pointer), nil
}

// clip shortens text for an error message.
func clip(s string) string {
	const limit = 40
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}
