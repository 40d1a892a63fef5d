// Package sim is a model of the Claude Code CLI 2.1.328: a program that speaks the protocol with
// any SDK, without a network and without a model. What the model says comes from a script (package
// script); everything else it does as the CLI does, as far as the scenarios show it. It can be an
// older version too (package release): what that lacks is cut off where lines are written, requests
// are served and hooks are called, and where it does something else, the code asks for the version.
//
// [New] makes a session of arguments, an environment, a folder and three streams; [Session.Run]
// plays the CLI until its end and returns the exit code.
//
// # Owners
//
// A session only reads its input and puts the owners of its state together; each of them is a
// package below this one, with a lock of its own. From the ground up: ids, models, flags, life and
// workspace stand alone; output writes lines, calls asks the SDK, queue holds the user's messages,
// conversation what was said, ledger what was used, transcript what is kept on disk; hooks calls
// hooks, permit decides on tools by permission, tasks has what runs beside the conversation,
// servers the MCP servers; result writes results; turn plays turns, and tooluse uses tools for
// them; control serves the requests of the SDK with what requests has for each. An owner imports
// only those before it, and asks those after it by an interface or a function that the session
// gives it.
//
// # Goroutines
//
// One goroutine reads the SDK's lines and serves its requests in their order, those that take long
// in a goroutine of their own. Run itself takes the user's messages and plays a turn for each.
// Tools, hooks and subagents run in goroutines that their turn waits for, those in the background
// until the session ends.
package sim
