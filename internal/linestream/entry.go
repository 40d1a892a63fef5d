package linestream

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/ccwire/ccwire/internal/jsontext"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/schema"
)

// entry is an entry of a recording with the place of its line.
type entry struct {
	recording.Entry
	isEntry    bool   // it has a dir and no type; otherwise it is a frame
	start, end int    // of the value of line in the entry; 0 without line
	text       []byte // what was sent
	exact      bool   // line_b64 has it
}

// readEntry reads an entry, or an object that is not one. The error says why the text is neither.
// What was sent may be put into the memory of buf.
func readEntry(text, buf []byte) (entry, error) {
	if e, ok := readUsual(text, buf); ok {
		return e, nil
	}
	return readAny(text)
}

// usualMembers are those beside dir and line that an entry may have without a change of what the
// line is.
var usualMembers = map[string]bool{
	"t_ms": true, "t": true, "number": true, "total": true, "unterminated": true, "code": true,
	"signal": true, "stderr": true, "scenario": true, "version": true, "args": true,
	"started": true, "of": true, "lost": true,
}

// readUsual reads an entry of the usual form: with one dir and at most one line, both strings, and
// usual members. It is false for any other text.
func readUsual(text, buf []byte) (e entry, ok bool) {
	s := jsontext.NewScanner(text)
	if !s.Open() {
		return e, false
	}
	for {
		name, ok := s.Key()
		if !ok {
			break
		}
		switch {
		case string(name) == "dir" && !e.isEntry && s.Peek() == '"':
			dir, _ := s.String()
			e.isEntry, e.Dir = true, recording.Dir(dir)
		case string(name) == "line" && e.end == 0 && s.Peek() == '"':
			e.start = s.Pos
			sent, end, fault := jsontext.ReadText(buf[:0], text, s.Pos+1)
			if fault != 0 {
				return e, false
			}
			s.Pos = end + 1
			e.text, e.end = sent, s.Pos
		case string(name) == "key" && e.Key == "" && s.Peek() == '"':
			key, _ := s.String()
			e.Key = string(key)
		case !usualMembers[string(name)] || !s.Skip():
			return e, false
		}
		if !s.OK() {
			return e, false
		}
	}
	// A surrogate without its other half is not UTF-8.
	return e, s.Finish() && e.isEntry && utf8.Valid(e.text) && utf8.ValidString(string(e.Dir))
}

// readAny is readEntry for texts of any form.
func readAny(text []byte) (e entry, err error) {
	if !utf8.Valid(text) {
		return e, errors.New("it is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return e, errors.New("it is not a JSON object")
	}
	isFrame := false
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return e, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return e, err
		}
		isString := value[0] == '"'
		switch name {
		case "dir":
			e.isEntry = isString
		case "line":
			if e.start, e.end = 0, 0; isString {
				e.end = int(d.InputOffset())
				e.start = e.end - len(value)
			}
		case "type":
			isFrame = true
		}
	}
	if _, err := d.Token(); err != nil { // the closing brace
		return e, err
	}
	if _, err := d.Token(); err != io.EOF {
		return e, errors.New("something follows the JSON object")
	}
	if e.isEntry = e.isEntry && !isFrame; e.isEntry {
		err = e.fill(text)
	}
	return e, err
}

// fill sets what the entry says. Members of another kind than ours are those of another recorder,
// and are left out.
func (e *entry) fill(text []byte) error {
	var kind *json.UnmarshalTypeError
	if err := json.Unmarshal(text, &e.Entry); err != nil && !errors.As(err, &kind) {
		return err
	}
	e.text = []byte(e.Line)
	if e.Base64 == "" {
		return nil
	}
	e.Unterminated = true // the LF is not part of the line
	exact, err := e.Bytes()
	if err != nil {
		return errors.New("line_b64 is not base64")
	}
	e.text, e.exact = exact, true
	return nil
}

// skip says why the entry holds no line to look at, or returns "".
func (e *entry) skip() string {
	_, known := directions[e.Dir]
	switch {
	case !known:
		return "not a line of the protocol"
	case e.Truncated != 0:
		return "shortened by the recorder"
	case e.end == 0 && !e.exact:
		return "without a line"
	}
	return ""
}

var directions = map[recording.Dir]schema.Direction{
	recording.ToSDK: schema.FromCLI,
	recording.ToCLI: schema.FromSDK,
}
