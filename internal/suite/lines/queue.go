// Package lines takes the lines of a reader to whoever plays its other end, at the pace of both.
package lines

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"slices"
	"sync"
)

// Queue keeps the lines of a reader until they are taken. It reads them as fast as they come, so
// that whoever writes them never waits. Its methods can be called concurrently.
type Queue struct {
	done chan struct{} // closed when the goroutine has ended

	mu      sync.Mutex // guards the fields below
	lines   [][]byte   // without LF
	ended   bool
	changed chan struct{} // closed and replaced at each change
}

// Read starts to read r. Each line is shown to seen, if that is not nil, when it arrives, from one
// goroutine.
func Read(r io.Reader, seen func(line []byte)) *Queue {
	q := &Queue{changed: make(chan struct{}), done: make(chan struct{})}
	go q.read(r, seen) // ends when r ends or fails; owns r
	return q
}

func (q *Queue) read(r io.Reader, seen func(line []byte)) {
	defer close(q.done)
	in := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := in.ReadBytes('\n')
		text := bytes.TrimSuffix(line, []byte("\n"))
		if len(line) > 0 && seen != nil {
			seen(text)
		}
		q.mu.Lock()
		if len(line) > 0 {
			q.lines = append(q.lines, text)
		}
		q.ended = err != nil
		close(q.changed)
		q.changed = make(chan struct{})
		q.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Take returns the next line and removes it. The error is io.EOF after the last, or that of ctx.
func (q *Queue) Take(ctx context.Context) ([]byte, error) {
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

// Waiting returns the lines that were not taken yet.
func (q *Queue) Waiting() [][]byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.lines)
}

// Done is closed when the reader has ended and all its lines were shown.
func (q *Queue) Done() <-chan struct{} { return q.done }
