package cli

import (
	"os/exec"
	"syscall"
	"unsafe"
)

// reap waits for the process and calls gone when it has ended but its id is still taken: a signal
// that is sent before gone returns never reaches a stranger.
func reap(cmd *exec.Cmd, gone func()) error {
	if waitForEnd(cmd.Process.Pid) != 0 {
		defer gone() // a kernel without waitid: the next best moment
		return cmd.Wait()
	}
	gone()
	return cmd.Wait()
}

// waitForEnd waits until the child with this id has ended and leaves it as it is.
func waitForEnd(pid int) syscall.Errno {
	const byPID = 1        // P_PID
	var siginfo [16]uint64 // the kernel writes 128 bytes, we need none
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, byPID, uintptr(pid),
			uintptr(unsafe.Pointer(&siginfo)), syscall.WEXITED|syscall.WNOWAIT, 0, 0)
		if errno != syscall.EINTR {
			return errno
		}
	}
}
