package cli

import (
	"bytes"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	maxStderrLine  = 64 << 10  // a longer line is handed out in pieces
	maxStderrQueue = 256 << 10 // bytes that wait for the callback
)

// lineQueue calls a callback for each line, in a goroutine of its own, and drops lines if that is
// too slow.
type lineQueue struct {
	callback func(line string, dropped int)
	logger   *slog.Logger  // gets a panic of the callback
	partial  []byte        // the line that has not ended yet; only used by write and finish
	done     chan struct{} // closed by run

	mu       sync.Mutex // guards the fields below
	changed  *sync.Cond // on mu: lines or finished changed
	lines    []string
	size     int // of lines, in bytes
	dropped  int // lines, since the last one was handed out
	finished bool
}

func newLineQueue(callback func(line string, dropped int), logger *slog.Logger) *lineQueue {
	q := &lineQueue{callback: callback, logger: logger, done: make(chan struct{})}
	q.changed = sync.NewCond(&q.mu)
	go q.run() // ends after finish, when all lines are handed out
	return q
}

// run calls the callback until there are no more lines or it panics. Lines that come after a panic
// are dropped when the queue is full.
func (q *lineQueue) run() {
	defer close(q.done)
	defer func() {
		if v := recover(); v != nil {
			q.complain(v, debug.Stack())
		}
	}()
	for {
		line, dropped, ok := q.next()
		if !ok {
			return
		}
		q.callback(line, dropped)
	}
}

// complain tells of a panic of the callback. There is nobody to tell of one of the logger.
func (q *lineQueue) complain(panicked any, stack []byte) {
	defer func() { recover() }()
	q.logger.Error("the OnStderr callback panicked and is not called again", "panic", panicked, "stack", string(stack))
}

// next waits for a line. It returns false if there will be none.
func (q *lineQueue) next() (line string, dropped int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.lines) == 0 {
		if q.finished {
			return "", 0, false
		}
		q.changed.Wait()
	}
	line, dropped = q.lines[0], q.dropped
	q.removeFirstLocked()
	q.dropped = 0
	return line, dropped, true
}

func (q *lineQueue) write(p []byte) {
	q.partial = append(q.partial, p...)
	for {
		end := bytes.IndexByte(q.partial, '\n')
		switch {
		case end >= 0 && end <= maxStderrLine:
			q.push(bytes.TrimSuffix(q.partial[:end], []byte("\r")))
			q.partial = q.partial[end+1:]
		case len(q.partial) > maxStderrLine:
			end = maxStderrLine
			for end > maxStderrLine-utf8.UTFMax && !utf8.RuneStart(q.partial[end]) {
				end--
			}
			q.push(q.partial[:end])
			q.partial = q.partial[end:]
		default:
			return
		}
	}
}

func (q *lineQueue) push(line []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lines = append(q.lines, strings.ToValidUTF8(string(line), "\uFFFD"))
	q.size += len(q.lines[len(q.lines)-1]) + 1
	for q.size > maxStderrQueue {
		q.removeFirstLocked()
		q.dropped++
	}
	q.changed.Signal()
}

func (q *lineQueue) removeFirstLocked() {
	q.size -= len(q.lines[0]) + 1
	q.lines[0] = ""
	q.lines = q.lines[1:]
}

// finish hands out a line without an end, lets the goroutine end, and waits for that until the
// given time.
func (q *lineQueue) finish(until time.Time) {
	if len(q.partial) > 0 {
		q.push(q.partial)
	}
	q.mu.Lock()
	q.finished = true
	q.changed.Signal()
	q.mu.Unlock()

	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-q.done:
	case <-timer.C:
	}
}
