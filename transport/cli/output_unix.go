//go:build unix

package cli

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
)

// lockPipe ends the Read that holds mu while it waits for the pipe, and locks mu.
func lockPipe(pipe *os.File, mu *sync.Mutex) {
	pipe.SetReadDeadline(time.Unix(1, 0))
	mu.Lock()
	pipe.SetReadDeadline(time.Time{})
}

// isInterrupted reports whether a Read was ended by lockPipe.
func isInterrupted(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }

// readUntil reads what is in the pipe, and waits for it until the given time if there is nothing.
// However late it is, what is there is read: a deadline alone would not look.
func readUntil(pipe *os.File, buf []byte, until time.Time) (int, error) {
	n, err := readNow(pipe, buf)
	if err != errPipeEmpty || !time.Now().Before(until) {
		return n, err
	}
	pipe.SetReadDeadline(until)
	n, err = pipe.Read(buf)
	pipe.SetReadDeadline(time.Time{})
	if isInterrupted(err) {
		err = errPipeEmpty
	}
	return n, err
}

// readNow reads without waiting. The pipe's descriptor is in non-blocking mode, as os.Pipe made it.
func readNow(pipe *os.File, buf []byte) (n int, err error) {
	conn, err := pipe.SyscallConn()
	if err != nil {
		return 0, err
	}
	var readErr error
	err = conn.Read(func(fd uintptr) bool {
		for {
			n, readErr = syscall.Read(int(fd), buf)
			if readErr != syscall.EINTR {
				return true
			}
		}
	})
	n = max(n, 0)
	switch {
	case err != nil:
		return n, err
	case readErr == syscall.EAGAIN:
		return 0, errPipeEmpty
	case n == 0 && readErr == nil:
		return 0, io.EOF
	default:
		return n, readErr
	}
}
