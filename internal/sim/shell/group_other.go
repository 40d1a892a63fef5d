//go:build !unix

package shell

import (
	"os"
	"syscall"
)

func ownGroup() *syscall.SysProcAttr { return nil }

// killGroup ends a command; the system has no groups.
func killGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill() // it may be gone
	}
}

func groupLives(int) bool { return false }

func exitCode(s *os.ProcessState) int { return s.ExitCode() }

// drain does nothing: the system cannot read without waiting.
func drain(*os.File, func([]byte)) {}
