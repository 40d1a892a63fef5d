// Package sim is a model of the Claude Code CLI 2.1.325: a program that speaks the protocol with
// any SDK, without a network and without a model. What the model says comes from a script (package
// script); everything else it does as the CLI does, as far as the scenarios show it.
//
// [New] makes a session of arguments, an environment, a folder and three streams; [Session.Run]
// plays the CLI until its end and returns the exit code.
//
// # Goroutines
//
// One goroutine reads the SDK's lines and serves its requests in their order, those that take long
// in a goroutine of their own. Run itself takes the user's messages and plays a turn for each.
// Tools, hooks and subagents run in goroutines that their turn waits for, those in the background
// until the session ends.
package sim

// Version is the version of the CLI that the package models.
const Version = "2.1.325"
