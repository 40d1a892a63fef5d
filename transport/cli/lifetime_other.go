//go:build !linux

package cli

import "syscall"

// endWithThread does nothing: there is no such signal here.
func endWithThread(*syscall.SysProcAttr) {}

func keepThread() {}
