//go:build !unix

package framing

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

func killGroup(p *os.Process) { p.Kill() }

func peakMemory(*os.ProcessState) int64 { return 0 }
