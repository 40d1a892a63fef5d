// Package sim gives tests a simulated Claude Code CLI: it speaks the protocol as the CLI does, and
// its model says what a script tells it to. Nothing needs to be installed, and nothing leaves the
// process.
//
//	cli, err := sim.New([]byte(`{"turns": [{"match": {"text": "greet"}, "text": "Hello."}]}`))
//	session, err := transport.Open(ctx, cli.Options())
//
// The format of scripts, the faults and the log are described in docs/simulated.md. [Path] gives
// the same as a program, for code that wants to start one.
package sim
