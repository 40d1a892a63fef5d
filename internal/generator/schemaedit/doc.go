// Package schemaedit edits schema files in place: it writes what follows from other files and from
// the recordings, and leaves the rest of each file as somebody wrote it, layout included.
//
//   - [UpdateArms] lists the arms of the unions that have x-arms.
//   - [UpdateHistory] writes what recordings show of definitions and members: x-since,
//     x-required-since and x-evidence.
package schemaedit
