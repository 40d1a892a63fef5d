// Package wire holds the types of the Claude Code CLI's stream-json protocol, generated from the
// schemas, with their codecs.
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
// A [Decoder] suits a stream: it remembers what repeats from line to line. Every union is an
// interface with one struct per arm and an Unknown arm, so that a message that the schemas do not
// know yet is kept, not refused. Every struct keeps the members that it does not know in Extra and
// writes them back.
//
// Two interfaces take several arms in one case: [SystemFrame] every line of the type system, and
// Result both lines that end a turn.
//
// # Strictness
//
// The default is tolerant: unknown members, tags and values are kept, the shapes of older peers are
// read as their modern form, a member that does not decode is kept raw in Extra, and a required one
// that is missing has no value. [Options] turn each of these into an error (Strict) or report it
// (Report). What is never accepted: broken JSON or UTF-8, a duplicate member, nesting past the
// limit, and a line without its tags or without the id by which it is answered. Inside what is kept
// raw, only the strict mode looks for duplicate members. [Unreadable] makes a frame of a line that
// does not decode, for those who want to pass it on.
//
// # Optional and nullable
//
// An optional member is a pointer, a slice, a map, an interface or raw JSON, and nil means absent;
// [Ptr] makes the pointer and [Value] reads it. A member that may be null is a [codec.Nullable];
// [Some] and [Null] make one, its methods Ptr and Or read it. Raw JSON becomes maps and lists with
// [codec.Raw.Map] and [codec.Raw.Any].
//
// # Memory
//
// What Decode returns owns its memory: the line may be reused. Short strings of one line share
// chunks of at most 2 KiB; longer ones have an allocation of their own, so that a short string
// never keeps a long line alive. With [Options].Alias, strings and raw values share the line's
// memory instead.
//
// # Writing a line
//
// [Append] appends a frame as one line without its LF. A value that cannot be sent, such as an
// allow without its input or a request without its id, is an error that names the member. A
// required member with one known value, such as the role of a user message, is written with it
// where the field is empty. All types work with encoding/json too, as values and as pointers; the
// shapes of older lines are read by Decode alone.
//
// # Tools
//
// The input and the result of a tool are raw JSON on the wire, whatever the tool, and stay as they
// came. CanUseToolRequest, ToolUseBlock and the inputs of hooks have a method TypedInput, and
// PostToolUseInput has TypedResult, which read them as what the built-in tool of that name takes
// and returns:
//
//	switch in := r.TypedInput().(type) {
//	case *wire.BashInput: // in.Command
//	case *wire.UnknownToolInput: // a tool without a schema, or an input that does not fit: Raw
//	}
//
// DecodeToolResult reads the ToolUseResult of a User line, which does not name its tool.
//
// # Requests
//
// [Client] has a method for each control request that an SDK sends, over any [Caller]. Those that
// only the host of a user interface or of a remote session sends are methods of HostClient.
// [Dispatch] gives a request from the CLI to the method of a [Handler]; embed [BaseHandler] for
// those that nobody needs. [ControlRequest.Answer] makes the answer of what comes back.
package wire
