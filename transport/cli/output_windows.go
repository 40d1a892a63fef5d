package cli

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

var peekNamedPipe = kernel32.NewProc("PeekNamedPipe")

// pollInterval is how often a pipe is looked at where the system has no way to wait for it with a
// time limit.
const pollInterval = time.Millisecond

// lockPipe ends the Read that holds mu while it waits for the pipe, and locks mu.
func lockPipe(pipe *os.File, mu *sync.Mutex) {
	for !mu.TryLock() {
		withHandle(pipe, func(h syscall.Handle) { syscall.CancelIoEx(h, nil) })
		time.Sleep(pollInterval)
	}
}

// isInterrupted reports whether a Read was ended by lockPipe.
func isInterrupted(err error) bool { return errors.Is(err, syscall.ERROR_OPERATION_ABORTED) }

// readUntil reads what is in the pipe, and waits for it until the given time if there is nothing.
func readUntil(pipe *os.File, buf []byte, until time.Time) (int, error) {
	for {
		available, err := peek(pipe)
		switch {
		case err != nil:
			return 0, err
		case available > 0:
			return pipe.Read(buf)
		case !time.Now().Before(until):
			return 0, errPipeEmpty
		}
		time.Sleep(pollInterval)
	}
}

// peek returns how many bytes can be read without waiting, and io.EOF if no more will come.
func peek(pipe *os.File) (available uint32, err error) {
	controlErr := withHandle(pipe, func(h syscall.Handle) {
		ok, _, callErr := peekNamedPipe.Call(uintptr(h), 0, 0, 0, uintptr(unsafe.Pointer(&available)), 0)
		if ok == 0 {
			err = callErr
		}
	})
	if errors.Is(err, syscall.ERROR_BROKEN_PIPE) {
		err = io.EOF
	}
	return available, errors.Join(controlErr, err)
}

func withHandle(file *os.File, do func(syscall.Handle)) error {
	conn, err := file.SyscallConn()
	if err != nil {
		return err
	}
	return conn.Control(func(fd uintptr) { do(syscall.Handle(fd)) })
}
