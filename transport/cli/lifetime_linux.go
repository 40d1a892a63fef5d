package cli

import (
	"runtime"
	"syscall"
)

// endWithThread has the kernel end the process when the thread that starts it ends, as all do when
// this process is killed. It is a signal at which the CLI ends its tools, which are in groups of
// their own: nobody would be there to end them if it was killed.
func endWithThread(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGTERM }

// keepThread keeps the calling goroutine, and nobody else, on its thread, which ends with it: it
// does not end before, and is not left for nothing after.
func keepThread() { runtime.LockOSThread() }
