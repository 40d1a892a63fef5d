package replay

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"sync"
)

// input reads lines as fast as they come, so that the SDK never waits for the replay. Its
// goroutine ends with the reader.
type input struct {
	mu      sync.Mutex // guards the fields below
	lines   [][]byte
	ended   bool
	changed chan struct{} // closed and replaced at each change
}

func readInput(r io.Reader) *input {
	q := &input{changed: make(chan struct{})}
	// Ends when r ends or fails; owns r.
	go func() {
		in := bufio.NewReader(r)
		for {
			line, err := in.ReadBytes('\n')
			q.mu.Lock()
			if len(line) > 0 {
				q.lines = append(q.lines, bytes.TrimSuffix(line, []byte("\n")))
			}
			q.ended = err != nil
			close(q.changed)
			q.changed = make(chan struct{})
			q.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return q
}

// take returns the next line, io.EOF after the last.
func (q *input) take(ctx context.Context) ([]byte, error) {
	for {
		q.mu.Lock()
		if len(q.lines) > 0 {
			line := q.lines[0]
			q.lines = q.lines[1:]
			q.mu.Unlock()
			return line, nil
		}
		ended, changed := q.ended, q.changed
		q.mu.Unlock()
		if ended {
			return nil, io.EOF
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
