package transport

import (
	"context"
	"io"
	"sync"
)

// lane is a bounded queue between producers that must not wait and a consumer that may. Past a
// limit the oldest items are dropped.
type lane[T any] struct {
	count int   // of the items; negative means no limit
	bytes int64 // of the items; the newest is always kept
	ready chan struct{}

	mu      sync.Mutex // guards the fields below
	items   fifo[laneItem[T]]
	held    int64 // bytes
	dropped int   // items, since the last take
	closed  bool  // nothing is pushed any more
}

type laneItem[T any] struct {
	value T
	size  int64
}

func newLane[T any](count int, bytes int64) *lane[T] {
	return &lane[T]{count: count, bytes: bytes, ready: make(chan struct{}, 1)}
}

// push adds an item of a size.
func (l *lane[T]) push(value T, size int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	for l.items.size() > 0 && (l.count >= 0 && l.items.size() >= l.count || l.held+size > l.bytes) {
		l.held -= l.items.pop().size
		l.dropped++
	}
	l.items.push(laneItem[T]{value, size})
	l.held += size
	l.signal()
}

// take waits for an item. It returns how many were dropped before it instead, if there were any;
// the error is io.EOF at the end, or the context's.
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
	if l.items.size() > 0 {
		item := l.items.pop()
		l.held -= item.size
		if l.items.size() > 0 || l.closed {
			l.signal() // for another consumer
		}
		return item.value, 0, true, nil
	}
	if l.closed {
		l.signal()
		return value, 0, false, io.EOF
	}
	return value, 0, false, nil
}

// close lets the consumer see the end after the items that are there. The second call does nothing.
func (l *lane[T]) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.signal()
}

func (l *lane[T]) signal() { wake(l.ready) }

// wake tells whoever waits for a channel of one to look again.
func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
