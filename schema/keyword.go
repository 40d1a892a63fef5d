package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ccwire/ccwire/internal/jsontext"
)

// keywords maps each keyword that a schema object may have to the function that reads it. What is
// not in the table is an error, so nothing in a schema is silently ignored.
var keywords map[string]func(p *parser, n *Node, at string, raw json.RawMessage) error

func init() {
	keywords = map[string]func(p *parser, n *Node, at string, raw json.RawMessage) error{
		"$ref":                 (*parser).ref,
		"$schema":              (*parser).atRoot,
		"$id":                  (*parser).atRoot,
		"$defs":                (*parser).atRoot,
		"description":          text(func(n *Node) *string { return &n.Description }),
		"type":                 (*parser).types,
		"const":                (*parser).constant,
		"enum":                 list(func(n *Node) *[]any { return &n.Enum }),
		"properties":           (*parser).properties,
		"required":             list(func(n *Node) *[]string { return &n.Required }),
		"additionalProperties": sub(func(n *Node) **Node { return &n.AdditionalProperties }),
		"items":                sub(func(n *Node) **Node { return &n.Items }),
		"oneOf":                (*parser).oneOf,
		"not":                  (*parser).not,
		"examples":             list(func(n *Node) *[]json.RawMessage { return &n.Examples }),
		"x-enum":               list(func(n *Node) *[]string { return &n.XEnum }),
		"x-enum-partial":       flag(func(n *Node) *bool { return &n.Partial }),
		"x-opaque":             flag(func(n *Node) *bool { return &n.Opaque }),
		"x-content":            sub(func(n *Node) **Node { return &n.Content }),
		"x-arms":               text(func(n *Node) *string { return &n.Arms }),
		"x-unknown":            flag(func(n *Node) *bool { return &n.Unknown }),
		"x-legacy-tags":        (*parser).legacyTags,
		"x-modern":             list(func(n *Node) *[]PatchOp { return &n.Modern }),
		"x-essential":          text(func(n *Node) *string { return &n.Essential }),
		"x-send-required":      list(func(n *Node) *[]string { return &n.SendRequired }),
		"x-direction":          oneWord(func(n *Node) *string { return &n.Direction }, "sdk-to-cli", "cli-to-sdk", "both"),
		"x-since":              version(func(n *Node) *string { return &n.Since }),
		"x-required-since":     version(func(n *Node) *string { return &n.RequiredSince }),
		"x-evidence":           oneWord(func(n *Node) *string { return &n.Evidence }, "observed", "declared", "recognised", "described", "legacy"),
		"x-rejects":            list(func(n *Node) *[]Reject { return &n.Rejects }),
		"x-tool":               list(func(n *Node) *[]string { return &n.Tool }),
		"x-tool-input":         text(func(n *Node) *string { return &n.ToolInput }),
		"x-tool-result":        text(func(n *Node) *string { return &n.ToolResult }),
	}
}

type keyword = func(p *parser, n *Node, at string, raw json.RawMessage) error

// text reads a string that is not empty.
func text(field func(*Node) *string) keyword {
	return func(_ *parser, n *Node, _ string, raw json.RawMessage) error {
		if err := strict(raw, field(n)); err != nil {
			return err
		}
		if *field(n) == "" {
			return errors.New("is empty")
		}
		return nil
	}
}

// version reads the number of a CLI version.
func version(field func(*Node) *string) keyword {
	return func(_ *parser, n *Node, _ string, raw json.RawMessage) error {
		if err := strict(raw, field(n)); err != nil {
			return err
		}
		if _, ok := parseVersion(*field(n)); !ok {
			return fmt.Errorf("is %q, want a version such as 2.1.325", *field(n))
		}
		return nil
	}
}

// oneWord reads a string that must be one of words.
func oneWord(field func(*Node) *string, words ...string) keyword {
	return func(_ *parser, n *Node, _ string, raw json.RawMessage) error {
		if err := strict(raw, field(n)); err != nil {
			return err
		}
		if !slices.Contains(words, *field(n)) {
			return fmt.Errorf("is %q, want one of %q", *field(n), words)
		}
		return nil
	}
}

// flag reads true; false is written by leaving the keyword out.
func flag(field func(*Node) *bool) keyword {
	return func(_ *parser, n *Node, _ string, raw json.RawMessage) error {
		if err := strict(raw, field(n)); err != nil {
			return err
		}
		if !*field(n) {
			return errors.New("is false, leave it out instead")
		}
		return nil
	}
}

// list reads an array that is not empty.
func list[T any](field func(*Node) *[]T) keyword {
	return func(_ *parser, n *Node, _ string, raw json.RawMessage) error {
		if err := strict(raw, field(n)); err != nil {
			return err
		}
		if len(*field(n)) == 0 {
			return errors.New("is an empty list, leave it out instead")
		}
		return nil
	}
}

// sub reads a schema.
func sub(field func(*Node) **Node) keyword {
	return func(p *parser, n *Node, at string, raw json.RawMessage) error {
		*field(n) = p.node(at, raw)
		return nil
	}
}

func (p *parser) atRoot(*Node, string, json.RawMessage) error {
	return errors.New("is allowed at the root of a file only")
}

func (p *parser) ref(n *Node, _ string, raw json.RawMessage) error {
	var ref string
	if err := strict(raw, &ref); err != nil {
		return err
	}
	name, err := absolute(p.file, ref)
	n.Ref = name
	return err
}

func (p *parser) types(n *Node, _ string, raw json.RawMessage) error {
	if bytes.HasPrefix(raw, []byte("[")) {
		if err := strict(raw, &n.Types); err != nil {
			return err
		}
	} else {
		n.Types = make([]string, 1)
		if err := strict(raw, &n.Types[0]); err != nil {
			return err
		}
	}
	for _, t := range n.Types {
		if !slices.Contains([]string{"string", "number", "integer", "boolean", "null", "array", "object"}, t) {
			return fmt.Errorf("has the unknown type %q", t)
		}
	}
	return nil
}

func (p *parser) constant(n *Node, _ string, raw json.RawMessage) error {
	n.HasConst = true
	return strict(raw, &n.Const)
}

func (p *parser) properties(n *Node, at string, raw json.RawMessage) error {
	ms, err := members(raw)
	if err != nil {
		return err
	}
	for _, m := range ms {
		n.Properties = append(n.Properties, Property{Name: m.name, Node: p.node(at+"/"+jsontext.EscapePointer(m.name), m.raw)})
	}
	return nil
}

func (p *parser) oneOf(n *Node, at string, raw json.RawMessage) error {
	var arms []json.RawMessage
	if err := strict(raw, &arms); err != nil {
		return err
	}
	if len(arms) < 2 {
		return errors.New("needs at least two arms")
	}
	for i, arm := range arms {
		n.OneOf = append(n.OneOf, p.node(fmt.Sprintf("%s/%d", at, i), arm))
	}
	return nil
}

// not reads the two forms in use: a list of tags that an unknown arm leaves to others, and members
// that a legacy arm must not have.
func (p *parser) not(n *Node, at string, raw json.RawMessage) error {
	ms, err := members(raw)
	if err != nil {
		return err
	}
	for _, m := range ms {
		switch m.name {
		case "enum":
			err = strict(m.raw, &n.NotEnum)
		case "required":
			err = strict(m.raw, &n.NotRequired)
		default:
			p.fail(at+"/"+jsontext.EscapePointer(m.name), errors.New("unknown keyword: not may hold enum or required only"))
		}
		if err != nil {
			return err
		}
	}
	if len(ms) != 1 {
		return errors.New("must hold either enum or required")
	}
	return nil
}

func (p *parser) legacyTags(n *Node, _ string, raw json.RawMessage) error {
	ms, err := members(raw)
	if err != nil {
		return err
	}
	for _, m := range ms {
		tag := LegacyTag{Tag: m.name}
		if string(m.raw) != "null" {
			if err := strict(m.raw, &tag.Modern); err != nil {
				return err
			}
		}
		n.LegacyTags = append(n.LegacyTags, tag)
	}
	return nil
}
