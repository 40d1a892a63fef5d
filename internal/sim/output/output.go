// Package output owns what the CLI writes to its standard output.
package output

import (
	"io"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
)

// maxWaiting is how many bytes may wait for a slow reader before a writer waits too.
const maxWaiting = 1 << 20

// Writer writes lines in the order of the calls. A goroutine of its own does the writing, so that
// many small lines are one write when they come fast.
type Writer struct {
	w    io.Writer
	done chan struct{} // closed when the goroutine has ended

	mu      sync.Mutex // guards the fields below
	changed *sync.Cond
	waiting []byte
	spare   []byte
	busy    bool // a write is under way
	held    int  // how many of those who hold lines back have not let go
	closed  bool
	halted  bool // lines are dropped: the session ends
	err     error
	form    Form
	list    []byte // the elements of an array of lines, that is written at the end
	late    late
}

// Form is what the output is.
type Form int

// The forms.
const (
	Lines Form = iota
	Text       // a text or one object; lines are not written
	Array      // one array of all lines
)

// New returns a Writer that writes lines. Close or Abandon must be called.
func New(w io.Writer) *Writer {
	o := &Writer{w: w, done: make(chan struct{})}
	o.changed = sync.NewCond(&o.mu)
	go o.run() // ends with Close
	return o
}

func (o *Writer) run() {
	defer close(o.done)
	o.mu.Lock()
	defer o.mu.Unlock()
	for {
		for (len(o.waiting) == 0 || o.held > 0 && len(o.waiting) <= maxWaiting) && !o.closed {
			o.changed.Wait()
		}
		if len(o.waiting) == 0 || o.err != nil {
			return
		}
		data := o.waiting
		o.waiting, o.spare = o.spare[:0], nil
		o.busy = true
		o.mu.Unlock()
		_, err := o.w.Write(data)
		o.mu.Lock()
		o.busy, o.spare = false, data[:0]
		if err != nil {
			o.err, o.waiting = err, nil
		}
		o.changed.Broadcast()
	}
}

// Append writes what add appends, one or more lines in one piece.
func (o *Writer) Append(add func([]byte) []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.appendLocked(len(o.late.lines), 0, add)
}

// appendLocked is Append, with lines that wait before it and after it.
func (o *Writer) appendLocked(before, after int, add func([]byte) []byte) {
	if o.form != Lines {
		return
	}
	o.flushLocked(before)
	for len(o.waiting) > maxWaiting && o.err == nil && !o.closed {
		o.changed.Wait()
	}
	if o.err != nil || o.closed || o.halted {
		return
	}
	o.waiting = add(o.waiting)
	o.flushLocked(min(after, len(o.late.lines)))
	o.changed.Broadcast()
}

// Line writes one line.
func (o *Writer) Line(v object.Object) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.form == Array && !o.halted {
		if o.list != nil {
			o.list = append(o.list, ',')
		}
		o.list = object.Append(o.list, v)
	}
	before, after := o.overtakeLocked(v)
	o.appendLocked(before, after, func(b []byte) []byte { return append(object.Append(b, v), '\n') })
}

// Text writes a text as it is.
func (o *Writer) Text(s string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil && !o.closed {
		o.waiting = append(o.waiting, s...)
		o.changed.Broadcast()
	}
}

// Hold keeps the lines that come from now on from the reader until release is called: who reads the
// first of them finds done what was done meanwhile.
func (o *Writer) Hold() (release func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.held++
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.held--
		o.changed.Broadcast()
	}
}

// SetForm says what the output is.
func (o *Writer) SetForm(f Form) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.form = f
}

// EndList writes the array of lines, if there is one.
func (o *Writer) EndList() {
	o.mu.Lock()
	list := o.list
	o.list = nil
	o.mu.Unlock()
	if list != nil {
		o.Text("[" + string(list) + "]\n")
	}
}

// Halt drops the lines that come from now on, or takes them again.
func (o *Writer) Halt(on bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.halted = on
}

// Close writes what is left and ends the goroutine.
func (o *Writer) Close() {
	o.mu.Lock()
	o.flushLocked(len(o.late.lines))
	o.closed = true
	o.changed.Broadcast()
	o.mu.Unlock()
	<-o.done
}

// Abandon ends the goroutine without writing what is left; a write under way must end by itself.
func (o *Writer) Abandon() {
	o.mu.Lock()
	o.closed, o.waiting = true, nil
	o.changed.Broadcast()
	o.mu.Unlock()
}
