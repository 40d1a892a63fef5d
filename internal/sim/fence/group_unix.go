//go:build unix

package fence

import (
	"errors"
	"os"
	"syscall"
)

func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the group that a process leads.
func killGroup(pid int) {
	_ = syscall.Kill(-pid, syscall.SIGKILL) // it may be gone
}

func terminate(p *os.Process) error { return p.Signal(syscall.SIGTERM) }

// groupLives reports whether the group of a process that has ended still has processes.
func groupLives(pid int) bool { return syscall.Kill(-pid, 0) == nil }

// isBusy reports whether a program could not be started since somebody has it open for writing.
func isBusy(err error) bool { return errors.Is(err, syscall.ETXTBSY) }

func exitCode(s *os.ProcessState) int {
	if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return s.ExitCode()
}
