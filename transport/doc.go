// Package transport speaks the Claude Code CLI's stream-json protocol with a CLI that it runs.
//
//	s, err := transport.Open(ctx, &transport.Options{CanUseTool: decide})
//	defer s.Close()
//	for text, err := range s.Turn(ctx, "What is in this folder?").Text() { … }
//
// [Open] starts a [Session] with hooks, permissions, MCP servers in this process and every control
// operation. [OpenConn] is for a CLI that runs already, [Options.Spawn] for one that somebody else
// starts. [Query] runs one prompt. [Conn] is the connection under a session; a program that plays
// the CLI uses it too. The messages and requests have their types in package wire; package cli runs
// the CLI without speaking to it.
//
// # Sessions
//
// A session is [Starting], [InitSent], [Running], and then [Stopped] or [Failed]. Operations before
// Running are queued and then sent in order. [Open] lists the errors of a start. What the options
// ask for happens, or is an error before the start: a hook whose event or matcher the CLI would
// ignore too.
//
// When the CLI ends, everything that it wrote is delivered, and every pending call fails with an
// [*ExitError]: the exit code and the end of stderr. [Session.Err] says why a session failed. After
// [Session.Close] no process, pipe or timer is left, and no goroutine but those of callbacks that
// have not returned.
//
// # Turns
//
// A [Turn] is a prompt and what comes up to its result: as messages, as text, or only the result.
// It fails in one way, with an error as the last element. That is a [*TurnError] if the result says
// so: its [Outcome] tells an interrupt from a limit, a hook, a refusal and an error of the API, all
// of which the CLI may call a success. A loop can be left at any time: the next turn of the session
// skips the rest. A program that reads [Session.Messages] instead gets the same with [TextStream]
// and [Result].
//
// # Callbacks
//
// Callbacks run concurrently, each with a context that ends when the CLI cancels the request, when
// the time is over ([CallbackTimeouts]) and with the session. Of each kind a limited number runs at
// once ([Limits.Inbound]) and the rest waits. A callback that fails, panics, returns nil or takes
// too long delays nobody: its policy answers, and a [CallbackEvent] says so. Hooks fail open and
// permissions fail closed, unless [Policies] say otherwise; a hook that decides whether a tool may
// run is closed where its callback could not run at all. MCP failures are JSON-RPC errors.
//
// # Calls
//
// A call ends once: by its answer, its timeout ([CallTimeouts]), its context or the end of the
// connection, whichever is first. A call that ends early is withdrawn: nothing is sent if its
// request has not begun to go out, else a control_cancel_request follows it.
//
// # Messages and events
//
// Messages are everything that the CLI writes but control traffic. One that cannot be read is a
// [*wire.UnknownFrame] with the error. Whoever reads them slowly delays no control traffic and
// loses nothing: they wait in memory and then in a file, up to [Limits], and only then is the pipe
// held. [FullPolicy] has other ways. An [Event] tells of everything else: lines that are not JSON,
// responses that nobody waits for, changes of state.
//
// A logger or a callback that blocks or panics stops neither the reader nor the program.
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
//   - The CLI retries what the API refuses for about three minutes, and says so in messages of type
//     [*wire.SystemAPIRetry]. The variable CLAUDE_CODE_MAX_RETRIES bounds it.
package transport
