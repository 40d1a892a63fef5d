package cli

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
)

var (
	// ErrStdinClosed says that the input was closed on this side.
	ErrStdinClosed = errors.New("stdin is closed")

	// ErrBrokenPipe says that the process no longer reads its input: it closed it, or it is gone.
	ErrBrokenPipe = errors.New("the process no longer reads stdin")
)

// stdin is our end of the input pipe.
type stdin struct {
	file   *os.File
	closed atomic.Bool // by Close, not by release
}

func (s *stdin) Write(p []byte) (int, error) {
	n, err := s.file.Write(p)
	switch {
	case err == nil:
		return n, nil
	case s.closed.Load():
		return n, ErrStdinClosed
	default:
		return n, fmt.Errorf("%w: %w", ErrBrokenPipe, err)
	}
}

// Close tells the process that there is no more input. The second call does nothing.
func (s *stdin) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	if err := s.file.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil // the process was gone before
}

// release closes the pipe after the exit. A Write that blocks, because a descendant holds the other
// end, returns.
func (s *stdin) release() { s.file.Close() }
