package cli

import (
	"time"

	"github.com/ccwire/ccwire/internal/tail"
)

// stderr takes what a process writes to stderr: it keeps the end and feeds the callback. Its Write
// never waits.
type stderr struct {
	tail  *tail.Buffer
	lines *lineQueue // nil without a callback
}

func newStderr(opts Options) *stderr {
	s := &stderr{tail: tail.New(opts.StderrLimit)}
	if opts.OnStderr != nil {
		s.lines = newLineQueue(opts.OnStderr, opts.Logger)
	}
	return s
}

// Write implements io.Writer. It keeps no reference to p.
func (s *stderr) Write(p []byte) (int, error) {
	s.tail.Write(p)
	if s.lines != nil {
		s.lines.write(p)
	}
	return len(p), nil
}

// finish hands out the last line and waits for the callback until the given time.
func (s *stderr) finish(until time.Time) {
	if s.lines != nil {
		s.lines.finish(until)
	}
}

func (s *stderr) String() string { return s.tail.String() }
