package sim

import (
	"io"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
)

// maxWaiting is how many bytes may wait for a slow reader before a writer waits too.
const maxWaiting = 1 << 20

// output writes lines in the order of the calls. A goroutine of its own does the writing, so that
// many small lines are one write when they come fast.
type output struct {
	w    io.Writer
	done chan struct{} // closed when the goroutine has ended

	mu      sync.Mutex // guards the fields below
	changed *sync.Cond
	waiting []byte
	spare   []byte
	busy    bool // a write is under way
	closed  bool
	halted  bool // lines are dropped: the session ends
	err     error
	form    form
	list    []byte // the elements of an array of lines, that is written at the end
}

// form is what the output is.
type form int

const (
	lines   form = iota
	oneText      // a text or one object; lines are not written
	array        // one array of all lines
)

func newOutput(w io.Writer) *output {
	o := &output{w: w, done: make(chan struct{})}
	o.changed = sync.NewCond(&o.mu)
	go o.run() // ends with close
	return o
}

func (o *output) run() {
	defer close(o.done)
	o.mu.Lock()
	defer o.mu.Unlock()
	for {
		for len(o.waiting) == 0 && !o.closed {
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

// append writes what add appends, one or more lines in one piece.
func (o *output) append(add func([]byte) []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.form != lines {
		return
	}
	for len(o.waiting) > maxWaiting && o.err == nil && !o.closed {
		o.changed.Wait()
	}
	if o.err != nil || o.closed || o.halted {
		return
	}
	o.waiting = add(o.waiting)
	o.changed.Broadcast()
}

// line writes one line.
func (o *output) line(v object.Object) {
	o.mu.Lock()
	if o.form == array && !o.halted {
		if o.list != nil {
			o.list = append(o.list, ',')
		}
		o.list = object.Append(o.list, v)
	}
	o.mu.Unlock()
	o.append(func(b []byte) []byte { return append(object.Append(b, v), '\n') })
}

// text writes a text as it is.
func (o *output) text(s string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil && !o.closed {
		o.waiting = append(o.waiting, s...)
		o.changed.Broadcast()
	}
}

// setForm says what the output is.
func (o *output) setForm(f form) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.form = f
}

// endList writes the array of lines, if there is one.
func (o *output) endList() {
	o.mu.Lock()
	list := o.list
	o.list = nil
	o.mu.Unlock()
	if list != nil {
		o.text("[" + string(list) + "]\n")
	}
}

// halt drops the lines that come from now on, or takes them again.
func (o *output) halt(on bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.halted = on
}

// close writes what is left and ends the goroutine.
func (o *output) close() {
	o.mu.Lock()
	o.closed = true
	o.changed.Broadcast()
	o.mu.Unlock()
	<-o.done
}

// abandon ends the goroutine without writing what is left; a write under way must end by itself.
func (o *output) abandon() {
	o.mu.Lock()
	o.closed, o.waiting = true, nil
	o.changed.Broadcast()
	o.mu.Unlock()
}
