package transport

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// Call sends a control request and waits for its answer, whose body it returns, nil if it has none.
// It implements [wire.Caller], so that wire.Client{Caller: conn} has a typed method for each
// request.
//
// It ends exactly once, by what comes first: the answer, which is a [*CallError] if the peer
// refuses; the timeout of [CallTimeouts], a [*TimeoutError]; the end of ctx; the end of the
// connection. After a timeout or cancellation the request is taken back if it has not gone out,
// otherwise a control_cancel_request follows it.
func (c *Conn) Call(ctx context.Context, r wire.Request) (codec.Raw, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	call, err := c.begin(r)
	if err != nil {
		return nil, err
	}
	return c.wait(ctx, call)
}

// begin registers a call and queues its request, in this order. It does not block.
func (c *Conn) begin(r wire.Request) (*call, error) {
	subtype := r.Subtype()
	call, err := c.pending.add(subtype, c.opts.Timeouts.of(subtype))
	if err != nil {
		return nil, err
	}
	buf := newBuffer()
	request := wire.ControlRequest{RequestID: call.id, Request: r}
	if buf.bytes, err = request.AppendJSON(buf.bytes); err != nil {
		c.pending.take(call.id)
		return nil, err
	}
	if call.timeout > 0 {
		call.deadline = time.Now().Add(call.timeout)
	}
	call.out = outgoing{line: buf.bytes, buf: buf}
	err = c.out.push(&call.out)
	if err == nil || c.out.wasLost(&call.out) { // wait tells why it was lost
		return call, nil
	}
	if c.pending.take(call.id) == nil {
		<-call.ended // the connection's end was first
		return nil, call.result.err
	}
	return nil, call.named(err)
}

// wait waits for the end of a call, whichever comes first.
func (c *Conn) wait(ctx context.Context, call *call) (codec.Raw, error) {
	var timeout <-chan time.Time
	if call.timeout > 0 {
		timer := c.pending.timer(time.Until(call.deadline))
		defer c.pending.release(timer)
		timeout = timer.C
	}
	var failure error // in place of a timeout
	broken := c.out.broken
	for {
		select {
		case <-call.ended:
			return call.result.body, call.result.err
		case <-ctx.Done():
			return c.abandon(call, call.named(context.Cause(ctx)))
		case <-timeout:
			if failure == nil {
				failure = &TimeoutError{Subtype: call.subtype, RequestID: call.id, After: call.timeout}
			}
			return c.abandon(call, failure)
		case <-broken:
			broken = nil
			if c.out.wasLost(&call.out) {
				failure = call.named(c.out.err())
				timeout = time.After(settleTime)
			}
		}
	}
}

// abandon ends a call with an error, unless it has been ended in the meantime.
func (c *Conn) abandon(call *call, err error) (codec.Raw, error) {
	if c.pending.take(call.id) == nil {
		<-call.ended
		return call.result.body, call.result.err
	}
	if c.out.withdraw(&call.out) || c.opts.NoCancel {
		return nil, err
	}
	if line, encodeErr := wire.Append(nil, &wire.ControlCancelRequest{RequestID: call.id}); encodeErr == nil {
		c.out.push(&outgoing{line: line}) // too late after the end of the input, and then of no use
	}
	return nil, err
}

// AnswerOptions says how the methods of [wire.Client] decode the body of an answer.
func (c *Conn) AnswerOptions(r wire.Request) *wire.Options {
	if c.opts.NoDeviations {
		return nil
	}
	return &wire.Options{Report: func(d codec.Deviation) {
		c.event(&DeviationEvent{Deviation: d, LineOffset: -1, AnswerTo: r.Subtype()})
	}}
}

// respond gives a response, whose line has a length, to the call that waits for it. Only the
// subtype error means failure.
func (c *Conn) respond(r wire.Response, length int64) {
	var id string
	var a answer
	switch r := r.(type) {
	case *wire.SuccessResponse:
		id, a.body = r.RequestID, r.Response
	case *wire.ErrorResponse:
		id, a.err = r.RequestID, &CallError{Response: r}
	case *wire.UnknownResponse:
		id, _ = r.Raw.Find("/request_id").Text()
		a.body = r.Raw.Find("/response")
	}
	if c.pending.finish(id, a) {
		return
	}
	late := c.pending.issued(id)
	c.log.Debug("response that nobody waits for was dropped", "request_id", id, "late", late)
	c.events.push(&OrphanEvent{RequestID: id, Late: late, Response: r}, 2*length+eventOverhead)
}

// pending holds our requests that wait for an answer. Whoever takes a call out of it, and nobody
// else, ends that call: the reader with the response, the caller at its timeout or cancellation,
// the end of the connection.
type pending struct {
	suffix string // of every id
	limit  int

	timers sync.Pool // of stopped timers

	mu    sync.Mutex // guards the fields below
	calls map[string]*call
	last  uint64
	end   error // why there can be no more calls
}

// call is one request of ours.
type call struct {
	id, subtype string
	timeout     time.Duration // 0 means none
	deadline    time.Time
	out         outgoing
	ended       chan struct{} // of one: result is there
	result      answer
}

type answer struct {
	body codec.Raw
	err  error
}

func newPending(limit int) *pending {
	var random [4]byte
	rand.Read(random[:]) // never fails
	return &pending{suffix: "_" + hex.EncodeToString(random[:]), limit: limit, calls: map[string]*call{}}
}

// timer returns a timer. Each call has one for a moment only, so they are used again.
func (p *pending) timer(d time.Duration) *time.Timer {
	if t, ok := p.timers.Get().(*time.Timer); ok {
		t.Reset(d)
		return t
	}
	return time.NewTimer(d)
}

func (p *pending) release(t *time.Timer) {
	t.Stop()
	p.timers.Put(t)
}

// add makes a call with an id of its own.
func (p *pending) add(subtype string, timeout time.Duration) (*call, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.end != nil {
		return nil, p.end
	}
	if p.limit >= 0 && len(p.calls) >= p.limit {
		return nil, fmt.Errorf("%w (max %d): look for calls that hang, or make fewer at once", ErrTooManyPending, p.limit)
	}
	p.last++
	c := &call{id: p.idLocked(), subtype: subtype, timeout: timeout, ended: make(chan struct{}, 1)}
	p.calls[c.id] = c
	return c, nil
}

// take removes a call. It returns nil if somebody else ended it.
func (p *pending) take(id string) *call {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.calls[id]
	delete(p.calls, id)
	return c
}

// finish ends a call with an answer and reports whether it was open.
func (p *pending) finish(id string, a answer) bool {
	c := p.take(id)
	if c == nil {
		return false
	}
	if a.err != nil {
		a.err = c.named(a.err)
	}
	c.end(a)
	return true
}

// failAll ends every call and refuses new ones. Only the first call counts.
func (p *pending) failAll(err error) {
	p.mu.Lock()
	calls := p.calls
	p.calls = map[string]*call{}
	if p.end == nil {
		p.end = err
	}
	p.mu.Unlock()
	for _, c := range calls {
		c.end(answer{err: c.named(err)})
	}
}

// idLocked makes the id of the last call.
func (p *pending) idLocked() string {
	var space [40]byte
	return string(append(strconv.AppendUint(append(space[:0], "req_"...), p.last, 10), p.suffix...))
}

// issued reports whether an id is one of ours.
func (p *pending) issued(id string) bool {
	number, ok := strings.CutSuffix(id, p.suffix)
	if !ok {
		return false
	}
	number, ok = strings.CutPrefix(number, "req_")
	n, err := strconv.ParseUint(number, 10, 64)
	p.mu.Lock()
	defer p.mu.Unlock()
	return ok && err == nil && n >= 1 && n <= p.last
}

func (p *pending) size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.calls)
}

// end ends the call for whoever waits for it. It is called by whoever took it out of pending.
func (c *call) end(a answer) {
	c.result = a
	c.ended <- struct{}{}
}

// named puts the subtype into an error that does not have it.
func (c *call) named(err error) error {
	switch err := err.(type) {
	case *CallError:
		err.Subtype = c.subtype
		return err
	case *TimeoutError:
		return err
	}
	return fmt.Errorf("%s: %w", c.subtype, err)
}
