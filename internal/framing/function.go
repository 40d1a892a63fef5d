package framing

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// A Func is a parser that is a function: it reads a stream to the end and yields each JSON object
// that is a line.
type Func func(r io.Reader, yield func(object []byte)) error

// The ways in which a function crashes.
var (
	errPanic  = errors.New("it panicked")
	errGoexit = errors.New("it ended its goroutine, as runtime.Goexit and t.FailNow do")
)

// run gives the parser a stream. A parser that takes longer than the deadline is left alone: it
// ends at its next read or yield.
func (p Func) run(s Stream, deadline time.Duration) *outcome {
	var stopped atomic.Bool
	in := &reads{chunks: s.Chunks(), atEnd: s.AtEnd, stopped: &stopped}
	out := &objects{limit: len(s.Data)*8 + 1<<20, stopped: &stopped}
	var result outcome
	done := make(chan struct{})
	go func() { // ends with the parser, and owns result until done is closed
		defer close(done)
		returned := false
		defer func() {
			if v := recover(); v != nil {
				result.exit, result.stderr = errPanic, fmt.Appendf(nil, "panic: %v\n%s", v, panicked(debug.Stack()))
			} else if !returned && !stopped.Load() {
				result.exit = errGoexit
			}
		}()
		result.err = p(in, out.yield)
		returned = true
	}()
	timer := time.NewTimer(deadline)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		stopped.Store(true)
		return &outcome{hung: true, objects: out.close()}
	}
	result.objects, result.flood = out.close(), out.flood
	return &result
}

// panicked returns the innermost calls of a stack that a deferred function took after a panic.
func panicked(stack []byte) []byte {
	if i := bytes.Index(stack, []byte("\npanic(")); i >= 0 {
		stack = stack[i+1:]
	}
	if i := bytes.Index(stack, []byte("/framing.Func.run.")); i >= 0 {
		stack = stack[:bytes.LastIndexByte(stack[:i], '\n')+1] // what called the parser
	}
	const calls = 8 // with two lines each, of which the first is panic itself
	lines := bytes.SplitAfter(stack, []byte("\n"))
	return bytes.TrimSpace(bytes.Join(lines[min(2, len(lines)):min(2*calls, len(lines))], nil))
}

// reads is the reader that a parser gets. Each read returns one piece of the stream, or what is
// left of it.
type reads struct {
	chunks  [][]byte
	atEnd   bool         // the last bytes come with io.EOF
	stopped *atomic.Bool // a parser that still reads is ended
}

func (r *reads) Read(p []byte) (int, error) {
	if r.stopped.Load() {
		runtime.Goexit()
	}
	if len(r.chunks) == 1 && len(r.chunks[0]) == 0 || len(r.chunks) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.chunks[0])
	if r.chunks[0] = r.chunks[0][n:]; len(r.chunks[0]) == 0 {
		r.chunks = r.chunks[1:]
	}
	if r.atEnd && len(r.chunks) == 0 {
		return n, io.EOF
	}
	return n, nil
}

// objects keeps what a parser yields, up to a limit.
type objects struct {
	limit   int
	stopped *atomic.Bool // a parser that still yields is ended

	mu     sync.Mutex // guards the fields below
	all    [][]byte
	size   int
	flood  bool // there were more than can be right
	closed bool // the parser returned, and what comes now does not count
}

func (o *objects) yield(object []byte) {
	if !o.keep(object) {
		runtime.Goexit()
	}
}

// keep takes an object, and reports whether the parser may go on.
func (o *objects) keep(object []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.stopped.Load():
		return false
	case o.closed:
		return true
	}
	if o.size += len(object) + 1; o.size > o.limit {
		o.flood = true
		o.stopped.Store(true)
		return false
	}
	o.all = append(o.all, bytes.Clone(object))
	return true
}

func (o *objects) close() [][]byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	return o.all
}
