package codec

import "strings"

// Limits that hold unless an Options value says otherwise.
const (
	// DefaultMaxDepth is how deep objects and arrays may nest.
	DefaultMaxDepth = 1000
	// DefaultMaxLine is how long a line may be, in bytes.
	DefaultMaxLine = 16 << 20
	// DefaultMaxDeviations is how many deviations of a line are reported.
	DefaultMaxDeviations = 100
	// DefaultLargeLine is how long a line may be before it is noted as Large.
	DefaultLargeLine = 1 << 20
)

// Options say how a line is decoded. The zero value is the tolerant mode with the default limits
// and copied memory.
type Options struct {
	// Strict turns every deviation into an error: unknown members, tags and values, legacy shapes,
	// optional members that do not decode.
	Strict bool

	// Report, if not nil, is called for every deviation that the tolerant mode accepts, once the
	// line has been read to its end. A line that does not decode reports none. Report must not use
	// the Decoder.
	Report func(Deviation)

	// MaxDeviations is how many deviations of a line are reported; 0 means DefaultMaxDeviations. If
	// there are more, one Omitted that counts them follows. Paths of more than 1 KiB are shortened.
	// A negative number reports all, with their whole paths.
	MaxDeviations int

	// MaxDepth is how deep objects and arrays may nest; 0 means DefaultMaxDepth.
	MaxDepth int

	// Alias lets decoded strings and raw values share the memory of the line, which must then never
	// be modified. Otherwise they are copied.
	Alias bool
}

// A DeviationKind says in what way a line departs from the protocol.
type DeviationKind uint8

const (
	UnknownMember DeviationKind = iota + 1 // a member that the schema does not name
	UnknownTag                             // a type, subtype or other tag without a schema
	UnknownValue                           // a string outside the values that the schema names
	LegacyShape                            // a shape of older peers, read as its modern form

	// Invalid is a value that does not fit its schema. If it is an optional member or an element of
	// a list, the tolerant mode keeps it as it is; elsewhere the line does not decode.
	Invalid

	// Omitted stands for deviations past the limit. It has their number as its Count, and no place.
	Omitted

	// The kinds below are for tools that check whole streams; decoding a line returns an error or a
	// line of another kind instead.

	Malformed // not JSON, not UTF-8, a duplicate member, nested too deep
	Noise     // a line that is not an object, or has a byte-order mark or a CR
	Oversize  // a line over the limit
)

var deviationNames = [...]string{"", "unknown member", "unknown tag", "unknown value", "legacy shape", "invalid",
	"omitted", "malformed", "noise", "oversize"}

// String returns the kind in words.
func (k DeviationKind) String() string { return nameOf(deviationNames[:], uint8(k)) }

// MarshalText returns the kind as it is in JSON, such as "unknown-member".
func (k DeviationKind) MarshalText() ([]byte, error) {
	return []byte(strings.ReplaceAll(k.String(), " ", "-")), nil
}

// A Deviation is one way in which a line departs from the protocol: what the tolerant mode accepts
// and keeps, what the schemas reject, or what is odd about the text itself. The decoder, the
// schemas and the tools all report it.
type Deviation struct {
	Kind   DeviationKind `json:"kind"`
	Path   string        `json:"path"`            // JSON pointer into the line; of the member itself if it is missing
	Offset int           `json:"offset"`          // byte offset into the line
	Detail string        `json:"detail"`          // what was found, or why it does not fit
	Count  int           `json:"count,omitempty"` // for Omitted: how many deviations it stands for
}

// String returns the deviation as one line for people.
func (v Deviation) String() string {
	at := v.Path
	if at == "" {
		at = "the whole value"
	}
	return v.Kind.String() + " at " + at + ": " + v.Detail
}
