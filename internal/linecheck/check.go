package linecheck

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/exchange/clean"
	"github.com/ccwire/ccwire/schema"
)

// A Checker judges lines by the schemas that package wire was generated from. They are read when a
// line is not clean. It may be used by several goroutines.
type Checker struct {
	lint       bool
	open       bool // what the schemas do not name is no finding
	transcript bool
	tools      bool            // the inputs and results of tools are judged, too
	release    *schema.Release // the version that lines of the CLI are held to; nil for none
}

// New returns a Checker of lines of the protocol, a strict one or a lint.
func New(lint bool) *Checker { return &Checker{lint: lint} }

// NewTranscript returns a Checker of entries of transcript files, a strict one or a lint.
func NewTranscript(lint bool) *Checker { return &Checker{lint: lint, transcript: true} }

// Open returns a Checker of wrong shapes alone: members, types and values that the schemas do not
// name pass, and so do legacy shapes, blank lines and the like. What does not fit the schemas is an
// error, also where the tolerant decoder reads past it.
func (c *Checker) Open() *Checker {
	own := *c
	own.lint, own.open = true, true
	return &own
}

// wrong returns those of the findings that an open checker has.
func (c *Checker) wrong(found []Finding) []Finding {
	if !c.open {
		return found
	}
	kept := found[:0]
	for _, f := range found {
		if f.Severity == Error || f.Kind == codec.Invalid {
			f.Severity = Error
			kept = append(kept, f)
		}
	}
	return kept
}

// WithTools returns a Checker that judges the inputs and results of built-in tools, too. What a
// tool cannot take is an error, also to a lint: the model wrote it, and the CLI refuses it.
func (c *Checker) WithTools() *Checker {
	own := *c
	own.tools = true
	return &own
}

// ofTools judges the inputs and results of tools in a line.
func (c *Checker) ofTools(definition string, text []byte) (found []Finding) {
	deviations, err := schema.Transcripts().LintTools(definition, text)
	if err != nil {
		return nil // the line has a finding of its own
	}
	for _, d := range deviations {
		f := Finding{Severity: Error, Deviation: d}
		if c.lint && d.Kind != codec.Invalid {
			f.Severity = Lint
		}
		found = append(found, f)
	}
	return found
}

// Check judges one line of a direction. The findings have no file and line. What a line answers is
// not known here, so the body of an answer is not judged: a [Run] does that.
func (c *Checker) Check(dir schema.Direction, f codec.Line) []Finding {
	found, _ := c.check(dir, f)
	return found
}

// check is [Checker.Check]. It also returns the frame of a line that is valid, nil of any other.
func (c *Checker) check(dir schema.Direction, f codec.Line) (found []Finding, frame wire.Frame) {
	found, frame = c.everyVersion(dir, f)
	if f.Kind != codec.ObjectLine {
		return c.wrong(found), frame
	}
	found = c.outdated(dir, dir.Definition(), f.Bytes, found)
	if c.tools {
		definition := dir.Definition()
		if c.transcript {
			definition = schema.TranscriptEntry
		}
		found = append(found, c.ofTools(definition, f.Bytes)...)
	}
	return c.wrong(found), frame
}

// everyVersion is check for all versions of the CLI alike.
func (c *Checker) everyVersion(dir schema.Direction, f codec.Line) (found []Finding, frame wire.Frame) {
	switch f.Kind {
	case codec.OversizeLine:
		return one(Error, codec.Oversize, fmt.Sprintf("the line has %d bytes, which is over the limit", f.Len)), nil
	case codec.TextLine:
		return one(Error, codec.Noise, "not a JSON object: "+sample(f.Bytes)), nil
	}
	if c.lint {
		found = oddities(f)
	}
	switch {
	case f.Kind == codec.BlankLine:
		return found, nil
	case c.transcript:
		return append(found, c.entry(f.Bytes)...), nil
	}
	frame = clean.Frame(dir, f.Bytes)
	switch {
	case frame != nil && (!c.lint || clean.IsQuiet(frame)):
		if _, ok := frame.(*wire.TranscriptMirror); !ok {
			return found, frame
		}
	case c.lint:
		found = append(found, c.tolerant(frameOf(dir), f.Bytes)...)
	default:
		found = c.strict(frameOf(dir), f.Bytes)
	}
	return append(found, c.mirrored(f.Bytes)...), frame
}

// A document is what is judged: an instance of a definition, with its decoder.
type document struct {
	definition string
	decode     func(text []byte, o *codec.Options) error
}

// frameOf is a line of a direction.
func frameOf(dir schema.Direction) document {
	return document{dir.Definition(), func(line []byte, o *codec.Options) error {
		_, err := wire.DecodeFrame(line, o)
		return err
	}}
}

// one is a single finding about the whole line.
func one(severity Severity, kind codec.DeviationKind, detail string) []Finding {
	return []Finding{{Severity: severity, Deviation: codec.Deviation{Kind: kind, Detail: detail}}}
}

// strict wants the closed form of the schemas and the strict decoder to accept the text. The
// schemas list everything and the decoder only the first error, so it counts where the schemas
// report nothing, and where the text itself is broken, since it knows the place.
func (c *Checker) strict(d document, text []byte) []Finding {
	invalid := schema.Default().Closed().Validate(d.definition, text)
	undecodable := d.decode(text, &codec.Options{Strict: true})
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

// tolerant wants the tolerant decoder to read the text, and lists what the lint and the decoder
// have to say of it. What the schemas call invalid is an error only if the decoder cannot read the
// text either.
func (c *Checker) tolerant(d document, text []byte) []Finding {
	var deviations []codec.Deviation
	undecodable := d.decode(text, &codec.Options{
		Report:        func(d codec.Deviation) { deviations = append(deviations, d) },
		MaxDeviations: -1,
	})
	if malformed(undecodable) {
		return []Finding{fromDecoder(undecodable)}
	}
	listed, err := schema.Default().Lint(d.definition, text)
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
