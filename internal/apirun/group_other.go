//go:build !unix

package apirun

import (
	"os"
	"os/exec"
)

// ownGroup does nothing where there are no process groups.
func ownGroup(*exec.Cmd) {}

// exitCode returns how a process ended.
func exitCode(state *os.ProcessState) int { return state.ExitCode() }
