package program

import (
	"errors"
	"io"
	"sync"
	"syscall"
	"time"

	"github.com/ccwire/ccwire/internal/sim/journal"
)

// watched returns the streams with a note in the log when the SDK closes what the CLI writes to,
// or does not read it. A closed stdout ends the CLI, as the signal for that does; without its
// stderr it goes on.
func watched(st Streams, log *journal.Session, end func(Exit)) Streams {
	st.Stdout = struct {
		io.Writer
		io.Closer
	}{&pipe{
		out:     st.Stdout,
		blocked: func() { log.Blocked("stdout") },
		closed:  func() { log.Closed("stdout"); end(Exit{-1, "PIPE"}) },
	}, st.Stdout}
	st.Stderr = &pipe{
		out:     st.Stderr,
		blocked: func() { log.Blocked("stderr") },
		closed:  func() { log.Closed("stderr") },
	}
	return st
}

// pipe calls closed once, when a write finds that nobody can read, and blocked whenever nobody does
// for a while.
type pipe struct {
	out     io.Writer
	blocked func()
	once    sync.Once
	closed  func()
}

// blockedAfter is how long a write takes that nobody reads.
const blockedAfter = 2 * time.Second

func (w *pipe) Write(p []byte) (int, error) {
	late := time.AfterFunc(blockedAfter, w.blocked)
	defer late.Stop()
	n, err := w.out.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		w.once.Do(w.closed)
	}
	return n, err
}
