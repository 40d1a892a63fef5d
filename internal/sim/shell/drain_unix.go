//go:build unix

package shell

import (
	"os"
	"syscall"
)

// drain reads what a pipe has, without waiting.
func drain(r *os.File, add func([]byte)) {
	raw, err := r.SyscallConn()
	if err != nil {
		return
	}
	b := make([]byte, 16<<10)
	_ = raw.Control(func(fd uintptr) { // the file is open
		for {
			n, err := syscall.Read(int(fd), b)
			if err == syscall.EINTR {
				continue
			}
			if err != nil || n <= 0 {
				return
			}
			add(b[:n])
		}
	})
}
