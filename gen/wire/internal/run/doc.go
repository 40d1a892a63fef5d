// Package run is the run-time part of the generated types: what their readers and writers call.
//
// A reader drives a [Decoder]: [Decoder.Tag] finds the arm of a union, an [Object] goes through the
// members of an object by its [Shape], and methods named for Go's types read the values. A writer
// appends members with an [Encoder]. What people handle by hand, and the rules that hold for it,
// are in package codec.
package run
