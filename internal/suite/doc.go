// Package suite judges a Claude Code CLI: it plays scenarios against it and says which hold.
//
// [Run] plays scenarios on targets, several at once. A [Target] starts one CLI session for one
// scenario: [NewProcessTarget] a real CLI in a sandbox with a fake Messages API, the package
// simtarget a simulated one, the package replay a recording. [Play] plays a single scenario on
// the [Peer] that a target has started, the SDK's end of the pipe.
//
// Every line that the CLI writes is checked: it must be JSON, fit the schemas in their open form,
// and decode. What the schemas do not name is collected as findings, which fail nothing.
package suite
