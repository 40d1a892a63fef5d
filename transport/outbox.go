package transport

import (
	"io"
	"slices"
	"sync"

	"github.com/ccwire/ccwire/codec"
)

// outbox writes lines in the order in which they were pushed. One goroutine owns the writer, so
// that whoever pushes never waits for the peer, and a line that has not begun to go out can be
// withdrawn.
type outbox struct {
	dst    io.Writer
	wake   chan struct{} // of one: the queue or stop changed
	broken chan struct{} // closed at the first write error
	done   chan struct{} // closed when run has returned

	mu    sync.Mutex // guards the fields below; never held during a write
	queue []*outgoing
	end   error // why nothing more is accepted
	stop  bool  // run must return
}

// outgoing is a line on its way.
type outgoing struct {
	line []byte // nil: close the writer
	// after, if set, is called once, without a lock, when the line was written or cannot be. It
	// must not block. It is not called for a line that was withdrawn.
	after func(error)
	taken bool // by run; guarded by the outbox
	lost  bool // it was not written, because of an error or of close; guarded by the outbox
}

// newLine makes a line for the outbox and the channel that tells when it is written.
func newLine(line []byte) (*outgoing, <-chan error) {
	written := make(chan error, 1)
	return &outgoing{line: line, after: func(err error) { written <- err }}, written
}

func newOutbox(dst io.Writer) *outbox {
	o := &outbox{dst: dst, wake: make(chan struct{}, 1), broken: make(chan struct{}), done: make(chan struct{})}
	go o.run() // ends after close, at the latest when a blocked Write returns
	return o
}

// push queues a line. It does not block.
func (o *outbox) push(out *outgoing) error {
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
	o.queue = append(o.queue, out)
	o.signal()
	return nil
}

// withdraw takes a line back and reports whether nothing of it went out or will.
func (o *outbox) withdraw(out *outgoing) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	i := slices.Index(o.queue, out)
	if i < 0 {
		return !out.taken || out.lost
	}
	o.queue = slices.Delete(o.queue, i, i+1)
	return true
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
	o.signal()
	o.mu.Unlock()
	for _, out := range lost {
		out.finish(err)
	}
}

func (o *outbox) loseLocked() []*outgoing {
	lost := o.queue
	o.queue = nil
	for _, out := range lost {
		out.lost = true
	}
	return lost
}

func (o *outbox) run() {
	defer close(o.done)
	w := codec.NewWriter(o.dst)
	for {
		out, ok := o.next()
		if !ok {
			return
		}
		var err error
		if out.line == nil {
			err = closeIfCloser(o.dst)
		} else {
			err = w.WriteLine(out.line)
		}
		if err != nil && out.line != nil {
			o.fail(out, err)
			return
		}
		out.finish(err)
	}
}

// next waits for a line. It returns false after close.
func (o *outbox) next() (*outgoing, bool) {
	for {
		o.mu.Lock()
		switch {
		case o.stop:
			o.mu.Unlock()
			return nil, false
		case len(o.queue) > 0:
			out := o.queue[0]
			out.taken = true
			o.queue[0] = nil
			if o.queue = o.queue[1:]; len(o.queue) == 0 {
				o.queue = nil
			}
			o.mu.Unlock()
			return out, true
		}
		o.mu.Unlock()
		<-o.wake
	}
}

// fail is called by run for the first write error. Nobody knows how much of the line went out, so
// nothing can follow it.
func (o *outbox) fail(out *outgoing, err error) {
	o.mu.Lock()
	if o.end == nil || !o.stop {
		o.end = err
	}
	err = o.end // if the outbox was closed, that is why the write failed
	out.lost = true
	lost := append([]*outgoing{out}, o.loseLocked()...)
	close(o.broken)
	o.mu.Unlock()
	for _, out := range lost {
		out.finish(err)
	}
}

func (o *outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (out *outgoing) finish(err error) {
	if out.after != nil {
		out.after(err)
	}
}
