//go:build !linux

package cli

import "os/exec"

// reap waits for the process and calls gone right after. (The waitid of macOS also returns for a
// process that was only stopped, so there is no earlier moment as on Linux.)
func reap(cmd *exec.Cmd, gone func()) error {
	err := cmd.Wait()
	gone()
	return err
}
