//go:build unix

package shell

import (
	"os"
	"syscall"
)

func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the group that a command leads.
func killGroup(pid int) {
	_ = syscall.Kill(-pid, syscall.SIGKILL) // it may be gone
}

// groupLives reports whether the group of a command that has ended still has processes.
func groupLives(pid int) bool { return syscall.Kill(-pid, 0) == nil }

func exitCode(s *os.ProcessState) int {
	if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return s.ExitCode()
}

// drain reads what a pipe has, without waiting.
func drain(r *os.File, add func([]byte)) {
	raw, err := r.SyscallConn()
	if err != nil {
		return
	}
	b := make([]byte, 16<<10)
	_ = raw.Control(func(fd uintptr) { // the file is open
		for {
			n, err := syscall.Read(int(fd), b)
			if err == syscall.EINTR {
				continue
			}
			if err != nil || n <= 0 {
				return
			}
			add(b[:n])
		}
	})
}
