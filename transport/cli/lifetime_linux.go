package cli

import (
	"runtime"
	"syscall"
)

// endWithThread has the kernel kill the process when the thread that starts it ends, as all do when
// this process is killed.
func endWithThread(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// keepThread keeps the calling goroutine, and nobody else, on its thread until release is called:
// the thread does not end before.
func keepThread() (release func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}
