//go:build !linux

package shell

import "os/exec"

func start(cmd *exec.Cmd, folders []string) error {
	if folders != nil {
		return ErrNoFence
	}
	return cmd.Start()
}
