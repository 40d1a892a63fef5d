package codec

import "strings"

// A PatchOp is one step from a legacy shape to its modern form, with the
// meaning that JSON Patch (RFC 6902) gives to "add" and "move" on objects.
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

// Modernize returns the modern form of a line, if the rule applies to it: the
// line is a JSON object with the tag, and every step of the patch finds what it
// needs. The line is not changed.
func (l *Legacy) Modernize(line []byte) ([]byte, bool) {
	if s, ok := Find(line, "/type").Text(); !ok || s != l.Tag {
		return nil, false
	}
	for _, p := range l.Present {
		if Find(line, p) == nil {
			return nil, false
		}
	}
	for _, p := range l.Absent {
		if Find(line, p) != nil {
			return nil, false
		}
	}
	out := append(Raw(nil), line...)
	for _, op := range l.Patch {
		value := Raw(op.Value)
		if op.Op == "move" {
			from := Find(out, op.From)
			if from == nil {
				return nil, false
			}
			value = append(Raw(nil), from...)
			out = edit(out, op.From, nil)
		}
		if out = edit(out, op.Path, value); out == nil {
			return nil, false
		}
	}
	return out, true
}

// Find returns the value that a JSON pointer of object members leads to, or
// nil; the empty pointer leads to the whole document. It is nil too where doc
// is no JSON, or the pointer is neither empty nor begins with a slash. The
// value shares the memory of doc. Of members that repeat it finds the first.
func Find(doc []byte, pointer string) Raw {
	_, start, end := locate(doc, pointer)
	if start < 0 {
		return nil
	}
	return Raw(doc[start:end:end])
}

// locate returns the offsets of a member's name and of its value; start is -1
// if there is none.
func locate(doc []byte, pointer string) (name, start, end int) {
	var d Decoder
	d.Reset(doc, nil)
	d.peek()
	name, start = d.pos, d.pos
	if !d.skip() {
		return -1, -1, -1
	}
	end = d.pos
	if !d.Finish() {
		return -1, -1, -1
	}
	for pointer != "" {
		if pointer[0] != '/' {
			return -1, -1, -1
		}
		step := pointer[1:]
		if i := strings.IndexByte(step, '/'); i >= 0 {
			step = step[:i]
		}
		pointer = pointer[1+len(step):]
		d.pos = start
		if d.peek() != '{' {
			return -1, -1, -1
		}
		for {
			before := d.pos
			key, ok := d.Key()
			if !ok {
				return -1, -1, -1
			}
			found := escapePointer(string(key)) == step
			d.peek()
			at := d.pos
			if !d.skip() {
				return -1, -1, -1
			}
			if found {
				name, start, end = before, at, d.pos
				break
			}
		}
	}
	return name, start, end
}

// edit returns doc with the value at pointer replaced, added at the end of its
// object, or, for a nil value, removed.
func edit(doc []byte, pointer string, value Raw) Raw {
	if pointer == "" {
		return value
	}
	if name, start, end := locate(doc, pointer); start >= 0 {
		if value != nil {
			return splice(doc, start, end, value)
		}
		if doc[name] == '{' { // the first member: its comma stands behind it
			for name++; end < len(doc) && isSpace(doc[end]); end++ {
			}
			if end < len(doc) && doc[end] == ',' {
				end++
			}
		}
		return splice(doc, name, end, nil)
	}
	if value == nil {
		return doc
	}
	i := strings.LastIndexByte(pointer, '/')
	if i < 0 {
		return nil
	}
	_, start, end := locate(doc, pointer[:i])
	if start < 0 || doc[start] != '{' {
		return nil
	}
	member, err := AppendString([]byte{','}, unescapePointer(pointer[i+1:]))
	if err != nil {
		return nil
	}
	member = append(append(member, ':'), value...)
	var d Decoder
	d.Reset(doc[start:end], nil)
	if _, ok := d.Key(); !ok { // an empty object
		member = member[1:]
	}
	return splice(doc, end-1, end-1, member)
}

func splice(doc []byte, from, to int, with []byte) Raw {
	out := make(Raw, 0, len(doc)-(to-from)+len(with))
	out = append(out, doc[:from]...)
	out = append(out, with...)
	return append(out, doc[to:]...)
}
