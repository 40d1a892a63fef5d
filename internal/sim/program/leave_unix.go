//go:build unix

package program

import (
	"os"
	"os/signal"
	"syscall"
)

// raise ends this process by a signal.
func raise(name string) {
	s := map[string]syscall.Signal{"KILL": syscall.SIGKILL, "TERM": syscall.SIGTERM, "SEGV": syscall.SIGSEGV, "ABRT": syscall.SIGABRT, "PIPE": syscall.SIGPIPE}[name]
	signal.Reset(s)
	if s == syscall.SIGSEGV || s == syscall.SIGABRT || s == syscall.SIGPIPE {
		// The runtime has handlers for these, which print or do nothing; the exit code is that of
		// a shell.
		os.Exit(128 + int(s))
	}
	if err := syscall.Kill(os.Getpid(), s); err != nil {
		os.Exit(128 + int(s))
	}
	select {} // the signal comes
}
