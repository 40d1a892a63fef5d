package schemaedit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ccwire/ccwire/internal/jsontext"
)

// width is where lines of the schema files are broken.
const width = 120

// A listEdit replaces the list at a JSON pointer of a file.
type listEdit struct {
	pointer string
	items   []string // JSON texts
	fill    bool     // as many items on a line as fit, instead of one
}

// applyEdits makes the edits and leaves the rest of text as it is.
func applyEdits(text []byte, edits []listEdit) ([]byte, error) {
	for _, e := range edits {
		begin, end, err := span(text, e.pointer)
		if err != nil {
			return nil, err
		}
		text = slices.Concat(text[:begin], []byte(e.layout(text[:begin])), text[end:])
	}
	return text, nil
}

// layout writes the list in the manner of the files: on one line if it fits, else indented below
// the line it starts on.
func (e listEdit) layout(before []byte) string {
	line := string(before[bytes.LastIndexByte(before, '\n')+1:])
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	if short := "[" + strings.Join(e.items, ", ") + "]"; utf8.RuneCountInString(line+short) <= width {
		return short
	}
	pad := indent + "  "
	var lines []string
	for i, item := range e.items {
		if i < len(e.items)-1 {
			item += ","
		}
		last := len(lines) - 1
		if e.fill && last >= 0 && utf8.RuneCountInString(lines[last]+" "+item) <= width {
			lines[last] += " " + item
		} else {
			lines = append(lines, pad+item)
		}
	}
	return "[\n" + strings.Join(lines, "\n") + "\n" + indent + "]"
}

// span returns where the value at a JSON pointer begins and ends in text.
func span(text []byte, pointer string) (begin, end int, err error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	for _, segment := range strings.Split(pointer, "/")[1:] {
		if err := enterMember(dec, jsontext.UnescapePointer(segment)); err != nil {
			return 0, 0, fmt.Errorf("%s: %w", pointer, err)
		}
	}
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		return 0, 0, err
	}
	end = int(dec.InputOffset())
	return end - len(raw), end, nil
}

// enterMember opens the array or object that follows and goes to the member or element of that
// name.
func enterMember(dec *json.Decoder, name string) error {
	open, err := dec.Token()
	if err != nil {
		return err
	}
	for i := 0; dec.More(); i++ {
		key := fmt.Sprint(i)
		if open == json.Delim('{') {
			t, err := dec.Token()
			if err != nil {
				return err
			}
			key = t.(string)
		}
		if key == name {
			return nil
		}
		var skipped json.RawMessage
		if err := dec.Decode(&skipped); err != nil {
			return err
		}
	}
	return fmt.Errorf("there is no %q", name)
}
