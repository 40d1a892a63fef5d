package linecheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/schema"
)

// entry judges one entry of a transcript. There is no decoder for those, so what the schemas say is
// all: the strict form wants their closed one, the lint lists what they do not name.
func (c *Checker) entry(line []byte) (found []Finding) {
	if c.lint {
		listed, err := schema.Transcripts().Lint(schema.TranscriptEntry, line)
		if err != nil {
			return []Finding{fromDecoder(err)}
		}
		for _, d := range listed {
			f := Finding{Severity: Lint, Deviation: d}
			if d.Kind == codec.Invalid {
				f.Severity = Error
			}
			found = append(found, f)
		}
		return found
	}
	err := schema.Transcripts().Closed().Validate(schema.TranscriptEntry, line)
	var listed *schema.Error
	switch {
	case errors.As(err, &listed):
		for _, v := range listed.Violations {
			found = append(found, Finding{Severity: Error, Deviation: v.Deviation, Keyword: v.Keyword})
		}
	case err != nil:
		found = []Finding{fromDecoder(err)}
	}
	return found
}

// mirrored judges the entries in a line of the type transcript_mirror, as those of a file. It says
// nothing of other lines.
func (c *Checker) mirrored(line []byte) (found []Finding) {
	if !bytes.Contains(line, []byte(`"transcript_mirror"`)) {
		return nil
	}
	entries, ok := mirrorEntries(line)
	if !ok {
		return nil
	}
	for i, e := range entries {
		for _, f := range c.entry(e.text) {
			f.Path = "/entries/" + strconv.Itoa(i) + f.Path
			if f.Offset >= 0 {
				f.Offset += e.offset
			}
			found = append(found, f)
		}
	}
	return found
}

// A mirrorEntry is an entry with its place in the line.
type mirrorEntry struct {
	text   []byte
	offset int
}

// mirrorEntries returns the entries of a mirror line; it is false for any other line.
func mirrorEntries(line []byte) (entries []mirrorEntry, ok bool) {
	d := json.NewDecoder(bytes.NewReader(line))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, false
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, false
		}
		switch name {
		case "type":
			ok = string(value) == `"transcript_mirror"`
		case "entries":
			entries = elements(value, int(d.InputOffset())-len(value))
		}
	}
	return entries, ok
}

// elements returns the elements of an array that begins at an offset.
func elements(array []byte, offset int) (list []mirrorEntry) {
	d := json.NewDecoder(bytes.NewReader(array))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return nil
	}
	for d.More() {
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return list
		}
		list = append(list, mirrorEntry{value, offset + int(d.InputOffset()) - len(value)})
	}
	return list
}
