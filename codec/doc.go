// Package codec is the run-time part of the generated types: a decoder of JSON
// lines, raw values, errors with paths, append-style encoding, and the frames
// of newline-delimited JSON. It uses the standard library only.
//
// A program reads lines with a [Reader], hands each [Frame] to the generated
// decoder, and writes what the generated encoder appends with a [Writer].
// [Decoder], [Object], [Shape], [Tags], [Mold], [Scan] and the Put functions are for
// generated code; they are exported because that code lives in another package.
//
// # Memory
//
// Decoded strings and raw values are copies: they stay valid when the line is
// overwritten, and none of them keeps the line alive. Short ones share an
// allocation of a few KiB with others of the same line. With [Options].Alias
// strings and raw values share the memory of the line instead, which must then
// never be modified, and which lives as long as the last of them. Strings with
// escapes and the names of unknown members are copied in both modes.
//
// A Decoder holds its line until the next Reset or Forget. It also remembers a
// few short strings from line to line, so that a session's id is one string in
// all messages. [Frame].Line belongs to the Reader and is valid until the next
// call of Next. The Append functions keep nothing of what they are given.
//
// # Strictness
//
// The tolerant mode, the default, keeps what the schemas do not name and writes
// it back: unknown members in their order, unknown tags and values, optional
// members that do not decode. [Options].Report hears of each such [Deviation].
// With [Options].Strict each is an error.
//
// In both modes a line must be JSON in UTF-8. In an object that the schemas
// describe, a member that stands twice is an error; inside opaque raw values
// repeated members are looked for in the strict mode only. Every error is an
// [*Error], with a kind for errors.Is, a JSON pointer and a byte offset.
//
// Integers of typed members are int64, and 1.0 and 1e3 are integers too; other
// numbers are float64. Numbers that are opaque, or belong to unknown members,
// keep their text.
//
// A string may hold a lone surrogate, which JSON can escape and UTF-8 cannot
// hold. It is kept as the three bytes that WTF-8 gives it, for which
// utf8.ValidString is false, and written as the same escape again. Any other
// bytes that are not UTF-8 are errors, read or written.
//
// # Encoding
//
// What is appended is always one line of JSON in UTF-8: control characters
// below U+0020 and the line breaks U+0085, U+2028 and U+2029 are escaped, HTML
// characters are not. [AppendRaw] checks raw JSON and changes only what would
// break the line: it leaves out CR and LF between tokens and escapes the three
// line breaks inside strings. A value that cannot be written is an error that
// names its member; the buffer then holds an unfinished line.
//
// # Limits
//
// Objects and arrays nest at most [DefaultMaxDepth] deep, unless
// [Options].MaxDepth says otherwise; raw values to be written always do. Time
// and memory grow with the length of a line, at worst times the depth of its
// nesting, however many members or deviations it holds.
//
// # Framing
//
// A line ends at LF and nowhere else; what the Reader yields does not depend on
// how the source cuts the bytes. A CR before the LF, space around a line, a
// byte-order mark at its start and a missing last LF are taken off and noted.
// Blank lines and text that is no JSON object are frames of their own kind, so
// that noise never stops a stream. A line longer than [ReaderOptions].MaxLine,
// 16 MiB unless set, is skipped without being held, and reported with its
// length. A Reader is for one goroutine.
//
// A Writer is safe for concurrent use. Each frame is one call of Write, with
// one LF at its end.
//
// # Unsafe
//
// The file unsafe.go holds the package's only use of package unsafe. The build
// tag ccwire_safe replaces it; strings are then always copied.
package codec
