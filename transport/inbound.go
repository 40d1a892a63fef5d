package transport

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/ccwire/ccwire/gen/wire"
)

const (
	// maxRefusals is how many bytes of refusals may wait for a peer that does not read.
	maxRefusals = 1 << 20
	// requestOverhead is what a request holds beside its line.
	requestOverhead = 2 << 10
)

var (
	errInboundFull = errors.New("too many requests wait")
	errTimeInQueue = errors.New("others took too long")
)

// inbound holds the requests from the peer that are not answered yet. A limited number of each kind
// runs at once and the rest waits, so that one kind never delays another.
type inbound struct {
	slots int   // of each name
	limit int64 // of held

	mu      sync.Mutex // guards the fields below and the guarded ones of each serving
	open    map[*serving]struct{}
	queues  map[string]*slotQueue // by the name of the slots
	held    int64                 // bytes, of requests that are open or run
	refused int64                 // bytes of refusals in the outbox
	closed  bool                  // no answer can be sent any more
	empty   chan struct{}         // closed when nothing is open; nil if nobody waits for that
}

// slotsOf returns the name of the slots that a request uses: its subtype. All unknown ones share
// theirs.
func slotsOf(r wire.Request) string {
	if _, ok := r.(*wire.UnknownRequest); ok {
		return ""
	}
	return r.Subtype()
}

// slotQueue holds the requests that use the same slots.
type slotQueue struct {
	running int
	waiting fifo[*serving]
}

func newInbound(slots int, limit int64) *inbound {
	return &inbound{slots: slots, limit: limit, open: map[*serving]struct{}{}, queues: map[string]*slotQueue{}}
}

// reserve takes a request in, unless there is no room. The error is ErrInputClosed or
// errInboundFull. One request is taken whatever its size.
func (in *inbound) reserve(s *serving) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	switch {
	case in.closed:
		return ErrInputClosed
	case in.limit >= 0 && in.held > 0 && in.held+s.size > in.limit:
		return fmt.Errorf("%w (%d bytes)", errInboundFull, in.held)
	}
	in.open[s] = struct{}{}
	in.held += s.size
	return nil
}

// start reports whether a request that was reserved runs now. Otherwise it waits for a slot, and
// finished returns it.
func (in *inbound) start(s *serving) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if _, ok := in.open[s]; !ok {
		return false // the connection ended meanwhile
	}
	q := in.queues[s.slots]
	if q == nil {
		q = &slotQueue{}
		in.queues[s.slots] = q
	}
	s.queue = q
	if in.slots >= 0 && q.running >= in.slots {
		q.waiting.push(s)
		return false
	}
	q.running++
	s.running = true
	return true
}

// finished frees the slot of a request whose AnswerFunc has returned, and gives it to the next one,
// which the caller runs.
func (in *inbound) finished(s *serving) (next *serving) {
	in.mu.Lock()
	defer in.mu.Unlock()
	s.running = false
	if _, ok := in.open[s]; !ok {
		in.held -= s.size
	}
	if s.queue.waiting.size() == 0 {
		s.queue.running--
		return nil
	}
	next = s.queue.waiting.pop()
	next.running = true
	return next
}

// claim reports whether the caller, and nobody else, answers the request. It takes a request that
// waits out of its queue and says so.
func (in *inbound) claim(s *serving) (ok, waited bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if _, open := in.open[s]; !open || s.claimed {
		return false, false
	}
	s.claimed = true
	return true, in.unqueueLocked(s)
}

func (in *inbound) unqueueLocked(s *serving) bool {
	if s.queue == nil {
		return false
	}
	i := slices.Index(s.queue.waiting.all(), s)
	if i >= 0 {
		s.queue.waiting.remove(i)
	}
	return i >= 0
}

// answer queues the answer of a request that was claimed, unless it is over.
func (in *inbound) answer(s *serving, line *buffer, out *outbox) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if _, ok := in.open[s]; !ok {
		return nil
	}
	size := int64(len(line.bytes))
	in.held += size
	s.size += size
	s.in, s.out = in, outgoing{line: line.bytes, buf: line, watcher: s}
	err := out.pushForHelp(&s.out)
	if err != nil {
		in.removeLocked(s)
	}
	return err
}

func (in *inbound) remove(s *serving) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.removeLocked(s)
}

func (in *inbound) removeLocked(s *serving) {
	if _, ok := in.open[s]; !ok {
		return
	}
	delete(in.open, s)
	if !s.running {
		in.held -= s.size
	}
	if len(in.open) == 0 && in.empty != nil {
		close(in.empty)
		in.empty = nil
	}
}

// idle returns a channel that is closed the next time that no request is open any more.
func (in *inbound) idle() <-chan struct{} {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.empty == nil {
		in.empty = make(chan struct{})
	}
	return in.empty
}

// cancel ends the requests with an id: the context of their AnswerFunc ends and nothing is sent. An
// unknown id is ignored.
func (in *inbound) cancel(id string, out *outbox) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for s := range in.open {
		if s.id != id {
			continue
		}
		in.unqueueLocked(s)
		in.removeLocked(s)
		s.end(context.Canceled)
		if s.in != nil {
			out.withdraw(&s.out) // if it is being written it is too late
		}
	}
}

// close refuses all further requests and runs then. If there are open ones it does so only by
// force, and ends them.
func (in *inbound) close(force bool, then func() error) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if !in.closed && len(in.open) > 0 && !force {
		return &InputBusyError{Requests: len(in.open)}
	}
	in.abortLocked()
	return then()
}

// abort refuses all further requests and ends the open ones.
func (in *inbound) abort() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.abortLocked()
}

func (in *inbound) abortLocked() {
	in.closed = true
	for s := range in.open {
		in.unqueueLocked(s)
		in.removeLocked(s)
		s.end(context.Canceled)
	}
}

// refuse queues a refusal. The error is ErrBacklog if the peer does not read them.
func (in *inbound) refuse(line *buffer, out *outbox) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	size := int64(len(line.bytes))
	if in.refused > 0 && in.refused+size > maxRefusals {
		return ErrBacklog
	}
	err := out.push(&outgoing{line: line.bytes, buf: line, watcher: refusalWatcher{in, size}})
	if err == nil {
		in.refused += size
	}
	return err
}

// refusalWatcher counts a refusal that has gone out.
type refusalWatcher struct {
	in   *inbound
	size int64
}

func (w refusalWatcher) written(error) {
	w.in.mu.Lock()
	defer w.in.mu.Unlock()
	w.in.refused -= w.size
}
