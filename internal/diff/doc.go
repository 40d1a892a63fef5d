// Package diff compares two recordings by the course of their sessions.
//
// Lines are aligned within their lane: first those that say the same and are there once, then, in
// what is between them, those of the same kind. So it does not matter which of both sides wrote
// first at a moment when each could. The deltas of a content block count as one line: into how many
// pieces a text was cut is chance. The entries in lines of the type transcript_mirror are compared
// one by one, in a lane of their own, for the same reason.
//
// Ids and times are left aside. An id may be any other, but the places that have one id in a
// recording must have one in the other recording too. All else that a line says is compared, and a
// difference is named by the JSON pointer of the member.
package diff
