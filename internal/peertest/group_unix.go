//go:build unix

package peertest

import (
	"os/exec"
	"syscall"
)

// leaveGroup has a command run in a process group of its own.
func leaveGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
