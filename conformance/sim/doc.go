// Package sim gives tests a simulated Claude Code CLI: it speaks the protocol as the CLI does, and
// its model says what a script tells it to. Nothing needs to be installed, and nothing leaves the
// process.
//
//	cli, err := sim.New([]byte(`{"turns": [{"match": {"text": "greet"}, "text": "Hello."}]}`))
//	session, err := transport.Open(ctx, cli.Options())
//
// # Scripts
//
// A script is a JSON object:
//
//	turns           what the model says, one for each time that it is asked
//	default         the turn for what no other is left for; else the model repeats the user
//	tools           results of tools that do not act, by name: one, or a list by "input" and "times"
//	faults          faults, as of [CLI.Fault]
//	strict          true or "prompts": departures from the script are errors
//	virtual_time    pauses take no time
//	templates       false: {{name}} is a text as any
//	tools_anywhere  tools may leave the working directory
//
// A turn has
//
//	match           text, pattern (RE2), prompt, told, tool_result, input, result, is_error, model,
//	                from, nth: which requests it answers; without it, the conversation in its order
//	text, content   the answer; {{text}}, {{prompt}}, {{result}}, {{input.MEMBER}} and the groups of
//	                the pattern stand for what was asked
//	times, retries  how many requests it answers, -1 for all; whether also their retries
//	usage, model, stop_reason, stop_sequence    of the message
//	cost_usd        what the message costs; else what its usage does by the model
//	error, header   an error of the API: status, type, message, retry_after
//	pace, cut       pauses: before, chunk, every; an answer that stops: how, after
//
// docs/simulated.md and docs/fakeapi.md say more. An error in a script has its line, and what may
// be meant. [CLI.Check] tells a test how its sessions have departed from the script.
//
// # Faults
//
// A fault is NAME[=VALUE][@WHERE], see [CLI.Fault]. WHERE is the kind of a line, such as result,
// system/init or control_request/can_use_tool, or line for any; #2 is the second, #* each.
//
//	before a line   noise, raw=TEXT, blank, unknown-type, unknown-subtype, unknown-request,
//	                early-request, flood=BYTES, stderr=TEXT, stderr-flood=BYTES,
//	                stderr-long=BYTES, slow=MS
//	in a line       cr, unknown-block, unknown-member, unknown-event, remove=MEMBER, retype=MEMBER,
//	                long=BYTES, split=BYTES, split-character, bytewise
//	lines           drop, swap=MS, again=TIMES, raw-after=TEXT
//	responses       response-twice, response-late=MS, response-missing, response-contradicted,
//	                response-error, response-misaddressed, response-cancelled
//	requests        cancel-before, cancel-during, cancel-after
//	the end         half-line=CODE, unterminated=CODE, exit-after=CODE, exit=CODE, kill=SIGNAL
//	the process     hang, close-stdout, stay, deaf
//
// "protogen sim --list-faults" says what each does. [CLI.Chaos] chooses some by a seed.
//
// # As a program
//
// [CLI.Install] gives the same as a program, for code that wants to start one:
//
//	path, err := cli.Install(t.TempDir())
//	out, err := exec.Command(path, "-p", "greet me").Output()
//
// That program is the test itself: when it is started by that path, it becomes the CLI while this
// package is initialized, before TestMain. Import the package in tests only, not in a program that
// you ship: there it would look for a file beside the program at each start.
package sim
