// Package structured holds the answers of the model to a JSON Schema. It finds the same mistakes as
// the CLI, in the same order, and says them in the same words.
package structured

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// Schema is the form that an answer must have.
type Schema struct{ root object.Object }

// Parse reads a schema that is a text.
func Parse(text string) (*Schema, error) {
	v, err := object.Parse([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("is not valid JSON: %w", err)
	}
	root, ok := v.(object.Object)
	if !ok {
		return nil, errors.New("must be a JSON object")
	}
	s, err := New(root)
	if err != nil {
		return nil, fmt.Errorf("is not a valid JSON Schema: %w", err)
	}
	return s, nil
}

// New returns the schema that an object is. What the CLI does not know in a schema is an error.
func New(root object.Object) (*Schema, error) {
	s := &Schema{root}
	if v, ok := root.Lookup("$schema"); ok && !slices.Contains(dialects, fmt.Sprint(v)) {
		return nil, fmt.Errorf("no schema with key or ref %q", fmt.Sprint(v))
	}
	if err := s.look(root); err != nil {
		return nil, err
	}
	return s, nil
}

// dialects are the values of $schema that the CLI knows.
var dialects = []string{"http://json-schema.org/draft-07/schema", "http://json-schema.org/draft-07/schema#"}

// keywords are the keywords that the CLI knows, with what their values are: a schema, a list of
// schemas, a map of them, either of a schema and a list, or anything else.
var keywords = map[string]string{
	"additionalProperties": "schema", "propertyNames": "schema", "additionalItems": "schema", "contains": "schema", "not": "schema", "if": "schema",
	"then": "schema", "else": "schema", "items": "either", "allOf": "list", "anyOf": "list", "oneOf": "list",
	"properties": "map", "patternProperties": "map", "$defs": "map", "definitions": "map",
}

func init() {
	for name := range strings.FieldsSeq("$id $schema $ref $comment $anchor type required minProperties maxProperties dependencies enum const nullable " +
		"multipleOf maximum minimum exclusiveMaximum exclusiveMinimum maxLength minLength pattern format maxItems minItems uniqueItems " +
		"title description default deprecated readOnly writeOnly examples contentMediaType contentEncoding") {
		keywords[name] = "other"
	}
}

// look looks for what the CLI does not know in a schema.
func (s *Schema) look(v any) error {
	o, ok := v.(object.Object)
	if _, boolean := v.(bool); boolean {
		return nil
	}
	if !ok {
		return errors.New("a schema must be object,boolean")
	}
	for _, m := range o {
		if err := s.lookAt(m.Name, m.Value); err != nil {
			return err
		}
	}
	return nil
}

func (s *Schema) lookAt(keyword string, value any) error {
	kind, known := keywords[keyword]
	list, isList := value.([]any)
	switch {
	case !known:
		return fmt.Errorf("strict mode: unknown keyword: %q", keyword)
	case keyword == "type":
		for _, name := range texts(value) {
			if !slices.Contains(kinds, name) {
				return errors.New("type must be equal to one of the allowed values")
			}
		}
	case keyword == "$ref":
		if _, ok := s.resolve(fmt.Sprint(value)); !ok {
			return fmt.Errorf("can't resolve reference %v from id #", value)
		}
	case kind == "schema", kind == "either" && !isList:
		return s.look(value)
	case kind == "list", kind == "either":
		return each(list, s.look)
	case kind == "map":
		o, ok := value.(object.Object)
		if !ok {
			return fmt.Errorf("%s must be object", keyword)
		}
		for _, m := range o {
			if err := s.look(m.Value); err != nil {
				return err
			}
		}
	}
	return nil
}

func each(list []any, see func(any) error) error {
	for _, v := range list {
		if err := see(v); err != nil {
			return err
		}
	}
	return nil
}

// resolve returns the part of the schema that a reference names.
func (s *Schema) resolve(ref string) (any, bool) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil, false
	}
	var v any = s.root
	for _, name := range strings.Split(path, "/")[1:] {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
		o, ok := v.(object.Object)
		if !ok || !o.Has(name) {
			return nil, false
		}
		v = o.Get(name)
	}
	return v, true
}

// texts are the texts of a value that is one, or a list of them.
func texts(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		list := []string{}
		for _, e := range v {
			if s, ok := e.(string); ok {
				list = append(list, s)
			}
		}
		return list
	}
	return nil
}
