// Package schema holds the specification of the stream-json protocol as JSON Schema files, and
// checks documents against it.
//
// # The files
//
// There is one file for each thing on the wire, in draft 2020-12 with a few annotations of our own.
// A file's root or an entry of its $defs is a definition; its name is the path of the file and the
// pointer in it:
//
//	shared/usage.json
//	control/interrupt.json#/$defs/Request
//
// The loader knows every keyword that the files use and rejects all others, so that nothing in a
// schema is ignored. [Default] returns the files of this package; [Load] reads others. A [Set] is
// also the model that code is generated from.
//
// # Open and closed
//
// The schemas are open: unknown members, unknown tags of a union and unknown values of an enum are
// fine, because the next version of the CLI will have some. [Set.Open] validates by them as they
// are. [Set.Closed] validates by the closed form, which allows what the schemas name and nothing
// else, and no legacy shape. [Set.Lint] lists what lies between the two.
//
// # Errors
//
// A document that does not fit gives an [*Error]. Each [Violation] in it names the place in the
// document, the reason, and the keyword of the schemas that failed. Of a union only the arm counts
// that the tag of the document selects. A text that is not JSON, or too long, or too deep, gives an
// [*codec.Error] with the byte offset. Nothing in this package panics on bad input; time and memory
// are bounded by [MaxSize], [MaxDepth] and [MaxDeviations].
//
// The lint and the validators use the vocabulary of the decoder: a [codec.Deviation] with its kind,
// path, offset and detail.
package schema
