//go:build unix

package cli

import "syscall"

func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func interruptGroup(leader int) error { return syscall.Kill(-leader, syscall.SIGINT) }

func killGroup(leader int) error { return syscall.Kill(-leader, syscall.SIGKILL) }
