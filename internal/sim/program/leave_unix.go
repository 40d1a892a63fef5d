//go:build unix

package program

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyPipe has the signal sent to c that comes for a pipe that nobody reads.
func notifyPipe(c chan<- os.Signal) { signal.Notify(c, syscall.SIGPIPE) }

// raise ends this process by a signal.
func raise(name string) {
	// The runtime has handlers for other signals than these, which print or do nothing; the exit
	// code is that of a shell then.
	if s, ok := map[string]syscall.Signal{"KILL": syscall.SIGKILL, "TERM": syscall.SIGTERM}[name]; ok {
		signal.Reset(s)
		if syscall.Kill(os.Getpid(), s) == nil {
			select {} // the signal comes
		}
	}
	os.Exit(shellCodes[name])
}
