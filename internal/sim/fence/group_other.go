//go:build !unix

package fence

import (
	"os"
	"syscall"
)

func ownGroup() *syscall.SysProcAttr { return nil }

// killGroup ends a process; the system has no groups.
func killGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill() // it may be gone
	}
}

func terminate(p *os.Process) error { return p.Kill() }

func groupLives(int) bool { return false }

func isBusy(error) bool { return false }

func exitCode(s *os.ProcessState) int { return s.ExitCode() }
