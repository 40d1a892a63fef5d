package program

import (
	"errors"
	"io"
	"sync"
	"syscall"
)

// watched returns the streams with a note in the log when the SDK closes what the CLI writes to. A
// closed stdout ends the CLI, as the signal for that does; without its stderr it goes on.
func (p *Program) watched(st Streams, end func(Exit)) Streams {
	note := func(stream string) {
		if p.Log != nil {
			p.Log.Closed(stream)
		}
	}
	st.Stdout = struct {
		io.Writer
		io.Closer
	}{&pipe{out: st.Stdout, closed: func() { note("stdout"); end(Exit{-1, "PIPE"}) }}, st.Stdout}
	st.Stderr = &pipe{out: st.Stderr, closed: func() { note("stderr") }}
	return st
}

// pipe calls closed once, when a write finds that nobody reads.
type pipe struct {
	out    io.Writer
	once   sync.Once
	closed func()
}

func (w *pipe) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		w.once.Do(w.closed)
	}
	return n, err
}
