package schemaedit

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/jsontext"
	"github.com/ccwire/ccwire/schema"
)

// A tree is what schema files say of unions. [schema.Load] refuses files whose unions are out of
// date, so they are read here, as far as unions go.
type tree struct {
	definitions map[string]*node // by name
	unions      []*node          // those that have x-arms
}

// A node is a schema: the keywords that say what the arms of a union are, and those below which
// there may be a union.
type node struct {
	file, pointer string

	Ref   string `json:"$ref"` // once the node is in a tree, the name of a definition
	Arms  string `json:"x-arms"`
	OneOf []*node

	Properties map[string]*node
	Required   []string
	Const      any
	Enum       []any
	XEnum      []string `json:"x-enum"`
	Not        struct{ Enum []string }

	Items                *node
	AdditionalProperties *node
	Content              *node `json:"x-content"`

	Defs map[string]*node `json:"$defs"`
}

// parse reads the files.
func parse(texts map[string][]byte) (*tree, error) {
	t := &tree{definitions: map[string]*node{}}
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		if err := t.addFile(file, texts[file]); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// addFile adds the definitions of a file: the root if it says something of instances, and $defs.
func (t *tree) addFile(file string, text []byte) error {
	var root *node
	if err := json.Unmarshal(text, &root); err != nil {
		return &schema.LoadError{File: file, Err: err}
	}
	var keywords map[string]json.RawMessage
	if err := json.Unmarshal(text, &keywords); err != nil {
		return &schema.LoadError{File: file, Err: err}
	}
	if err := t.add(root, file, ""); err != nil {
		return err
	}
	maps.DeleteFunc(keywords, func(name string, _ json.RawMessage) bool {
		return name == "$schema" || name == "$id" || name == "$defs"
	})
	if len(keywords) > 0 {
		t.definitions[file] = root
	}
	for _, name := range slices.Sorted(maps.Keys(root.Defs)) {
		n, at := root.Defs[name], "/$defs/"+jsontext.EscapePointer(name)
		if err := t.add(n, file, at); err != nil {
			return err
		}
		t.definitions[file+"#"+at] = n
	}
	return nil
}

// add says of a node, and of those in it, where they are, and notes the unions.
func (t *tree) add(n *node, file, pointer string) error {
	if n == nil {
		return &schema.LoadError{File: file, Pointer: pointer, Err: errors.New("is null")}
	}
	n.file, n.pointer = file, pointer
	if n.Ref != "" {
		n.Ref = absolute(file, n.Ref)
	}
	if n.Arms != "" {
		t.unions = append(t.unions, n)
	}
	inside := map[string]*node{
		"/items": n.Items, "/additionalProperties": n.AdditionalProperties, "/x-content": n.Content,
	}
	maps.DeleteFunc(inside, func(_ string, n *node) bool { return n == nil }) // those that it lacks
	for name, p := range n.Properties {
		inside["/properties/"+jsontext.EscapePointer(name)] = p
	}
	for i, arm := range n.OneOf {
		inside[fmt.Sprintf("/oneOf/%d", i)] = arm
	}
	for _, at := range slices.Sorted(maps.Keys(inside)) {
		if err := t.add(inside[at], file, pointer+at); err != nil {
			return err
		}
	}
	return nil
}

// absolute turns a $ref in file into the name of the definition that it points to.
func absolute(file, ref string) string {
	target, pointer, _ := strings.Cut(ref, "#")
	if target == "" {
		target = file
	} else {
		target = path.Join(path.Dir(file), target)
	}
	if pointer == "" {
		return target
	}
	return target + "#" + pointer
}

// resolve follows the refs of n.
func (t *tree) resolve(n *node) (*node, error) {
	for seen := map[*node]bool{}; n.Ref != ""; {
		next := t.definitions[n.Ref]
		switch {
		case next == nil:
			return nil, fmt.Errorf("%s#%s points to %s, which does not exist", n.file, n.pointer, n.Ref)
		case seen[next]:
			return nil, fmt.Errorf("%s#%s leads through %s in a circle", n.file, n.pointer, n.Ref)
		}
		seen[next] = true
		n = next
	}
	return n, nil
}
