// Package codec has what people handle by hand around the generated types: lines of a stream, raw
// values, members that may be null, errors with a place. It uses the standard library only.
//
// A [Reader] cuts a stream into lines, package wire decodes them and encodes its answers, and a
// [Writer] writes these.
//
// # Lines
//
// A line ends at LF and nowhere else, however the source cuts the bytes. A CR before the LF, space
// around a line, a byte-order mark and a missing last LF are taken off and noted. Blank lines, text
// that is not a JSON object and lines over [ReaderOptions].MaxLine are lines of their own kind, so
// that noise never stops a stream. A [Writer] writes a line and its LF in one call.
//
// # Strictness
//
// The default is tolerant: what the schemas do not name is kept and written back, and
// [Options].Report hears of each such [Deviation]. With Options.Strict each is an error. Every
// error is an [*Error], with a JSON pointer and a byte offset; errors.Is knows its kind:
//
//	errors.Is(err, codec.Missing)
//
// # Memory
//
// Decoded values are copies and do not keep their line alive. With [Options].Alias strings and raw
// values share the memory of the line, which must then never be modified. The bytes of a [Line]
// belong to the Reader until the next call of Next.
//
// A string may hold a lone surrogate, which JSON can escape and UTF-8 cannot hold: it is kept as
// the three bytes that WTF-8 gives it, and written as the same escape again.
package codec
