//go:build !linux

package shell

import "os/exec"

// Fenced reports whether the system keeps a command in its [Command.Fence].
func Fenced() bool { return false }

func start(cmd *exec.Cmd, _ []string) error { return cmd.Start() }
