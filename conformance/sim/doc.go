// Package sim gives tests a simulated Claude Code CLI: it speaks the protocol as the CLI does, and
// its model says what a script tells it to. Nothing needs to be installed, and nothing leaves the
// process.
//
//	cli, err := sim.New([]byte(`{"turns": [{"match": {"text": "greet"}, "text": "Hello."}]}`))
//	session, err := transport.Open(ctx, cli.Options())
//
// The format of scripts, the faults and the log are described in docs/simulated.md.
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
