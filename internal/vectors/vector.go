package vectors

import (
	"encoding/base64"
	"encoding/json"
	"unicode/utf8"
)

// Format is the version of the format. It changes when a reader of the old one would be wrong.
const Format = 1

// A Header is the first line.
type Header struct {
	Format   int    `json:"format"`
	Revision string `json:"schema_revision"`
	Vectors  int    `json:"vectors"` // how many follow
}

// A Source says where a vector comes from.
type Source string

const (
	Example   Source = "example"   // an example in a schema
	Reject    Source = "reject"    // a broken instance in a schema
	Framing   Source = "framing"   // a stream that breaks parsers of lines
	Recording Source = "recording" // what a CLI or an SDK wrote
)

// Sources are all sources, in the order of the output.
var Sources = []Source{Example, Reject, Framing, Recording}

// A Vector is one test. Its input is a value, a line that is not JSON, or a stream; the latter two
// are in base64 where they are not UTF-8.
type Vector struct {
	ID     string `json:"id"`
	Source Source `json:"source"`

	Definition string `json:"definition,omitempty"` // the schema that judges, its path and pointer
	Title      string `json:"title,omitempty"`      // its name in the bundle; of a stream, what is odd about it
	Direction  string `json:"direction,omitempty"`  // x-direction of the schemas
	Version    string `json:"version,omitempty"`    // of the CLI that was recorded

	Value  json.RawMessage `json:"value,omitempty"`
	Line   *string         `json:"line,omitempty"` // a line that is not a JSON object
	Line64 string          `json:"line_b64,omitempty"`

	Valid *bool   `json:"valid,omitempty"`
	At    *string `json:"at,omitempty"` // JSON pointer of what is wrong
	Why   string  `json:"why,omitempty"`

	Stream   *string `json:"stream,omitempty"`
	Stream64 string  `json:"stream_b64,omitempty"`
	Cuts     []int   `json:"cuts,omitempty"`  // where one write ends and the next begins
	Frames   []Frame `json:"frames,omitzero"` // what a parser finds in the stream
}

// A Frame is what a parser finds on one line of a stream.
type Frame struct {
	Line  int             `json:"line"`            // from 1
	Value json.RawMessage `json:"value,omitempty"` // what it must find; without one, it may find an object
}

// Bytes returns the line or the stream; nil if the vector has neither.
func (v *Vector) Bytes() ([]byte, error) {
	switch {
	case v.Line != nil:
		return []byte(*v.Line), nil
	case v.Stream != nil:
		return []byte(*v.Stream), nil
	case v.Line64+v.Stream64 != "":
		return base64.StdEncoding.DecodeString(v.Line64 + v.Stream64)
	}
	return nil, nil
}

// text returns bytes as a string, or as base64 if they are not UTF-8.
func text(data []byte) (plain *string, encoded string) {
	if !utf8.Valid(data) {
		return nil, base64.StdEncoding.EncodeToString(data)
	}
	s := string(data)
	return &s, ""
}

func (v *Vector) accept() { v.judge(true) }

// refuse makes the vector an invalid one.
func (v *Vector) refuse(at, why string) {
	v.judge(false)
	v.At, v.Why = &at, why
}

func (v *Vector) judge(valid bool) { v.Valid = &valid }
