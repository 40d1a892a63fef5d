package tap

import (
	"os"
	"os/signal"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// endWithThread has the kernel kill the CLI when the thread that starts it ends, as it does when
// this process is killed.
func endWithThread(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// die ends this process by a signal, as the CLI was ended. Go's own handlers would make an exit of
// some of them, so the kernel's action is set. There is one core file at most, the CLI's.
func die(s os.Signal) {
	number, ok := s.(syscall.Signal)
	if !ok {
		return
	}
	_ = unix.Setrlimit(unix.RLIMIT_CORE, new(unix.Rlimit))
	signal.Reset(number)
	var action [32]byte // the default one, no flags, no mask
	_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(number), uintptr(unsafe.Pointer(&action)), 0, 8, 0, 0)
	_ = unix.Kill(os.Getpid(), number)
	select {} // it may be taken by another thread
}
