package transport

import (
	"slices"

	"github.com/ccwire/ccwire/gen/wire"
)

// slotsOf returns the name of the slots that a request runs in: its subtype. All unknown ones share
// theirs.
func slotsOf(r wire.Request) string {
	if _, ok := r.(*wire.UnknownRequest); ok {
		return ""
	}
	return r.Subtype()
}

// slotQueue holds the requests that run in the same slots, or wait for them. It is guarded by
// inbound.
type slotQueue struct {
	running int
	waiting fifo[*serving]
}

// enter reports whether a request runs in one of so many slots. Otherwise it waits. A negative
// number means no limit.
func (q *slotQueue) enter(s *serving, slots int) bool {
	s.queue = q
	if slots >= 0 && q.running >= slots {
		q.waiting.push(s)
		return false
	}
	q.running++
	s.running = true
	return true
}

// leave takes a request out of its slot and gives that to the next one, nil if none waits.
func (q *slotQueue) leave(s *serving) (next *serving) {
	s.running = false
	if q.waiting.size() == 0 {
		q.running--
		return nil
	}
	next = q.waiting.pop()
	next.running = true
	return next
}

// drop takes out a request that waits and reports whether it did. A nil queue has none.
func (q *slotQueue) drop(s *serving) bool {
	if q == nil {
		return false
	}
	i := slices.Index(q.waiting.all(), s)
	if i >= 0 {
		q.waiting.remove(i)
	}
	return i >= 0
}
