//go:build unix

package tap

import (
	"os"
	"os/signal"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// kept are the signals that are not passed on: those that nobody can catch, those that Go's runtime
// or the kernel send this process itself, and those that say that this process is broken.
var kept = map[syscall.Signal]bool{
	unix.SIGKILL: true, unix.SIGSTOP: true,
	unix.SIGCHLD: true, unix.SIGURG: true, unix.SIGPIPE: true, unix.SIGTTIN: true, unix.SIGTTOU: true,
	unix.SIGSEGV: true, unix.SIGBUS: true, unix.SIGFPE: true, unix.SIGILL: true,
	32: true, 33: true, // of the C library
}

// lastSignal is the highest number that Linux has.
const lastSignal = 64

// catch begins to collect the signals that are to be passed on. One that is ignored stays ignored,
// here and in the CLI.
func catch() (signals chan os.Signal, stop func()) {
	signals = make(chan os.Signal, 64)
	for n := syscall.Signal(1); n <= lastSignal; n++ {
		if !kept[n] && !signal.Ignored(n) {
			signal.Notify(signals, n)
		}
	}
	broken := make(chan os.Signal, 1) // a write to a stream that is closed must not end this process
	signal.Notify(broken, unix.SIGPIPE)
	return signals, func() { signal.Stop(signals); signal.Stop(broken) }
}

// forward passes a signal on to the CLI. Its error says that the CLI is gone, which is no news.
func forward(cli *os.Process, s os.Signal) {
	_ = cli.Signal(s)
	if s == unix.SIGTSTP {
		_ = syscall.Kill(os.Getpid(), unix.SIGSTOP) // the signal that wakes it is passed on too
	}
}

// signalName returns the name of a signal as recordings have it.
func signalName(s os.Signal) string {
	number, _ := s.(syscall.Signal)
	return strings.TrimPrefix(unix.SignalName(number), "SIG")
}

// attributes put the CLI into a process group of its own: a signal to this process's group reaches
// it once, passed on, and not twice.
func attributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	endWithThread(attr)
	return attr
}

// endedBy returns the signal that ended a process, nil if none did.
func endedBy(state *os.ProcessState) os.Signal {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal()
	}
	return nil
}
