package linecheck

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/conformance/clean"
	"github.com/ccwire/ccwire/schema"
)

// A Checker judges lines by the schemas that package wire was generated from. They are read when a
// line is not clean. It may be used by several goroutines.
type Checker struct{ lint bool }

// New returns a Checker, a strict one or a lint.
func New(lint bool) *Checker { return &Checker{lint} }

// Check judges one line of a direction. The findings have no file and line.
func (c *Checker) Check(dir schema.Direction, f codec.Line) []Finding {
	switch f.Kind {
	case codec.OversizeLine:
		return one(Error, codec.Oversize, fmt.Sprintf("the line has %d bytes, which is over the limit", f.Len))
	case codec.TextLine:
		return one(Error, codec.Noise, "not a JSON object: "+sample(f.Bytes))
	}
	var found []Finding
	if c.lint {
		found = oddities(f)
	}
	switch {
	case f.Kind == codec.BlankLine, c.clean(dir, f.Bytes):
		return found
	case c.lint:
		return append(found, c.tolerant(dir, f.Bytes)...)
	}
	return c.strict(dir, f.Bytes)
}

// clean reports whether there is nothing to say of a line. Where it is false, there may be nothing
// either.
func (c *Checker) clean(dir schema.Direction, line []byte) bool {
	if c.lint {
		return clean.Quiet(dir, line)
	}
	return clean.Valid(dir, line)
}

// one is a single finding about the whole line.
func one(severity Severity, kind codec.DeviationKind, detail string) []Finding {
	return []Finding{{Severity: severity, Deviation: codec.Deviation{Kind: kind, Detail: detail}}}
}

// strict wants the closed form of the schemas and the strict decoder to accept the line. The
// schemas list everything and the decoder only the first error, so it counts where the schemas
// report nothing, and where the text itself is broken, since it knows the place.
func (c *Checker) strict(dir schema.Direction, line []byte) []Finding {
	invalid := schema.Default().Closed().ValidateFrame(dir, line)
	_, undecodable := wire.DecodeFrame(line, &codec.Options{Strict: true})
	var listed *schema.Error
	switch {
	case malformed(undecodable):
		return []Finding{fromDecoder(undecodable)}
	case errors.As(invalid, &listed):
		var found []Finding
		for _, v := range listed.Violations {
			found = append(found, Finding{Severity: Error, Deviation: v.Deviation, Keyword: v.Keyword})
		}
		return found
	case undecodable != nil:
		return []Finding{fromDecoder(undecodable)}
	case invalid != nil:
		return one(Error, codec.Malformed, invalid.Error())
	}
	return nil
}

// tolerant wants the tolerant decoder to read the line, and lists what the lint and the decoder
// have to say of it. What the schemas call invalid is an error only if the decoder cannot read the
// line either.
func (c *Checker) tolerant(dir schema.Direction, line []byte) []Finding {
	var deviations []codec.Deviation
	_, undecodable := wire.DecodeFrame(line, &codec.Options{
		Report:        func(d codec.Deviation) { deviations = append(deviations, d) },
		MaxDeviations: -1,
	})
	if malformed(undecodable) {
		return []Finding{fromDecoder(undecodable)}
	}
	listed, err := schema.Default().Lint(dir.Definition(), line)
	if err != nil {
		return one(Error, codec.Malformed, err.Error())
	}
	var found []Finding
	for _, d := range listed {
		f := Finding{Severity: Lint, Deviation: d}
		if undecodable != nil && f.Kind == codec.Invalid {
			f.Severity = Error
		}
		found = append(found, f)
	}
	for _, d := range ownDeviations(deviations) {
		if !covers(found, d) {
			found = append(found, Finding{Severity: Lint, Deviation: d})
		}
	}
	if undecodable != nil && !hasError(found) {
		found = append(found, fromDecoder(undecodable))
	}
	return found
}

// ownDeviations leaves out those of a line in a legacy shape but for the shape itself: they are of
// the modern form, which is not in the input.
func ownDeviations(all []codec.Deviation) []codec.Deviation {
	for _, d := range all {
		if d.Kind == codec.LegacyShape && d.Path == "" {
			return []codec.Deviation{d}
		}
	}
	return all
}

// covers reports whether the list says what the decoder says: the same kind at the same place, or
// something invalid inside a value that was kept raw.
func covers(list []Finding, d codec.Deviation) bool {
	for _, have := range list {
		inside := d.Kind == codec.Invalid && strings.HasPrefix(have.Path, d.Path+"/")
		if have.Kind == d.Kind && (have.Path == d.Path || inside) {
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

// fromDecoder returns the finding for an error of the decoder.
func fromDecoder(err error) Finding {
	d := codec.Deviation{Kind: codec.Invalid, Detail: err.Error()}
	if malformed(err) {
		d.Kind = codec.Malformed
	}
	var e *codec.Error
	if errors.As(err, &e) {
		d.Path, d.Offset, d.Detail = e.Path, e.Offset, e.Kind.Error()
		switch {
		case e.Kind == codec.Syntax:
			d.Detail += ": want " + e.Want
		case e.Want != "":
			d.Detail += ": " + e.Want
		}
	}
	return Finding{Severity: Error, Deviation: d}
}

// oddities lists what the framer has cleaned up.
func oddities(f codec.Line) (found []Finding) {
	if f.Kind == codec.BlankLine {
		found = one(Lint, codec.Noise, "blank line")
	}
	if f.Notes&codec.ByteOrderMark != 0 {
		found = append(found, one(Lint, codec.Noise, "byte-order mark at the start of the line")...)
	}
	if f.Notes&codec.CarriageReturn != 0 {
		found = append(found, one(Lint, codec.Noise, "CR before the LF")...)
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
