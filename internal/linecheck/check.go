package linecheck

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/schema"
)

// A Checker judges lines. It may be used by several goroutines.
type Checker struct {
	set  *schema.Set
	lint bool
}

// New returns a Checker by the schemas of set, which must be those that package
// wire was generated from.
func New(set *schema.Set, lint bool) *Checker { return &Checker{set, lint} }

// Check judges one line of a direction. The findings have no file and line.
func (c *Checker) Check(dir schema.Direction, f codec.Line) []Finding {
	switch f.Kind {
	case codec.OversizeLine:
		return []Finding{{Severity: Error, Kind: Oversize, Message: fmt.Sprintf("the line has %d bytes, which is over the limit", f.Len)}}
	case codec.TextLine:
		return []Finding{{Severity: Error, Kind: Noise, Message: "not a JSON object: " + sample(f.Bytes)}}
	}
	var found []Finding
	if c.lint {
		found = oddities(f)
	}
	switch {
	case f.Kind == codec.BlankLine:
		return found
	case c.lint:
		return append(found, c.tolerant(dir, f.Bytes)...)
	}
	return c.strict(dir, f.Bytes)
}

// strict wants the closed form of the schemas and the strict decoder to accept
// the line. The schemas know all problems and the decoder only the first, so it
// is heard where the schemas have nothing to say, and where the text itself is
// broken, since it knows the place.
func (c *Checker) strict(dir schema.Direction, line []byte) []Finding {
	invalid := c.set.Closed().ValidateFrame(dir, line)
	_, undecodable := wire.DecodeFrame(line, &codec.Options{Strict: true})
	var problems *schema.Error
	switch {
	case malformed(undecodable):
		return []Finding{fromDecoder(undecodable)}
	case errors.As(invalid, &problems):
		var found []Finding
		for _, p := range problems.Problems {
			found = append(found, Finding{Severity: Error, Kind: Invalid, Pointer: p.Instance, Message: fmt.Sprintf("%s (%s)", p.Reason, p.Schema)})
		}
		return found
	case undecodable != nil:
		return []Finding{fromDecoder(undecodable)}
	case invalid != nil:
		return []Finding{{Severity: Error, Kind: Malformed, Message: invalid.Error()}}
	}
	return nil
}

// tolerant wants the tolerant decoder to read the line, and lists what the lint
// and the decoder have to say of it. What the schemas call invalid is an error
// only if the decoder cannot read the line either.
func (c *Checker) tolerant(dir schema.Direction, line []byte) []Finding {
	var deviations []codec.Deviation
	_, undecodable := wire.DecodeFrame(line, &codec.Options{Report: func(d codec.Deviation) { deviations = append(deviations, d) }})
	if malformed(undecodable) {
		return []Finding{fromDecoder(undecodable)}
	}
	listed, err := c.set.Lint(dir.Definition(), line)
	if err != nil {
		return []Finding{{Severity: Error, Kind: Malformed, Message: err.Error()}}
	}
	var found []Finding
	for _, l := range listed {
		f := Finding{Severity: Lint, Kind: Kind(l.Kind), Pointer: l.Pointer, Message: l.Detail}
		if undecodable != nil && f.Kind == Invalid {
			f.Severity = Error
		}
		found = append(found, f)
	}
	for _, d := range ownDeviations(deviations) {
		if f := fromDeviation(d); !covers(found, f) {
			found = append(found, f)
		}
	}
	if undecodable != nil && !hasError(found) {
		found = append(found, fromDecoder(undecodable))
	}
	return found
}

// ownDeviations leaves out those of a line in a legacy shape but for the shape
// itself: they are of the modern form, which is not in the input.
func ownDeviations(all []codec.Deviation) []codec.Deviation {
	for _, d := range all {
		if d.Kind == codec.LegacyShape && d.Path == "" {
			return []codec.Deviation{d}
		}
	}
	return all
}

// covers reports whether the list says what f says: the same kind at the same
// place, or a problem inside a value that was kept raw.
func covers(list []Finding, f Finding) bool {
	for _, have := range list {
		inside := f.Kind == Invalid && strings.HasPrefix(have.Pointer, f.Pointer+"/")
		if have.Kind == f.Kind && (have.Pointer == f.Pointer || inside) {
			return true
		}
	}
	return false
}

func hasError(list []Finding) bool {
	for _, f := range list {
		if f.Severity == Error {
			return true
		}
	}
	return false
}

var deviationKinds = map[codec.DeviationKind]Kind{
	codec.UnknownMember: UnknownMember,
	codec.UnknownTag:    UnknownType,
	codec.UnknownValue:  UnknownValue,
	codec.LegacyShape:   Legacy,
	codec.KeptRaw:       Invalid,
}

func fromDeviation(d codec.Deviation) Finding {
	return Finding{Severity: Lint, Kind: deviationKinds[d.Kind], Pointer: d.Path, Message: d.Kind.String() + ": " + d.Detail}
}

// malformed reports whether an error says that the text itself is broken.
func malformed(err error) bool {
	var e *codec.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Kind {
	case codec.Syntax, codec.BadUTF8, codec.Duplicate, codec.TooDeep, codec.TooLong:
		return true
	}
	return false
}

func fromDecoder(err error) Finding {
	f := Finding{Severity: Error, Kind: Invalid, Message: err.Error()}
	if malformed(err) {
		f.Kind = Malformed
	}
	var e *codec.Error
	if errors.As(err, &e) {
		f.Pointer = e.Path
		f.Message = fmt.Sprintf("%s at byte %d", e.Kind, e.Offset)
		switch {
		case e.Kind == codec.Syntax:
			f.Message += ": want " + e.Want
		case e.Want != "":
			f.Message += ": " + e.Want
		}
	}
	return f
}

// oddities lists what the framer has cleaned up.
func oddities(f codec.Line) (found []Finding) {
	note := func(message string) {
		found = append(found, Finding{Severity: Lint, Kind: Noise, Message: message})
	}
	if f.Kind == codec.BlankLine {
		note("blank line")
	}
	if f.Notes&codec.ByteOrderMark != 0 {
		note("byte-order mark at the start of the line")
	}
	if f.Notes&codec.CarriageReturn != 0 {
		note("CR before the LF")
	}
	return found
}

// sample quotes the beginning of a text.
func sample(text []byte) string {
	const most = 60
	if len(text) > most {
		return fmt.Sprintf("%q…", text[:most])
	}
	return fmt.Sprintf("%q", text)
}
