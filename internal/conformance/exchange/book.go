package exchange

import (
	"container/list"

	"github.com/ccwire/ccwire/schema"
)

const (
	// MaxOpen is how many requests without an answer a [Book] remembers; past it, the oldest is
	// forgotten.
	MaxOpen = 4096

	maxAnswered = 1024 // requests that were answered, for those who answer twice
	maxText     = 1024 // bytes of a request; one with a longer id is not remembered
	maxTries    = 8    // requests with the same id that an answer is compared with
)

// A Book remembers the requests of both ends. The zero value is ready to use. It is for one
// goroutine.
type Book struct {
	byID           map[string][]*entry // the newest last
	open, answered list.List           // of *entry, the oldest first
}

// An entry is a request.
type entry struct {
	from    schema.Direction
	id      string
	subject Subject
	done    bool          // it was answered
	place   *list.Element // in one of the lists
}

// Ask notes a request that one end, or either, has written.
func (b *Book) Ask(from schema.Direction, l *Line) {
	s := &l.Subject
	if len(l.ID)+len(s.Subtype)+len(s.Event)+len(s.Call) > maxText {
		return
	}
	if b.byID == nil {
		b.byID = map[string][]*entry{}
	}
	e := &entry{from: from, id: l.ID, subject: *s}
	e.place = b.open.PushBack(e)
	b.byID[e.id] = append(b.byID[e.id], e)
	if b.open.Len() > MaxOpen {
		b.forget(&b.open)
	}
}

// Answer returns what was asked by the request that a line answers, nil if the book does not have
// it. If several are open that have this id, it is the newest for which fits is true, or the newest
// if it is for none.
//
// A request that was answered already counts where no open one does. So does, for a line of the
// CLI, a request from the CLI itself: the CLI can show what it was answered.
func (b *Book) Answer(from schema.Direction, l *Line, fits func(*Subject) bool) *Subject {
	all := b.byID[l.ID]
	e := pick(all, fits, func(e *entry) bool { return !e.done && asks(e.from, from) })
	if e != nil {
		b.close(e)
		return &e.subject
	}
	if e = pick(all, nil, func(e *entry) bool { return asks(e.from, from) }); e == nil && from == schema.FromCLI {
		e = pick(all, nil, func(e *entry) bool { return true })
	}
	if e == nil {
		return nil
	}
	return &e.subject
}

// asks reports whether a request from one end may be answered by a line of another.
func asks(asker, answerer schema.Direction) bool {
	return asker == schema.Either || answerer == schema.Either || asker != answerer
}

// pick returns the newest entry that counts and that the answer fits, or else the newest that
// counts.
func pick(all []*entry, fits func(*Subject) bool, counts func(*entry) bool) *entry {
	var some []*entry
	for i := len(all) - 1; i >= 0 && len(some) < maxTries; i-- {
		if counts(all[i]) {
			some = append(some, all[i])
		}
	}
	switch {
	case len(some) == 0:
		return nil
	case len(some) > 1 && fits != nil:
		for _, e := range some {
			if fits(&e.subject) {
				return e
			}
		}
	}
	return some[0]
}

// close notes that a request is answered.
func (b *Book) close(e *entry) {
	b.open.Remove(e.place)
	e.done = true
	e.place = b.answered.PushBack(e)
	if b.answered.Len() > maxAnswered {
		b.forget(&b.answered)
	}
}

// forget removes the oldest request of a list.
func (b *Book) forget(l *list.List) {
	e := l.Remove(l.Front()).(*entry)
	rest := b.byID[e.id]
	for i := range rest {
		if rest[i] == e {
			rest = append(rest[:i], rest[i+1:]...)
			break
		}
	}
	if len(rest) == 0 {
		delete(b.byID, e.id)
		return
	}
	b.byID[e.id] = rest
}
