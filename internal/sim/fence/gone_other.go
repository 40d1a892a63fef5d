//go:build !unix

package fence

import "os"

// gone reports whether there is no process with a number.
func gone(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return true
	}
	_ = p.Release() // it was only looked at
	return false
}
