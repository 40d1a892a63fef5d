//go:build unix

package fence

import (
	"errors"
	"syscall"
)

// gone reports whether there is no process with a number.
func gone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
