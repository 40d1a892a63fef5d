package run

import (
	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
)

// A PatchOp is one step from a legacy shape to its modern form, with the meaning that JSON Patch
// (RFC 6902) gives to "add" and "move" on objects.
type PatchOp struct {
	Op    string // "add" or "move"; both replace what stands at Path
	From  string // JSON pointer, for "move"
	Path  string // JSON pointer; "" is the whole document
	Value string // JSON text, for "add"
}

// A Legacy rule reads a shape of older peers as its modern form.
type Legacy struct {
	Name    string   // the schema file that describes the shape
	Tag     string   // the value of the document's "type"
	Present []string // JSON pointers that must lead to a value
	Absent  []string // JSON pointers that must not
	Patch   []PatchOp
}

// Modernize returns the modern form of a line, if the rule applies to it: the line is a JSON object
// with the tag, and every step of the patch finds what it needs. The line is not changed.
func (l *Legacy) Modernize(line []byte) ([]byte, bool) {
	if s, ok := codec.Raw(line).Find("/type").Text(); !ok || s != l.Tag {
		return nil, false
	}
	for _, p := range l.Present {
		if codec.Raw(line).Find(p) == nil {
			return nil, false
		}
	}
	for _, p := range l.Absent {
		if codec.Raw(line).Find(p) != nil {
			return nil, false
		}
	}
	out := append([]byte(nil), line...)
	for _, op := range l.Patch {
		value := Raw(op.Value)
		if op.Op == "move" {
			from := codec.Raw(out).Find(op.From)
			if from == nil {
				return nil, false
			}
			value = append(Raw(nil), from...)
			out = jsontext.Edit(out, op.From, nil)
		}
		if out = jsontext.Edit(out, op.Path, value); out == nil {
			return nil, false
		}
	}
	return out, true
}
