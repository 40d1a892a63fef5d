// Package recording holds what both ends of a session wrote, in a form that is equal for equal
// sessions.
//
// A recording is a file of one JSON object per line. The first is the header, the last says how the
// CLI ended; between them are the lines of both sides in the order in which the SDK's end wrote and
// read them. Two sessions with the same CLI give the same file: a [Scrubber] replaces ids, times,
// costs, folders and long texts with stand-ins.
//
// [Read] and [Lines] read recordings. The recordings of this repository are in package corpus.
package recording
