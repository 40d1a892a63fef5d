package transport

import (
	"io"
	"sync"

	"github.com/ccwire/ccwire/codec"
)

// outbox writes lines in the order in which they were pushed, one at a time. It has a goroutine of
// its own for that, so that whoever pushes never waits for the peer, and a line that has not begun
// to go out can be withdrawn. A pusher that may wait can write instead, see help.
type outbox struct {
	dst    io.Writer
	w      *codec.Writer
	wake   chan struct{} // of one: there may be something to do for run
	broken chan struct{} // closed at the first write error
	done   chan struct{} // closed when run has returned and nobody writes

	mu      sync.Mutex // guards the fields below; never held during a write
	queue   fifo[*outgoing]
	writing bool  // somebody is in a write
	end     error // why nothing more is accepted
	stop    bool  // run must return
}

// outgoing is a line on its way.
type outgoing struct {
	line    []byte       // nil: close the writer
	buf     *buffer      // of line, if it is to be freed
	watcher writeWatcher // may be nil
	taken   bool         // somebody has begun to write it; guarded by the outbox
	lost    bool         // it was not written, because of an error or of close; guarded by the outbox
}

// writeWatcher is told once, without a lock, that a line was written or cannot be. It must not
// block. It is not told of a line that was withdrawn.
type writeWatcher interface{ written(error) }

// writtenChan is a writeWatcher for those who wait. It has room for one.
type writtenChan chan error

func (c writtenChan) written(err error) { c <- err }

// newLine makes a line for the outbox and the channel that tells when it is written.
func newLine(line []byte) (*outgoing, <-chan error) {
	written := make(writtenChan, 1)
	return &outgoing{line: line, watcher: written}, written
}

// buffer is memory for a line, which goes from line to line.
type buffer struct{ bytes []byte }

// maxPooled is the largest buffer that is kept for another line.
const maxPooled = 64 << 10

var buffers = sync.Pool{New: func() any { return &buffer{make([]byte, 0, 1<<10)} }}

func newBuffer() *buffer { return buffers.Get().(*buffer) }

// free gives the memory to another line. A nil buffer has none.
func (b *buffer) free() {
	if b != nil && cap(b.bytes) <= maxPooled {
		b.bytes = b.bytes[:0]
		buffers.Put(b)
	}
}

func newOutbox(dst io.Writer) *outbox {
	o := &outbox{dst: dst, w: codec.NewWriter(dst), wake: make(chan struct{}, 1), broken: make(chan struct{}), done: make(chan struct{})}
	go o.run() // ends after close, at the latest when a blocked Write returns
	return o
}

// push queues a line. It does not block.
func (o *outbox) push(out *outgoing) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	err := o.pushLocked(out)
	if err == nil {
		wake(o.wake)
	}
	return err
}

// pushForHelp queues a line for a caller that calls help next.
func (o *outbox) pushForHelp(out *outgoing) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.pushLocked(out)
}

// pushLast queues a line and refuses all later ones with the error.
func (o *outbox) pushLast(out *outgoing, end error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.pushLocked(out); err != nil {
		return err
	}
	o.end = end
	wake(o.wake)
	return nil
}

func (o *outbox) pushLocked(out *outgoing) error {
	if o.end != nil {
		select {
		case <-o.broken:
			out.lost = true
		default:
		}
		return o.end
	}
	o.queue.push(out)
	return nil
}

// withdraw takes a line back and reports whether nothing of it went out or will.
func (o *outbox) withdraw(out *outgoing) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, queued := range o.queue.all() {
		if queued == out {
			o.queue.remove(i)
			return true
		}
	}
	return !out.taken || out.lost
}

// wasLost reports whether a line will never be written because the writer failed or was closed
// before its turn.
func (o *outbox) wasLost(out *outgoing) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return out.lost
}

// err returns why nothing more is accepted, nil if something is.
func (o *outbox) err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.end
}

// close drops what was not written yet and lets run return. A Write that blocks must be ended by
// closing the writer.
func (o *outbox) close(err error) {
	o.mu.Lock()
	if o.end == nil {
		o.end = err
	}
	err = o.end
	o.stop = true
	lost := o.loseLocked()
	wake(o.wake)
	o.mu.Unlock()
	for _, out := range lost {
		out.finish(err)
	}
}

func (o *outbox) loseLocked() []*outgoing {
	lost := o.queue.all()
	o.queue = fifo[*outgoing]{}
	for _, out := range lost {
		out.lost = true
	}
	return lost
}

func (o *outbox) run() {
	defer close(o.done)
	for range o.wake {
		for o.help() {
		}
		o.mu.Lock()
		over := o.stop && !o.writing
		o.mu.Unlock()
		if over {
			return
		}
	}
}

// help writes the next line, unless somebody else is writing, who then sees to the rest. It blocks
// as long as the write does. It reports whether it wrote.
func (o *outbox) help() bool {
	o.mu.Lock()
	if o.writing || o.queue.size() == 0 {
		o.mu.Unlock()
		return false
	}
	out := o.queue.pop()
	out.taken, o.writing = true, true
	o.mu.Unlock()

	var err error
	if out.line == nil {
		err = closeIfCloser(o.dst)
	} else {
		err = o.w.WriteLine(out.line)
	}
	failed := err != nil && out.line != nil
	var lost []*outgoing
	o.mu.Lock()
	o.writing = false
	if failed {
		lost, err = o.failLocked(out, err)
	}
	if o.stop || o.queue.size() > 0 {
		wake(o.wake)
	}
	o.mu.Unlock()
	out.finish(err)
	for _, out := range lost {
		out.finish(err)
	}
	return true
}

// failLocked is called for the first write error. Nobody knows how much of the line went out, so
// nothing can follow it.
func (o *outbox) failLocked(out *outgoing, err error) ([]*outgoing, error) {
	if o.end == nil || !o.stop {
		o.end = err
	}
	out.lost = true
	o.stop = true
	close(o.broken)
	return o.loseLocked(), o.end // if the outbox was closed, that is why the write failed
}

func (out *outgoing) finish(err error) {
	buf := out.buf
	if out.watcher != nil {
		out.watcher.written(err)
	}
	buf.free()
}
