package transport

// Step 1 of 3 of a request from the peer: it is taken in, and is served or waits for that, or it is
// refused. The next steps are serve.go and answer.go. None calls one before it. Where a request
// ends without an answer is withdraw.go.

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/ccwire/ccwire/gen/wire"
)

// requestOverhead is what a request holds beside its line.
const requestOverhead = 2 << 10

var errInboundFull = errors.New("too many requests wait")

// inbound takes the requests from the peer through their three steps, and holds those that are not
// answered yet. A limited number of each kind runs at once and the rest waits, so that one kind
// never delays another.
type inbound struct {
	ctx   context.Context // ends with the connection
	role  role
	out   *outbox
	log   *journal
	slots int   // of each name
	limit int64 // of held

	ready  chan *serving // hands a request to the goroutine that idles, if one does
	idling atomic.Bool

	mu      sync.Mutex // guards the fields below and the guarded ones of each serving
	open    map[*serving]struct{}
	byID    map[string]*serving   // the newest open one of each id
	queues  map[string]*slotQueue // by the name of the slots
	held    int64                 // bytes, of requests that are open or run
	refused int64                 // bytes of refusals in the outbox
	closed  bool                  // no answer can be sent any more
	empty   chan struct{}         // closed when nothing is open; nil if nobody waits for that
}

func newInbound(ctx context.Context, r role, out *outbox, log *journal, limits Limits) *inbound {
	return &inbound{
		ctx: ctx, role: r, out: out, log: log, slots: limits.Inbound, limit: limits.InboundBytes,
		ready: make(chan *serving), open: map[*serving]struct{}{}, byID: map[string]*serving{}, queues: map[string]*slotQueue{},
	}
}

// admit takes in a request whose line has a length. An error ends the connection.
func (in *inbound) admit(f *wire.ControlRequest, length int64) error {
	s := &serving{in: in, id: f.RequestID, request: f.Request, size: 2*length + requestOverhead}
	s.ctx = s
	switch err := in.reserve(s); {
	case err == ErrInputClosed:
		in.log.Warn("request came after the input was closed and is not answered", "request_id", s.id)
		return nil
	case err != nil:
		body, err := in.role.instead(s, err, false)
		return in.refuse(s.id, s.request, body, err)
	}
	in.role.plan(s)
	if s.timeout > 0 {
		s.startTimer(func() { in.expire(s) })
	}
	if in.start(s) {
		select {
		case in.ready <- s: // a goroutine has nothing to do
		default:
			go in.work(s) // ends when nothing waits, or waits for the next itself
		}
	}
	return nil
}

// admitUnreadable refuses a request with an id that does not decode. An error ends the connection.
func (in *inbound) admitUnreadable(id string, f *wire.UnknownFrame) error {
	body, err := in.role.unreadable(f)
	return in.refuse(id, nil, body, err)
}

// reserve makes room for a request. The error is ErrInputClosed or errInboundFull. One request is
// taken whatever its size.
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
	s.sameID, in.byID[s.id] = in.byID[s.id], s
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
	return q.enter(s, in.slots)
}

// work serves requests as long as there are any. Then it waits for the next one, unless another
// goroutine does: a new one would have to grow its stack again.
func (in *inbound) work(s *serving) {
	defer func() {
		if s == nil {
			return
		}
		if next := in.finished(s); next != nil { // the AnswerFunc of s has ended this goroutine
			go in.work(next)
		}
	}()
	for s != nil {
		in.serve(s)
		if s = in.finished(s); s == nil {
			s = in.next()
		}
	}
}

// next waits for a request, nil if there is nothing to wait for.
func (in *inbound) next() *serving {
	if !in.idling.CompareAndSwap(false, true) {
		return nil
	}
	defer in.idling.Store(false)
	select {
	case s := <-in.ready:
		return s
	case <-in.ctx.Done():
		return nil
	}
}

// finished frees the slot of a request that was served, and gives it to the next one, which the
// caller serves.
func (in *inbound) finished(s *serving) (next *serving) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if _, ok := in.open[s]; !ok {
		in.held -= s.size
	}
	return s.queue.leave(s)
}
