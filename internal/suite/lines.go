package suite

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"sync"
)

// lineQueue reads lines as fast as they come and keeps them until they are taken, so that the CLI
// never waits for the player. Its goroutine ends with the reader.
type lineQueue struct {
	mu      sync.Mutex // guards the fields below
	lines   [][]byte   // without LF
	ended   bool
	partial bool          // the last line has no LF
	changed chan struct{} // closed and replaced at each change

	done chan struct{} // closed when the goroutine has ended
}

// readLines starts to read r. Each line is shown to seen, if that is not nil, when it arrives.
func readLines(r io.Reader, seen func(line []byte)) *lineQueue {
	q := &lineQueue{changed: make(chan struct{}), done: make(chan struct{})}
	// Ends when r ends or fails; owns r.
	go func() {
		defer close(q.done)
		in := bufio.NewReaderSize(r, 64<<10)
		for {
			line, err := in.ReadBytes('\n')
			text, lf := bytes.CutSuffix(line, []byte("\n"))
			if len(line) > 0 && seen != nil {
				seen(text)
			}
			q.mu.Lock()
			if len(line) > 0 {
				q.lines = append(q.lines, text)
				q.partial = !lf
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

// take returns the next line and removes it. The error is io.EOF after the last, or that of ctx.
func (q *lineQueue) take(ctx context.Context) ([]byte, error) {
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

// waiting returns the lines that were not taken yet.
func (q *lineQueue) waiting() [][]byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	return append([][]byte(nil), q.lines...)
}
