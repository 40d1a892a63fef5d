package transport

import "github.com/ccwire/ccwire/gen/wire"

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
	waiting waitList
}

// waitList is a queue from which any request can be taken out at once: the peer may cancel
// thousands.
type waitList struct {
	first, last *serving
	count       int
}

func (l *waitList) size() int { return l.count }

func (l *waitList) push(s *serving) {
	s.waits, s.before = true, l.last
	if l.last == nil {
		l.first = s
	} else {
		l.last.after = s
	}
	l.last = s
	l.count++
}

// remove takes out a request that waits.
func (l *waitList) remove(s *serving) {
	if s.before == nil {
		l.first = s.after
	} else {
		s.before.after = s.after
	}
	if s.after == nil {
		l.last = s.before
	} else {
		s.after.before = s.before
	}
	s.waits, s.before, s.after = false, nil, nil
	l.count--
}

// pop takes out the oldest request, which must exist.
func (l *waitList) pop() *serving {
	s := l.first
	l.remove(s)
	return s
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

// drop takes out a request if it waits, and reports whether it did.
func (q *slotQueue) drop(s *serving) bool {
	if !s.waits {
		return false
	}
	q.waiting.remove(s)
	return true
}
