//go:build unix

package program

import (
	"context"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// endWithParent calls end when the process that started this one is gone, and nobody can read any
// more what this one writes: a test that was killed leaves no CLI, whatever its script or its
// faults make it wait for. Either alone does not count: a CLI may be started for others, and an SDK
// that does not read may still write.
func endWithParent(ctx context.Context, stdout io.Writer, end func()) {
	pipe, ok := stdout.(*os.File)
	if !ok {
		return
	}
	parent := os.Getppid()
	every := time.NewTicker(parentEvery)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
			if os.Getppid() != parent && unread(pipe) {
				end()
				return
			}
		}
	}
}

// parentEvery is how often the parent is looked for.
const parentEvery = 200 * time.Millisecond

// unread reports whether a file is a pipe or a socket that nobody reads.
func unread(f *os.File) bool {
	raw, err := f.SyscallConn()
	if err != nil {
		return false
	}
	gone := false
	err = raw.Control(func(fd uintptr) {
		list := []unix.PollFd{{Fd: int32(fd)}}
		n, err := unix.Poll(list, 0)
		gone = err == nil && n == 1 && list[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
	})
	return err == nil && gone
}
