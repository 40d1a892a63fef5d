package transport

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ccwire/ccwire/codec"
)

// pending holds our requests that wait for an answer. Whoever takes a call out of it, and nobody else, ends that call: the reader with
// the response, the caller at its timeout or cancellation, the end of the connection.
type pending struct {
	suffix string // of every id
	limit  int

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
	out         *outgoing
	answer      chan answer // of one, for whoever took the call out of pending
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

// add makes a call with an id of its own.
func (p *pending) add() (*call, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.end != nil {
		return nil, p.end
	}
	if p.limit >= 0 && len(p.calls) >= p.limit {
		return nil, fmt.Errorf("%w (max %d): look for calls that hang, or make fewer at once", ErrTooManyPending, p.limit)
	}
	p.last++
	c := &call{id: "req_" + strconv.FormatUint(p.last, 10) + p.suffix, answer: make(chan answer, 1)}
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
	c.answer <- a
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
		c.answer <- answer{err: c.named(err)}
	}
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
