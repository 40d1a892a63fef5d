// Package hooks owns the hooks of a session: callbacks that the SDK names in initialize, and
// commands from settings files and plugins. It says which of them an event calls, reads what they
// answer, and makes one verdict of all answers.
//
// A [Registry] has the hooks, a [Caller] calls them and tells the SDK of it. Callbacks go through a
// [Host]; commands run in the shell, with the input of the event on their standard input. All hooks
// of an event run at the same time.
package hooks
