//go:build unix

package cli

import (
	"os"
	"syscall"
)

const hasProcesses = true

func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// members is a process group: the process, whose id it is, and the descendants that did not leave
// it.
type members int

func newMembers(leader *os.Process) members { return members(leader.Pid) }

func (m members) interrupt() error { return syscall.Kill(-int(m), syscall.SIGINT) }
func (m members) terminate() error { return syscall.Kill(-int(m), syscall.SIGTERM) }
func (m members) kill() error      { return syscall.Kill(-int(m), syscall.SIGKILL) }
func (m members) release()         {}

// signalOf returns the name of the signal that ended a process, "" if none did.
func signalOf(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}
