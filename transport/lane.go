package transport

import (
	"context"
	"io"
	"sync"
)

// FullPolicy says what happens to messages when nobody reads them and a limit is reached. The
// reader of the pipe never waits: control traffic goes on either way.
type FullPolicy int

const (
	// DropOldest drops the oldest unread messages. At the gap the consumer gets a [*DroppedError]
	// with their number, then the rest in order.
	DropOldest FullPolicy = iota
	// FailWhenFull keeps the unread messages and drops all later ones. The consumer gets those that
	// were kept, then [ErrMessagesFull].
	FailWhenFull
)

// lane is a bounded queue between one producer that must not wait and a consumer that may.
type lane[T any] struct {
	limits laneLimits
	ready  chan struct{} // of one: there may be something to take

	mu      sync.Mutex // guards the fields below
	items   []laneItem[T]
	head    int // index of the oldest item
	bytes   int64
	dropped int  // items, since the last take
	closed  bool // nothing is pushed any more
	end     error
}

// laneLimits are the bounds of a lane; a negative one means none.
type laneLimits struct {
	count  int
	bytes  int64
	policy FullPolicy
}

type laneItem[T any] struct {
	value T
	size  int64
}

func newLane[T any](limits laneLimits) *lane[T] {
	return &lane[T]{limits: limits, ready: make(chan struct{}, 1)}
}

// push adds an item of a size. It reports whether it made the first drop since the consumer last
// looked.
func (l *lane[T]) push(value T, size int64) (dropping bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	if l.limits.policy == FailWhenFull && l.overLocked(size) {
		l.closeLocked(ErrMessagesFull)
		return true
	}
	before := l.dropped
	for len(l.items) > l.head && l.overLocked(size) {
		l.popLocked()
		l.dropped++
	}
	l.items = append(l.items, laneItem[T]{value, size})
	l.bytes += size
	l.signal()
	return before == 0 && l.dropped > 0
}

// overLocked reports whether one more item would pass a limit.
func (l *lane[T]) overLocked(size int64) bool {
	return l.limits.count >= 0 && len(l.items)-l.head+1 > l.limits.count ||
		l.limits.bytes >= 0 && l.bytes+size > l.limits.bytes
}

func (l *lane[T]) popLocked() T {
	item := l.items[l.head]
	l.items[l.head] = laneItem[T]{}
	l.head++
	l.bytes -= item.size
	switch {
	case l.head == len(l.items) && cap(l.items) > 1024:
		l.items, l.head = nil, 0
	case l.head == len(l.items):
		l.items, l.head = l.items[:0], 0
	case l.head > len(l.items)/2 && l.head > 32:
		n := copy(l.items, l.items[l.head:])
		clear(l.items[n:])
		l.items, l.head = l.items[:n], 0
	}
	return item.value
}

// take waits for an item. It returns how many were dropped before it instead, if there were any;
// the error is the lane's end, io.EOF for a plain one, or the context's.
func (l *lane[T]) take(ctx context.Context) (value T, dropped int, err error) {
	for {
		value, dropped, ok, err := l.poll()
		if ok || dropped > 0 || err != nil {
			return value, dropped, err
		}
		select {
		case <-l.ready:
		case <-ctx.Done():
			return value, 0, context.Cause(ctx)
		}
	}
}

func (l *lane[T]) poll() (value T, dropped int, ok bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if dropped = l.dropped; dropped > 0 {
		l.dropped = 0
		l.signal() // the items are still there
		return value, dropped, false, nil
	}
	if len(l.items) > l.head {
		value = l.popLocked()
		if len(l.items) > l.head || l.closed {
			l.signal() // for another consumer
		}
		return value, 0, true, nil
	}
	if l.closed {
		l.signal()
		return value, 0, false, l.end
	}
	return value, 0, false, nil
}

// close lets the consumer see the error after the items that are there; nil means io.EOF. Only the
// first call counts.
func (l *lane[T]) close(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closeLocked(err)
}

func (l *lane[T]) closeLocked(err error) {
	if l.closed {
		return
	}
	if err == nil {
		err = io.EOF
	}
	l.closed, l.end = true, err
	l.signal()
}

func (l *lane[T]) signal() {
	select {
	case l.ready <- struct{}{}:
	default:
	}
}
