//go:build !unix

package driver

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

func killGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill() // it may be gone
	}
}

func groupAlive(int) bool { return false }

// Alive reports whether a process runs; nobody can tell here.
func Alive(int) bool { return false }

func signalOf(*os.ProcessState) string { return "" }
