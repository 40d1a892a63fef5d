package linestream

import (
	"encoding/base64"
	"errors"

	"github.com/ccwire/ccwire/internal/jsontext"
	"github.com/ccwire/ccwire/schema"
)

// entry is what an entry of a recording says.
type entry struct {
	dir        string
	hasDir     bool
	hasType    bool
	line       string
	start, end int // of the value of line in the entry; 0 without line
	exact      []byte
	shortened  bool
}

// readEntry reads the members of an entry that matter here. The error says
// that the text, which must not be empty, is no JSON object.
func readEntry(text []byte) (e entry, err error) {
	if text[0] != '{' {
		return e, errors.New("it is no JSON object")
	}
	d := jsontext.NewScanner(text)
	if !d.Open() {
		return e, &d.Fault
	}
	for {
		key, ok := d.Key()
		if !ok {
			break
		}
		name, isString := string(key), d.Kind() == jsontext.KindString
		start := d.Pos
		switch {
		case name == "dir" && isString:
			e.dir, e.hasDir = d.String()
		case name == "line" && isString:
			if e.line, ok = d.String(); ok {
				e.start, e.end = start, d.Pos
			}
		case name == "line_b64" && isString:
			if coded, ok := d.String(); ok {
				e.exact, err = base64.StdEncoding.DecodeString(coded)
			}
		default:
			e.hasType = e.hasType || name == "type"
			e.shortened = e.shortened || name == "truncated_from_chars"
			d.Skip()
		}
	}
	if err != nil {
		return e, errors.New("line_b64 is not base64")
	}
	if !d.Finish() {
		return e, &d.Fault
	}
	return e, nil
}

// isEntry reports whether the object is an entry of a recording rather than a frame.
func (e *entry) isEntry() bool { return e.hasDir && !e.hasType }

// skip says why the entry holds no line to look at, or returns "".
func (e *entry) skip() string {
	_, known := directions[e.dir]
	switch {
	case !known:
		return "not a line of the protocol"
	case e.shortened:
		return "shortened by the recorder"
	case e.end == 0 && e.exact == nil:
		return "without a line"
	}
	return ""
}

// text returns what was sent.
func (e *entry) text() []byte {
	if e.exact != nil {
		return e.exact
	}
	return []byte(e.line)
}

var directions = map[string]schema.Direction{
	"cli->sdk": schema.FromCLI,
	"sdk->cli": schema.FromSDK,
}
