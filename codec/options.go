package codec

// Limits that hold unless an Options value says otherwise.
const (
	// DefaultMaxDepth is how deep objects and arrays may nest.
	DefaultMaxDepth = 1000
	// DefaultMaxLine is how long a line may be, in bytes.
	DefaultMaxLine = 16 << 20
	// DefaultLargeLine is how long a line may be before it is noted as Large.
	DefaultLargeLine = 1 << 20
)

// Options say how a line is decoded. The zero value is the tolerant mode with
// the default limits and copied memory.
type Options struct {
	// Strict turns every deviation into an error: unknown members, tags and
	// values, legacy shapes, optional members that do not decode.
	Strict bool

	// Report, if not nil, is called for every deviation that the tolerant mode
	// accepts, once the line has been read to its end. A line that does not
	// decode reports none. Report must not use the Decoder.
	Report func(Deviation)

	// MaxDepth is how deep objects and arrays may nest; 0 means DefaultMaxDepth.
	MaxDepth int

	// Alias lets decoded strings and raw values share the memory of the line,
	// which must then never be modified. Otherwise they are copied.
	Alias bool
}

// A DeviationKind says in what way a line departs from the schemas.
type DeviationKind uint8

const (
	UnknownMember DeviationKind = iota + 1 // a member that the schema does not name
	UnknownTag                             // a type, subtype or other tag without a schema
	UnknownValue                           // a string outside the values that the schema names
	LegacyShape                            // a shape of older peers, read as its modern form
	KeptRaw                                // an optional member or a list element that does not decode, kept as it is
)

var deviationNames = [...]string{"", "unknown member", "unknown tag", "unknown value", "legacy shape", "kept raw"}

// String returns the kind in words.
func (k DeviationKind) String() string { return nameOf(deviationNames[:], uint8(k)) }

// A Deviation is something that the tolerant mode accepts and keeps but that
// the schemas do not name.
type Deviation struct {
	Kind   DeviationKind
	Path   string // JSON pointer into the line
	Offset int    // byte offset into the line
	Detail string // what was found, or why it did not decode
}

// String returns the deviation as one line for people.
func (v Deviation) String() string {
	at := v.Path
	if at == "" {
		at = "the whole value"
	}
	return v.Kind.String() + " at " + at + ": " + v.Detail
}
