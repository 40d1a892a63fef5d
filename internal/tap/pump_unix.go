//go:build unix

package tap

import (
	"os"

	"golang.org/x/sys/unix"
)

// closed is what poll says of the writing end of a pipe or socket that nobody reads any more.
const closed = unix.POLLERR | unix.POLLHUP

// A gate tells pumps that the CLI has ended: they pass on what is there and end.
type gate struct{ read, write *os.File }

func newGate() (*gate, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	return &gate{r, w}, nil
}

// shut may be called once.
func (g *gate) shut() { g.write.Close() }

// pieceBytes is how much is read at once.
const pieceBytes = 256 << 10

// pump passes bytes from src to dst until src ends, dst is gone, or the gate is shut and src has
// nothing more at the moment. Each piece is shown to see before it is passed on.
//
// It polls both ends, so that it also ends where nothing is written any more to a reader that has
// closed its end.
func pump(dst, src *os.File, g *gate, see func(p []byte)) {
	from, to, exit := fd(src), fd(dst), fd(g.read)
	buf := make([]byte, pieceBytes)
	ended := false
	for {
		fds := []unix.PollFd{{Fd: from, Events: unix.POLLIN}, {Fd: to}, {Fd: exit, Events: unix.POLLIN}}
		timeout := -1
		if ended {
			fds, timeout = fds[:2], 0
		}
		n, err := unix.Poll(fds, timeout)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil, fds[1].Revents&closed != 0:
			return
		case n == 0:
			return // the CLI has ended, and there is nothing more
		}
		if fds[0].Revents == 0 {
			ended = ended || fds[2].Revents != 0
			continue
		}
		n, err = unix.Read(int(from), buf)
		switch {
		case err == unix.EINTR || err == unix.EAGAIN:
			continue
		case err != nil || n <= 0:
			return
		}
		see(buf[:n])
		if !write(to, buf[:n]) {
			return
		}
	}
}

// write writes all bytes. It is false if nobody reads them.
func write(to int32, p []byte) bool {
	for len(p) > 0 {
		n, err := unix.Write(int(to), p)
		if n > 0 {
			p = p[n:]
		}
		switch err {
		case nil, unix.EINTR:
		case unix.EAGAIN:
			_, _ = unix.Poll([]unix.PollFd{{Fd: to, Events: unix.POLLOUT}}, -1) // write tells the error
		default:
			return false
		}
	}
	return true
}

// fd returns the descriptor of a file and leaves its mode as it is.
func fd(f *os.File) (number int32) {
	number = -1
	if raw, err := f.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { number = int32(fd) })
	}
	return number
}

// hangUp closes a standard stream. Its number stays taken, so that no other file gets it.
func hangUp(f *os.File) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		f.Close()
		return
	}
	defer null.Close()
	if number := fd(f); number >= 0 && number <= 2 {
		_ = dup2(int(fd(null)), int(number)) // if it fails, the stream ends with the process
		return
	}
	f.Close()
}
