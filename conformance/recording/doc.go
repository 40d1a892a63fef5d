// Package recording holds what both ends of a session wrote, in a form that is
// equal for equal sessions.
//
// A recording is a file of one JSON object per line. The first is the header,
// the last says how the CLI ended; between them stand the lines of both sides
// in the order in which the SDK's end wrote and read them. Two sessions with
// the same CLI give the same file: [Scrub] replaces ids, times, costs, folders
// and long texts by stand-ins.
//
// The files can be read by everything that reads lines with a "dir" and a
// "line"; see [Entry].
package recording
