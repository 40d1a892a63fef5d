// Package framing finds bugs in parsers of NDJSON streams, in any language.
//
// # The contract
//
// The parser is a command. It reads its standard input to the end and writes each JSON object that
// is a line of it to its standard output, as one line of JSON, in order, and then exits with 0. A
// line that is not a JSON object gives nothing.
//
// [Run] feeds it streams that break parsers: lines that arrive in pieces, long lines, carriage
// returns, blank lines, byte-order marks, U+2028, invalid UTF-8, NUL bytes, deep nesting, noise
// between the frames, a last line without its LF, megabytes without a LF. It reports where frames
// are lost, merged, split, changed, invented or put in another order, and where the parser hangs,
// crashes or grows without bound. Each cause is one [Finding], with the smallest stream that shows
// it and that showed it again when it was read from a file or written by a script.
//
// # What a parser must do, and what it may
//
// A line ends at LF and nowhere else. The last one counts also without its LF. A line is a frame if
// it is a JSON object (RFC 8259) with nothing but JSON's white space around it, and a carriage
// return is such space. A parser may go either way with lines on which good parsers differ: a
// byte-order mark or exotic space around the object, invalid UTF-8, a lone surrogate, a duplicate
// member, nesting deeper than [MaxDepth], a number that no float64 holds, a line longer than
// [MaxLine], text from brace to brace that is nearly JSON. Whatever it does with such a line, the
// lines around it must come out.
//
// Values are compared, not their spelling: the order of members, space and escapes do not matter,
// and numbers are equal if they are equal as float64.
package framing
