package transport

import (
	"context"
	"io"
	"sync"
	"sync/atomic"

	"github.com/ccwire/ccwire/gen/wire"
)

// FullPolicy says what happens to messages when nobody reads them and [Limits.MessageBytes] is
// reached.
type FullPolicy int

const (
	// Spill loses nothing: messages past the limit wait in a temporary file, up to
	// [Limits.DiskBytes]. Past that, or where no file can be written, the pipe is held as by Hold.
	Spill FullPolicy = iota
	// Hold loses nothing: the pipe is not read until there is room again, which a [*HeldEvent]
	// tells. Control traffic waits with it: callbacks are not called, and the consumer must not
	// wait for an answer of the peer meanwhile.
	Hold
	// DropOldest drops the oldest unread messages. At the gap the consumer gets a [*DroppedError]
	// with their number, then the rest in order.
	DropOldest
	// FailWhenFull keeps the unread messages and drops all later ones. The consumer gets those that
	// were kept, then [ErrMessagesFull].
	FailWhenFull
)

const (
	// A message that the consumer is about to take is kept decoded. What waits longer is kept as
	// its line, whose size is known, and decoded again.
	maxDecoded      = 1024
	maxDecodedBytes = 512 << 10
)

// mailbox holds the messages between the reader, which must not wait for user code, and their
// consumer.
type mailbox struct {
	limits Limits
	policy FullPolicy
	ready  chan struct{} // of one: there may be something to take
	room   chan struct{} // of one: there may be room again
	spent  spent         // messages that come back

	idle    atomic.Bool // there is nothing to take, not even an end
	mu      sync.Mutex  // guards the fields below and changes of idle
	decoded fifo[laneItem[wire.Frame]]
	bytes   int64   // of the lines of decoded
	rest    backlog // what came after decoded
	unread  int
	dropped DroppedError // since the last take
	held    bool         // the pipe has been held since nothing was unread
	open    bool         // the pipe may be held
	closed  bool         // nothing is taken in any more
	end     error
}

func newMailbox(limits Limits, policy FullPolicy) *mailbox {
	m := &mailbox{limits: limits, policy: policy, ready: make(chan struct{}, 1), room: make(chan struct{}, 1), open: true}
	m.idle.Store(true)
	m.rest.memory = limits.MessageBytes
	if policy == Spill {
		m.rest.disk = limits.DiskBytes
	}
	return m
}

// putResult says what was done beside taking a message in.
type putResult int

const (
	putOK      putResult = iota
	putDropped           // the first drop since the consumer last looked
	putHeld              // there is no room: the reader has to wait for the consumer
)

// tell wakes the consumer if there is something to take. The reader calls it before it waits.
func (m *mailbox) tell() {
	if !m.idle.Load() {
		wake(m.ready)
	}
}

// noteLocked brings idle up to date.
func (m *mailbox) noteLocked() {
	if idle := m.unread == 0 && m.dropped.Messages == 0 && !m.closed; idle != m.idle.Load() {
		m.idle.Store(idle)
	}
}

// hold notes that the pipe is held. It reports whether it was not before, and the error of the
// file.
func (m *mailbox) hold() (first bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	first, m.held = !m.held, true
	return first, m.rest.err
}

// tryPut takes in a message and its line. Its consumer is not woken: see tell.
func (m *mailbox) tryPut(f wire.Frame, line []byte, oversize bool) (done bool, result putResult) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tryPutLocked(f, line, oversize)
}

func (m *mailbox) tryPutLocked(f wire.Frame, line []byte, oversize bool) (done bool, result putResult) {
	if m.closed {
		return true, putOK
	}
	size := int64(len(line))
	if m.rest.empty() && (m.unread == 0 || m.unread < maxDecoded && m.bytes+size <= maxDecodedBytes) && m.countAllows() {
		m.decoded.push(laneItem[wire.Frame]{f, size})
		m.bytes += size
		m.unread++
		m.noteLocked()
		return true, putOK
	}
	before := m.dropped.Messages
	for !m.countAllows() || !m.rest.push(line, lineMarks{oversize: oversize, result: isResult(f)}) {
		switch {
		case m.policy == FailWhenFull:
			m.closeLocked(ErrMessagesFull)
			return true, putDropped
		case m.policy == DropOldest && m.unread > 0:
			m.dropOldestLocked()
		case !m.open: // the connection is closed: what comes now is not wanted
			return true, putOK
		default:
			return false, putHeld
		}
	}
	m.unread++
	m.noteLocked()
	if before == 0 && m.dropped.Messages > 0 {
		return true, putDropped
	}
	return true, putOK
}

// countAllows reports whether one more message is within the number that a dropping policy has.
func (m *mailbox) countAllows() bool {
	return m.limits.Messages <= 0 || m.unread < m.limits.Messages || m.policy == Spill || m.policy == Hold
}

func (m *mailbox) dropOldestLocked() {
	var result bool
	if m.decoded.size() > 0 {
		result = isResult(m.popDecodedLocked())
	} else if r, err := m.rest.pop(); err == nil { // an error means that it is gone, too
		result = r.result
	}
	m.unread--
	m.dropped.Messages++
	if result {
		m.dropped.Results++
	}
}

func (m *mailbox) popDecodedLocked() wire.Frame {
	item := m.decoded.pop()
	m.bytes -= item.size
	return item.value
}

// take waits for a message. The error is a [*DroppedError] if some were dropped before it, the end
// of the messages, io.EOF for a plain one, or the context's.
func (m *mailbox) take(ctx context.Context) (wire.Frame, error) {
	for {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if f, err := m.tryTake(); f != nil || err != nil {
			return f, err
		}
		select {
		case <-m.ready:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// tryTake is take without waiting. It returns nothing if there is nothing to take.
func (m *mailbox) tryTake() (wire.Frame, error) {
	if m.idle.Load() {
		return nil, nil
	}
	f, record, err := m.poll()
	if record != nil {
		return record.frame(), nil
	}
	return f, err
}

// lose notes messages that were dropped before they came here.
func (m *mailbox) lose(d *DroppedError) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.dropped.Messages += d.Messages
	m.noteLocked()
	wake(m.ready)
}

func (m *mailbox) poll() (f wire.Frame, r *record, err error) {
	m.mu.Lock()
	if m.decoded.size() > 0 && m.dropped.Messages == 0 { // as for nearly all
		f = m.takeDecodedLocked()
		m.mu.Unlock()
		return f, nil, nil
	}
	defer m.mu.Unlock()
	defer m.noteLocked()
	if m.dropped.Messages > 0 {
		dropped := m.dropped
		m.dropped = DroppedError{}
		wake(m.ready) // the messages are still there
		return nil, nil, &dropped
	}
	if m.unread == 0 {
		m.held = false
		if m.closed {
			wake(m.ready)
			return nil, nil, m.end
		}
		return nil, nil, nil
	}
	m.unread--
	if r, err = m.rest.pop(); err != nil {
		m.unread = 0 // the file is lost, and with it all that follows
		m.closed, m.end = true, err
	}
	if m.unread > 0 || m.closed {
		wake(m.ready) // for another consumer
	}
	wake(m.room)
	return f, r, err
}

func (m *mailbox) takeDecodedLocked() wire.Frame {
	m.unread--
	m.tookLocked()
	return m.popDecodedLocked()
}

// tookLocked is called when messages of decoded were taken and unread says so.
func (m *mailbox) tookLocked() {
	if m.unread > 0 || m.closed {
		wake(m.ready) // for another consumer
	} else {
		m.idle.Store(true)
	}
	wake(m.room)
}

// close lets the consumer see the error after the messages that are there; nil means io.EOF. Only
// the first call counts.
func (m *mailbox) close(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closeLocked(err)
}

func (m *mailbox) closeLocked(err error) {
	if m.closed {
		return
	}
	if err == nil {
		err = io.EOF
	}
	m.closed, m.end = true, err
	m.noteLocked()
	wake(m.ready)
	wake(m.room)
}

// letGo ends the holding of the pipe: messages for which there is no room are dropped from now on.
func (m *mailbox) letGo() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.open = false
	wake(m.room)
}
