//go:build !unix

package program

import "os"

// notifyPipe does nothing: no signal comes for a pipe that nobody reads.
func notifyPipe(chan<- os.Signal) {}

// raise ends this process as a shell would say of one that a signal has ended.
func raise(name string) {
	os.Exit(shellCodes[name])
}
