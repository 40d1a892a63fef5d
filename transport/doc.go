// Package transport runs the Claude Code CLI and speaks its stream-json protocol over the CLI's pipes.
//
//	s, err := transport.Open(ctx, &transport.Options{CanUseTool: decide})
//	defer s.Close()
//	err = s.Prompt(ctx, "What is in this folder?")
//	for message, err := range s.Messages() { … }
//
// [Open] starts a [Session]: the SDK's end, with hooks, permissions, MCP servers in this process and every control operation. [Query] runs one
// prompt. Under them are [Conn], one end of the pipe over any reader and writer, and [cli.Process], the running CLI. What is on the
// wire has its types in package wire.
//
// # Connections
//
// A [Conn] frames, correlates, cancels and times out. It knows nothing of processes or roles: a program that plays the CLI is a Conn too.
//
//   - Its reader runs from the start and never waits: not for a handler, not for the consumer of the messages, not for a write.
//   - Writes are in the order of the calls, one frame each, by one goroutine.
//   - A call ends once: by its answer, its timeout ([CallTimeouts]), its context or the end of the connection, whichever is first. It is registered
//     before its request is written. Responses that come later, or twice, or for nobody, are logged and dropped ([OrphanEvent]).
//   - A call that ends early is withdrawn: nothing is sent if its request has not begun to go out, else a control_cancel_request.
//   - A request of the peer's is answered once, by its [Handler] in a goroutine of its own. If the peer cancels it the handler's
//     context ends and nothing is sent. One that does not decode gets an error reply that names the member at fault; one over the limit is
//     answered at once.
//   - What is no frame is an [Event] and harms nothing: noise, broken JSON, a line over the limit.
//
// # Limits
//
// [Limits] bound everything that can grow: 16 operations queued during the initialisation ([ErrInitQueueOverflow]), 64 pending calls
// ([ErrTooManyPending]), 32 requests of the peer's, lines of 16 MiB, 1024 unread events. Unread messages are bounded by number (16384) and
// length (64 MiB). Past that, [DropOldest] drops the oldest ones and the consumer gets a [*DroppedError] with their number at the gap;
// [FailWhenFull] keeps those and drops all later ones.
//
// # Sessions
//
// A session is [Starting], [InitSent], [Running], and then [Stopped] or [Failed]. It is Running when initialize is answered, or when a
// hook_callback, can_use_tool or mcp_message shows that it was accepted; messages show nothing. Operations before that are queued and then
// sent in their order, without waiting for answers. [Open] says which errors a start has, and in which order they are looked for.
//
// When the CLI ends, everything that it wrote is delivered, and every pending call fails with an [*ExitError]: the exit code and the
// end of stderr. The input is closed only on the caller's word; [Session.CloseInput] refuses while a request of the CLI's is not
// answered. After [Session.Close] no process, pipe or timer is left, and no goroutine but those of callbacks that have not returned.
//
// # Callbacks
//
// Callbacks run concurrently, each with a context that ends when the CLI cancels the request, when the time is over ([CallbackTimeouts])
// and with the session. A callback that fails, panics, returns nil or takes too long delays nobody: its policy answers, and a
// [CallbackEvent] says so. Hooks fail open and permissions fail closed, unless [Policies] say otherwise; MCP failures are JSON-RPC errors.
//
// # Where the CLI decides
//
// Descriptions of the protocol differ in places from what the CLI does. The CLI is followed:
//
//   - An initialize request names servers in sdkMcpServers; file checkpoints need an environment variable, not a member.
//   - A user message has role and content inside message. The CLI exits at any other form.
//   - The permission mode is always given: 2.1.290 starts in auto.
//   - An allow carries the input: CLIs up to 2.1.200 refuse it otherwise.
//   - The CLI is told to wait for a hook five seconds longer than we do: where its own time is over, it fails closed from 2.1.200 on.
//   - A session needs 1.0.85, the first CLI that answers initialize; MCP servers need 1.0.94.
//   - Stderr is not merged into stdout.
//
// # Acceptance
//
// The criteria of a bidirectional session and the tests that prove them:
//
//	 1  bidirectional mode by --input-format stream-json   TestSessionArguments, TestOpenAndClose
//	 2  one JSON object a line in both directions          TestMessagesAreEverythingButControlTraffic, TestSendWritesOneLine, TestHalfWrittenUTF8
//	 3  answers find their requests by request_id          TestAnswersInAnyOrderFindTheirCalls, TestDuplicatedAndReorderedResponses
//	 4  initialize registers hooks                         TestInitializeRegistersHooks, TestLiveHookBlocks
//	 5  hook callbacks call the user's functions           TestHookGetsItsRequestAndAnswers, TestCallbacksOverARealPipe
//	 6  permissions ask the user's function                TestPermissionAnswers, TestLivePermission
//	 7  MCP messages reach the handler of their server     TestMCPMessagesAreRoutedByServerName, TestLiveMCPToolIsCalled
//	 8  control operations send control requests           TestControlOperations, TestLiveInterrupt, TestLiveRewind
//	 9  timeouts of 60 s by default, configurable by hook  TestHookTimeouts, TestTimeoutsDependOnTheSubtype
//	10  failed hooks let things go on                      TestHookFailures, TestLiveHookFailsOpen
//	11  failed permissions deny                            TestPermissionFailures, TestPermissionWithoutACallbackIsDenied
package transport
