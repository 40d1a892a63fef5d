package fuzz

import (
	"bytes"
	"fmt"
	"sync"

	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/internal/framing"
	"github.com/ccwire/ccwire/internal/values"
	"github.com/ccwire/ccwire/schema"
)

// A Line is one line of a stream, without its LF.
type Line []byte

// GoString returns the line as rapid prints it: as it is if it is plain text, quoted otherwise.
func (l Line) GoString() string {
	if bytes.IndexFunc(l, func(r rune) bool { return r < ' ' || r > '~' }) < 0 {
		return string(l)
	}
	return fmt.Sprintf("%q", []byte(l))
}

// Frames returns a generator of frames that the end of a direction writes. Each is one line, a JSON
// object that the closed form of the schemas takes ([schema.Set.Closed]). All frames, members and
// values of enums that the schemas name turn up, with members in any order, strings with any
// escape, and payloads of any JSON, such as integers of fifty digits and lone surrogates.
func Frames(d schema.Direction) *rapid.Generator[Line] {
	return rapid.Map(values.Of(schema.Default(), d.Definition()), oneLine)
}

// A Mutant is a frame with one thing broken.
type Mutant struct {
	JSON       Line
	Definition string // the definition that it breaks, a name for [schema.Set.Lookup]
	Path       string // JSON pointer of what was changed
	Reason     string // what was done, such as "drop a required member: is gone"

	// Open says that only the closed form refuses it: the schemas do not name a member, a tag or a
	// value in it, which the next version of the peer may write. A tolerant reader takes it.
	Open bool
}

// String tells what was done, where, and the frame.
func (m Mutant) String() string {
	return fmt.Sprintf("%s, at %q in %s: %#v", m.Reason, m.Path, m.Definition, m.JSON)
}

// GoString is String, for the reports of rapid.
func (m Mutant) GoString() string { return m.String() }

// Mutants returns a generator of frames of a direction with one thing broken: a required member is
// missing, a value is of another kind, a tag or a value is unknown, a member is new, a duplicate or
// of an older peer, a number is out of range. Each is one line, and the closed form of the schemas
// refuses each.
func Mutants(d schema.Direction) *rapid.Generator[Mutant] {
	set := schema.Default()
	drawn := values.Mutants(set, d.Definition())
	return rapid.Custom(func(t *rapid.T) Mutant {
		for range 100 {
			m := drawn.Draw(t, "mutant")
			line := oneLine(m.JSON)
			if set.Closed().Validate(d.Definition(), line) == nil {
				continue // such as a null where that is allowed
			}
			return Mutant{
				JSON: line, Definition: m.Definition, Path: m.Path,
				Reason: fmt.Sprintf("%s: %s", m.Mutation, m.Detail),
				Open:   set.Open().Validate(d.Definition(), line) == nil,
			}
		}
		t.Skip("all mutants are valid")
		return Mutant{}
	})
}

// Lines returns a generator of lines that a reader of a stream may meet, in either direction: valid
// frames, frames with things that no schema names, broken frames, the lines of the hand-made
// streams up to 4 KiB, and any bytes. No line has a LF; one may be empty or end in a carriage
// return.
func Lines() *rapid.Generator[Line] {
	set, either := schema.Default(), schema.Either.Definition()
	return rapid.OneOf(
		rapid.SampledFrom(handMade()),
		Frames(schema.Either),
		rapid.Map(values.Of(set, either, values.Open()), oneLine),
		rapid.Map(values.Mutants(set, either), func(m values.Mutant) Line { return oneLine(m.JSON) }),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 64), func(b []byte) Line { return oneLine(b) }),
	)
}

// oneLine writes a space in the place of each LF. In JSON it is white space there, too.
func oneLine(text values.Text) Line { return bytes.ReplaceAll(text, []byte("\n"), []byte(" ")) }

// handMade returns the different lines of the hand-made streams that are not long.
var handMade = sync.OnceValue(func() []Line {
	const most = 4 << 10
	var all []Line
	seen := map[string]bool{}
	for _, s := range framing.Nasties() {
		for line := range bytes.SplitSeq(s.Data, []byte("\n")) {
			if len(line) <= most && !seen[string(line)] {
				seen[string(line)] = true
				all = append(all, line)
			}
		}
	}
	return all
})
