package cli

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

var generateConsoleCtrlEvent = syscall.NewLazyDLL("kernel32.dll").NewProc("GenerateConsoleCtrlEvent")

func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// interruptGroup sends CTRL_BREAK: a process in a new group ignores CTRL_C.
func interruptGroup(leader int) error {
	ok, _, err := generateConsoleCtrlEvent.Call(syscall.CTRL_BREAK_EVENT, uintptr(leader))
	if ok == 0 {
		return err
	}
	return nil
}

// killGroup ends the process and its descendants, or at least the process.
func killGroup(leader int) error {
	treeErr := exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(leader)).Run()
	if treeErr == nil {
		return nil
	}
	process, err := os.FindProcess(leader)
	if err != nil {
		return errors.Join(treeErr, err)
	}
	defer process.Release()
	if err := process.Kill(); err != nil {
		return errors.Join(treeErr, err)
	}
	return nil
}
