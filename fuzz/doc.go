// Package fuzz finds bugs in code that reads the stream-json protocol, from go test.
//
// # Framing
//
// A [Parser] is what cuts a stream into lines and finds the JSON objects among them. A few lines
// around your own make one, and a test holds it to the rules:
//
//	func TestFraming(t *testing.T) { fuzz.TestFraming(t, parse) }
//	func FuzzFraming(f *testing.F) { fuzz.FuzzFraming(f, parse) }
//
// [TestFraming] has a subtest for each hand-made stream that breaks parsers, and says which causes
// its failures have. [FuzzFraming] is a target of Go's own fuzzing; "go test -fuzz FuzzFraming"
// looks for streams that nobody thought of. The command "protogen fuzz framing" does both with a
// parser in any language, by the same rules, and also looks at its memory.
//
// # What a parser must do, and what it may
//
// A line ends at LF and nowhere else. The last one counts also without its LF. A line must come out
// if it is a JSON object (RFC 8259) with nothing but JSON's white space around it, and a carriage
// return is such space. A line that is not an object gives nothing. Whatever a line is, the lines
// around it come out.
//
// A parser may go either way with lines on which good parsers differ: a byte-order mark or exotic
// space around the object, invalid UTF-8, a lone surrogate, a duplicate member, nesting deeper than
// 100, a number that no float64 holds, a line longer than 12 MiB, text from brace to brace that is
// nearly JSON.
//
// Values are compared, not their spelling: the order of members, space and escapes do not matter,
// and numbers are equal if they are equal as float64.
//
// # Frames and mutants
//
// [Lines], [Frames] and [Mutants] are generators for property tests with [pgregory.net/rapid]. They
// draw from the schemas, and a failure shrinks. It takes a few milliseconds to make one: make it
// once and draw from it often.
//
// # The targets of this package
//
// The tests of this package hold the fuzz targets of ccwire itself, each with an oracle. "make
// fuzz" runs them, and docs/fuzz.md lists them.
package fuzz
