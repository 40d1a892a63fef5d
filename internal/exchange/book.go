package exchange

import (
	"container/list"
	"slices"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/schema"
)

const (
	// MaxOpen is how many requests without an answer a [Book] remembers; past it, the oldest is
	// forgotten.
	MaxOpen = 4096

	maxAnswered = 1024 // requests that were answered, for those who answer twice
	maxText     = 1024 // bytes of a request; one with a longer id is not remembered
)

// A Book remembers the requests of both ends. The zero value is ready to use. It is for one
// goroutine.
type Book struct {
	byID           map[string]*namesakes
	open, answered list.List // of *entry, the oldest first
}

// namesakes are the requests that have the same id.
type namesakes struct {
	open     []*entry // the oldest first
	answered []*entry // the one that was answered last is the last
}

// An entry is a request.
type entry struct {
	from    schema.Direction
	id      string
	subject Subject
	place   *list.Element // in one of the lists
}

// Ask notes a request that one end, or either, has written.
func (b *Book) Ask(from schema.Direction, l *Line) {
	s := &l.Subject
	if len(l.ID)+len(s.Subtype)+len(s.Event)+len(s.Call) > maxText {
		return
	}
	if b.byID == nil {
		b.byID = map[string]*namesakes{}
	}
	all := b.byID[l.ID]
	if all == nil {
		all = new(namesakes)
		b.byID[l.ID] = all
	}
	e := &entry{from: from, id: l.ID, subject: *s}
	e.place = b.open.PushBack(e)
	all.open = append(all.open, e)
	if b.open.Len() > MaxOpen {
		e := b.open.Remove(b.open.Front()).(*entry)
		all := b.byID[e.id]
		all.open = all.open[1:]
		b.drop(e.id, all)
	}
}

// Answer returns what was asked by the request that a line answers, nil if the book does not have
// it. If several are open that have this id, it is the oldest for which fits is true, or the oldest
// if it is for none.
//
// Where none is open, it is the one that was answered last. Where the other end has none, it is,
// for a line of the CLI, a request from the CLI itself: the CLI can show what it was answered.
func (b *Book) Answer(from schema.Direction, l *Line, fits func(*Subject) bool) *Subject {
	all := b.byID[l.ID]
	if all == nil {
		return nil
	}
	open := asking(all.open, from)
	var fit func(*entry) bool
	if fits != nil {
		fit = func(e *entry) bool { return fits(&e.subject) }
	}
	if i := recording.Pick(open, fit); i >= 0 {
		e := open[i]
		b.close(all, e)
		return &e.subject
	}
	e := last(asking(all.answered, from))
	if e == nil && from == schema.FromCLI {
		if e = last(all.answered); e == nil {
			e = last(all.open)
		}
	}
	if e == nil {
		return nil
	}
	return &e.subject
}

// asking returns the requests that a line of one end may answer.
func asking(all []*entry, answerer schema.Direction) []*entry {
	for i, e := range all {
		if !asks(e.from, answerer) {
			some := append([]*entry(nil), all[:i]...)
			for _, e := range all[i+1:] {
				if asks(e.from, answerer) {
					some = append(some, e)
				}
			}
			return some
		}
	}
	return all
}

// asks reports whether a request from one end may be answered by a line of another.
func asks(asker, answerer schema.Direction) bool {
	return asker == schema.Either || answerer == schema.Either || asker != answerer
}

func last(all []*entry) *entry {
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

// close notes that a request is answered.
func (b *Book) close(all *namesakes, e *entry) {
	i := slices.Index(all.open, e)
	all.open = slices.Delete(all.open, i, i+1)
	b.open.Remove(e.place)
	all.answered = append(all.answered, e)
	e.place = b.answered.PushBack(e)
	if b.answered.Len() > maxAnswered {
		e := b.answered.Remove(b.answered.Front()).(*entry)
		all := b.byID[e.id]
		all.answered = all.answered[1:]
		b.drop(e.id, all)
	}
}

// drop removes an id that no request has.
func (b *Book) drop(id string, all *namesakes) {
	if len(all.open)+len(all.answered) == 0 {
		delete(b.byID, id)
	}
}
