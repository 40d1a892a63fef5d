package linecheck

// A Severity says how much a finding weighs.
type Severity string

const (
	Error Severity = "error" // the line is not valid, or not a line of the protocol
	Lint  Severity = "lint"  // the line can be read, but is not as the schemas have it
)

// A Kind says what sort of thing a finding is.
type Kind string

const (
	Malformed     Kind = "malformed"      // not JSON, not UTF-8, a member twice, nested too deep
	Invalid       Kind = "invalid"        // does not fit the schemas
	UnknownMember Kind = "unknown-member" // a member that the schema does not name
	UnknownType   Kind = "unknown-type"   // a type, subtype or other tag without a schema
	UnknownValue  Kind = "unknown-value"  // a string outside the values that the schema names
	Legacy        Kind = "legacy"         // a shape of older peers
	Noise         Kind = "noise"          // a line that is no JSON object, or has a byte-order mark or a CR
	Oversize      Kind = "oversize"       // a line over the limit
	Entry         Kind = "entry"          // a line of a recording that is no entry
)

// A Finding is one thing that is wrong or odd in an input.
type Finding struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`           // from 1
	Part     int      `json:"part,omitempty"` // from 1, if an entry of a recording holds several lines
	Severity Severity `json:"severity"`
	Kind     Kind     `json:"kind"`
	Pointer  string   `json:"pointer"` // JSON pointer into the protocol line; "" is the whole line
	Message  string   `json:"message"`
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
	Findings   int `json:"findings"`   // all together
}
