// Package peertest has the peers that tests talk to: the other end of a connection in memory, and
// child processes that do what a test says, among them one that speaks the CLI's protocol. It also
// checks for leaks.
//
// It imports neither transport nor transport/cli, so that their own tests can use it.
package peertest
