// Package wire holds the types of the Claude Code CLI's stream-json protocol,
// generated from the schemas, with their codecs.
//
// # Reading a line
//
// [Decode] reads a line of either direction:
//
//	frame, err := wire.Decode(line)
//	switch f := frame.(type) {
//	case *wire.ControlRequest:
//		switch r := f.Request.(type) {
//		case *wire.CanUseToolRequest: // …
//		case *wire.UnknownRequest: // Subtype() and Raw, never an error
//		}
//	case *wire.StreamEvent: // …
//	case *wire.UnknownFrame: // …
//	}
//
// Every union is an interface with one struct per arm and an Unknown arm, so
// that a message that the schemas do not know yet is kept, not refused. Every
// struct keeps the members that it does not know in Extra and writes them back.
//
// # Strictness
//
// The default is tolerant: unknown members, tags and values are kept, the
// shapes of older peers are read as their modern form, and an optional member
// that does not decode is kept raw in Extra. [codec.Options] turns each of
// these into an error (Strict) or reports it (Report). What is never accepted:
// broken JSON or UTF-8, a member that stands twice, nesting past the limit, a
// required member that is missing or of the wrong kind. Inside what is
// kept raw, only the strict mode looks for members that stand twice.
//
// # Optional and nullable
//
// An optional member is a pointer, a slice, a map, an interface or raw JSON,
// and nil means absent. A member that may be null is a [codec.Nullable]. The
// members that few lines of a [StreamEvent] have are apart, in Rare, so that the
// many others stay small.
//
// # Memory
//
// What Decode returns owns its memory: the line may be reused. Short strings of
// one line share chunks of at most 2 KiB; longer ones have an allocation of
// their own, so that a short string never keeps a long line alive. With
// [codec.Options].Alias, strings and raw values share the line's memory instead.
//
// # Writing a line
//
// [Append] appends a frame as one line without its LF. A value that cannot be
// sent, such as an allow without its input, is an error that names the member.
package wire
