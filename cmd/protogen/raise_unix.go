//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// raise ends this process by a signal.
func raise(name string) error {
	s := map[string]syscall.Signal{"KILL": syscall.SIGKILL, "TERM": syscall.SIGTERM, "SEGV": syscall.SIGSEGV, "ABRT": syscall.SIGABRT}[name]
	signal.Reset(s)
	if s == syscall.SIGSEGV || s == syscall.SIGABRT {
		// The runtime has handlers for these, which print; the exit code is that of a shell.
		return otherExit(128 + int(s))
	}
	if err := syscall.Kill(os.Getpid(), s); err != nil {
		return err
	}
	select {} // the signal comes
}
