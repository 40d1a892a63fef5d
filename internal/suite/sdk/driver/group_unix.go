//go:build unix

package driver

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills what is left of the group that a process led.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) } // it may be gone

// groupAlive reports whether a process of the group runs.
func groupAlive(pid int) bool {
	if syscall.Kill(-pid, 0) != nil {
		return false
	}
	// Those that have ended and that nobody has waited for count too, unless /proc tells more.
	list, err := os.ReadDir("/proc")
	if err != nil || runtime.GOOS != "linux" {
		return true
	}
	for _, e := range list {
		n, err := strconv.Atoi(e.Name())
		if state, group := status(n); err == nil && group == strconv.Itoa(pid) && state != "Z" && state != "X" {
			return true
		}
	}
	return false
}

// Alive reports whether a process runs.
func Alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	state, _ := status(pid)
	return state != "Z" && state != "X"
}

// status returns the state and the group of a process, as Linux has them.
func status(pid int) (state, group string) {
	words := stat("/proc/" + strconv.Itoa(pid) + "/stat")
	if len(words) < 3 {
		return "", ""
	}
	return words[0], words[2]
}

// stat returns the words of such a file, from the state on.
func stat(name string) []string {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	// The name, in brackets, may hold spaces and brackets.
	return strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
}

func signalOf(s *os.ProcessState) string {
	if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}
