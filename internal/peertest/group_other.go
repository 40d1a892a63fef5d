//go:build !unix

package peertest

import "os/exec"

// leaveGroup does nothing: there are no process groups.
func leaveGroup(*exec.Cmd) {}
