package linecheck

import "github.com/ccwire/ccwire/codec"

// A Severity says how much a finding weighs.
type Severity string

const (
	Error Severity = "error" // the line is not valid, or not a line of the protocol
	Lint  Severity = "lint"  // the line can be read, but is not as the schemas have it
)

// A Finding is a deviation with the place of its line.
type Finding struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`           // from 1; 0 for what is about the whole file
	Part     int      `json:"part,omitempty"` // from 1, if an entry of a recording holds several lines
	Severity Severity `json:"severity"`

	// Path and Offset are in the protocol line.
	codec.Deviation

	// Keyword is the place in the schemas that forbids it, such as "hook/matcher.json#/required";
	// empty for what the decoder or the lint found.
	Keyword string `json:"keyword,omitempty"`
}

// A Summary counts what the inputs held.
type Summary struct {
	Files      int `json:"files"`      // that could be opened
	Unreadable int `json:"unreadable"` // that could not be opened, or not be read to their end
	Lines      int `json:"lines"`      // lines of the protocol, blank ones too
	Invalid    int `json:"invalid"`    // lines with an error
	Odd        int `json:"odd"`        // lines without an error that the lint has something to say of
	Blank      int `json:"blank"`      // blank lines
	Skipped    int `json:"skipped"`    // entries of a recording that hold no line of the protocol
	Unchecked  int `json:"unchecked"`  // answers whose bodies were not judged, for want of their requests
	Findings   int `json:"findings"`   // all together
}

// add adds the counts of other lines.
func (s *Summary) add(o *Summary) {
	s.Lines += o.Lines
	s.Invalid += o.Invalid
	s.Odd += o.Odd
	s.Blank += o.Blank
	s.Skipped += o.Skipped
	s.Unchecked += o.Unchecked
	s.Findings += o.Findings
}

// omitted is the finding that stands for others of a file.
func omitted(name string, severity Severity, n int) Finding {
	d := codec.Deviation{Kind: codec.Omitted, Detail: count(n, "more finding", "more findings"), Count: n}
	return Finding{File: name, Severity: severity, Deviation: d}
}
