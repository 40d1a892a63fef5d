// Package transport speaks the Claude Code CLI's stream-json protocol with a CLI that it runs.
//
//	s, err := transport.Open(ctx, &transport.Options{CanUseTool: decide})
//	defer s.Close()
//	err = s.Prompt(ctx, "What is in this folder?")
//	for message, err := range s.Messages() { … }
//
// [Open] starts a [Session] with hooks, permissions, MCP servers in this process and every control
// operation. [Query] runs one prompt. [Conn] is the connection under a session; a program that
// plays the CLI uses it too. The messages and requests have their types in package wire; package
// cli runs the CLI without speaking to it.
//
// # Sessions
//
// A session is [Starting], [InitSent], [Running], and then [Stopped] or [Failed]. Operations before
// Running are queued and then sent in order. [Open] lists the errors of a start.
//
// When the CLI ends, everything that it wrote is delivered, and every pending call fails with an
// [*ExitError]: the exit code and the end of stderr. After [Session.Close] no process, pipe or
// timer is left, and no goroutine but those of callbacks that have not returned.
//
// # Callbacks
//
// Callbacks run concurrently, each with a context that ends when the CLI cancels the request, when
// the time is over ([CallbackTimeouts]) and with the session. A callback that fails, panics,
// returns nil or takes too long delays nobody: its policy answers, and a [CallbackEvent] says so.
// Hooks fail open and permissions fail closed, unless [Policies] say otherwise; MCP failures are
// JSON-RPC errors.
//
// # Calls
//
// A call ends once: by its answer, its timeout ([CallTimeouts]), its context or the end of the
// connection, whichever is first. A call that ends early is withdrawn: nothing is sent if its
// request has not begun to go out, else a control_cancel_request follows it.
//
// # Messages and events
//
// Messages are everything that the CLI writes but control traffic. Whoever reads them slowly delays
// no control traffic. [Limits] bound what is unread: past them [DropOldest] drops the oldest
// messages and the consumer gets a [*DroppedError] with their number, and [FailWhenFull] drops the
// later ones. An [Event] tells of everything else: lines that are not JSON, responses that nobody
// waits for, changes of state.
//
// # Where the CLI decides
//
// Descriptions of the protocol differ in places from what the CLI does. The CLI is followed:
//
//   - An initialize request names servers in sdkMcpServers; file checkpoints need an environment
//     variable, not a member.
//   - A user message has role and content inside message. The CLI exits at any other form.
//   - The permission mode is always given: 2.1.290 starts in auto.
//   - An allow carries the input: CLIs up to 2.1.200 refuse it otherwise.
//   - The CLI is told to wait for a hook five seconds longer than the session does: where its own
//     time is over, it fails closed from 2.1.200 on.
//   - A session needs 1.0.85, the first CLI that answers initialize; MCP servers need 1.0.94.
//   - Stderr is not merged into stdout.
package transport
