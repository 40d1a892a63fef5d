package transport

import "slices"

// fifo is a queue that keeps its memory while it is small.
type fifo[T any] struct {
	items []T
	head  int // index of the oldest item
}

func (q *fifo[T]) size() int { return len(q.items) - q.head }

// all returns the items, the oldest first. They are valid until the next change.
func (q *fifo[T]) all() []T { return q.items[q.head:] }

func (q *fifo[T]) push(v T) { q.items = append(q.items, v) }

// pop removes the oldest item, which must exist.
func (q *fifo[T]) pop() T {
	var none T
	v := q.items[q.head]
	q.items[q.head] = none
	q.head++
	switch {
	case q.head == len(q.items) && cap(q.items) > 1024:
		q.items, q.head = nil, 0
	case q.head == len(q.items):
		q.items, q.head = q.items[:0], 0
	case q.head > len(q.items)/2 && q.head > 32:
		n := copy(q.items, q.items[q.head:])
		clear(q.items[n:])
		q.items, q.head = q.items[:n], 0
	}
	return v
}

// pushFirst puts items before the oldest one.
func (q *fifo[T]) pushFirst(items []T) {
	q.items, q.head = slices.Concat(items, q.all()), 0
}

// remove removes the item with an index in all.
func (q *fifo[T]) remove(i int) {
	q.items = slices.Delete(q.items, q.head+i, q.head+i+1)
	if q.head == len(q.items) {
		q.items, q.head = q.items[:0], 0
	}
}

// first returns the oldest item, which must exist. It is valid until the next change.
func (q *fifo[T]) first() *T { return &q.items[q.head] }

// last returns the newest item, which must exist. It is valid until the next change.
func (q *fifo[T]) last() *T { return &q.items[len(q.items)-1] }
