// Package linestream reads files of protocol lines.
//
// # Two forms
//
// Plain NDJSON is what goes over the pipe: one frame on each line. A recording has one entry on
// each line, an object that says who wrote what:
//
//	{"t_ms":17.4,"dir":"sdk->cli","line":"{\"type\":\"control_request\", …}"}
//
// The dir "sdk->cli" or "cli->sdk" is the direction; entries of any other dir are skipped. The line
// may hold several lines, since it is what one write or read carried. The member line_b64, if there
// is one, has the exact bytes of a line that is not UTF-8. An entry with truncated_from_chars, or
// without a line, does not hold what was sent and is skipped. Package recording has the format.
//
// The first JSON object of the input decides: it is an entry if it has a string dir and no type.
// [Open] also reads gzip, whatever the file's name.
//
// # Bad input
//
// A line that is not a JSON object, or too long, or not an entry of a recording, comes out as such;
// it never ends the stream and never harms the next line. Only an error of the source does.
//
// # Blocks
//
// A [Reader] reads an input line by line. To read it on several cores, a [Splitter] cuts it into
// blocks of whole lines, each for a Reader of its own. A block holds what one read of the source
// gave, at most 128 KiB unless one line is longer.
package linestream
