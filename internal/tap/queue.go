package tap

import (
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/recording"
)

// An event is something that happened in a session.
type event struct {
	dir    recording.Dir // ToCLI, ToSDK and Stderr have bytes; EOF and Signal have none; or Lost
	of     recording.Dir // of Lost: whose bytes
	at     time.Duration
	size   int   // how many bytes of the batch are the event's
	lost   int64 // of Lost: how many bytes
	inside bool  // of Lost: the next byte of the stream is not the first of a line
	signal string
}

// How much a batch holds: bytes, and events, of which each read of a stream makes one.
const (
	batchBytes  = 256 << 10
	batchEvents = 1024
	eventSize   = 96 // about what an event takes beside its bytes
	batchSize   = batchBytes + batchEvents*eventSize
)

// A batch is a list of events and their bytes, one after the other.
type batch struct {
	events []event
	bytes  []byte
}

func newBatch() *batch { return &batch{make([]event, 0, batchEvents), make([]byte, 0, batchBytes)} }

// earned is how much longer the path may wait for each batch that the recorder is done with. One
// that takes less for a batch, which is 26 MB a second, slows the path down and loses nothing.
const earned = 10 * time.Millisecond

// A queue takes events from the path to the recorder, in batches that are used again. When all are
// full, the path waits for the recorder while it has patience; then bytes are dropped, until the
// recorder has done half of what waits.
type queue struct {
	most int           // batches
	wait time.Duration // how long the path waits for a recorder that does nothing

	mu       sync.Mutex // guards the fields below
	waiting  []*batch   // the oldest first; put fills the last one
	free     []*batch
	used     int // batches that wait or that the recorder has
	patience time.Duration
	gaps     map[recording.Dir]gap // what was dropped, and of which no event tells yet
	dropped  int64                 // all bytes that were
	full     bool                  // bytes are dropped
	closed   bool
	freed    chan struct{} // closed when a batch comes back; nil if nobody waits for one

	filled chan struct{} // has a value if there may be something to take
}

// A gap is what was dropped of a stream.
type gap struct {
	bytes  int64
	inside bool // its last byte is not a LF
}

func newQueue(limit int, wait time.Duration) *queue {
	return &queue{
		most: max(limit/batchSize, 2), wait: wait, patience: wait,
		gaps: map[recording.Dir]gap{}, filled: make(chan struct{}, 1),
	}
}

// put copies bytes of a stream into the queue, or drops them.
func (q *queue) put(dir recording.Dir, at time.Duration, p []byte) {
	q.mu.Lock()
	if !q.full {
		q.gap(dir, at)
	}
	for len(p) > 0 {
		b := q.room()
		if b == nil {
			q.drop(dir, p)
			break
		}
		n := min(len(p), batchBytes-len(b.bytes))
		b.bytes = append(b.bytes, p[:n]...)
		b.events = append(b.events, event{dir: dir, at: at, size: n})
		p = p[n:]
	}
	q.mu.Unlock()
	notify(q.filled)
}

// room returns a batch with room for at least a byte, nil if bytes are dropped. The caller holds
// mu, which is given up while room waits.
func (q *queue) room() *batch {
	for {
		if q.full {
			return nil
		}
		if b := q.last(); b != nil && len(b.bytes) < batchBytes && len(b.events) < batchEvents {
			return b
		}
		if q.used < q.most {
			return q.add()
		}
		if q.patience <= 0 {
			q.full = true
			return nil
		}
		q.await()
	}
}

// last returns the batch that is being filled, nil if there is none. The caller holds mu.
func (q *queue) last() *batch {
	if len(q.waiting) == 0 {
		return nil
	}
	return q.waiting[len(q.waiting)-1]
}

// add begins a batch. The caller holds mu.
func (q *queue) add() *batch {
	var b *batch
	if n := len(q.free); n > 0 {
		b, q.free = q.free[n-1], q.free[:n-1]
	} else {
		b = newBatch()
	}
	q.used++
	q.waiting = append(q.waiting, b)
	return b
}

// await waits for a batch to come back, for as long as there is patience. The caller holds mu,
// which is given up meanwhile.
func (q *queue) await() {
	if q.freed == nil {
		q.freed = make(chan struct{})
	}
	freed := q.freed
	begin := time.Now()
	timer := time.NewTimer(q.patience)
	q.mu.Unlock()
	select {
	case <-freed:
	case <-timer.C:
	}
	timer.Stop()
	q.mu.Lock()
	q.patience -= time.Since(begin)
}

// drop counts bytes that are not recorded. The caller holds mu.
func (q *queue) drop(dir recording.Dir, p []byte) {
	g := q.gaps[dir]
	q.gaps[dir] = gap{g.bytes + int64(len(p)), p[len(p)-1] != '\n'}
	q.dropped += int64(len(p))
}

// gap puts what was dropped of a stream into an event. The caller holds mu.
func (q *queue) gap(dir recording.Dir, at time.Duration) {
	if g := q.gaps[dir]; g.bytes > 0 {
		delete(q.gaps, dir)
		q.append(event{dir: recording.Lost, of: dir, at: at, lost: g.bytes, inside: g.inside})
	}
}

// append adds an event without bytes. There is always room for one: there are few. The caller
// holds mu.
func (q *queue) append(e event) {
	b := q.last()
	if b == nil || len(b.events) >= batchEvents && q.used < q.most {
		b = q.add()
	}
	b.events = append(b.events, e)
}

// note puts an event without bytes into the queue. What was dropped of the CLI's input comes before
// its end.
func (q *queue) note(e event) {
	q.mu.Lock()
	if e.dir == recording.EOF {
		q.gap(recording.ToCLI, e.at)
	}
	q.append(e)
	q.mu.Unlock()
	notify(q.filled)
}

// close says that no event will follow.
func (q *queue) close(at time.Duration) {
	q.mu.Lock()
	for dir := range q.gaps {
		q.gap(dir, at)
	}
	q.closed = true
	q.mu.Unlock()
	notify(q.filled)
}

// take waits for events and returns the oldest batch, which is the caller's until give. It is nil
// when the queue is closed and empty.
func (q *queue) take() *batch {
	for {
		q.mu.Lock()
		if len(q.waiting) > 0 {
			b := q.waiting[0]
			q.waiting = append(q.waiting[:0], q.waiting[1:]...)
			q.mu.Unlock()
			return b
		}
		closed := q.closed
		q.mu.Unlock()
		if closed {
			return nil
		}
		<-q.filled
		time.Sleep(linger)
	}
}

// give returns a batch that the recorder is done with.
func (q *queue) give(b *batch) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.used--
	if len(q.free) <= q.most/4 && cap(b.events) == batchEvents {
		b.events, b.bytes = b.events[:0], b.bytes[:0]
		q.free = append(q.free, b)
	}
	q.patience = min(q.patience+earned, q.wait)
	if q.used <= q.most/2 {
		q.full, q.patience = false, q.wait
	}
	if q.freed != nil {
		close(q.freed)
		q.freed = nil
	}
}

// behind reports whether a good part of the queue waits for the recorder.
func (q *queue) behind() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.used > q.most/8
}

// linger is how long the recorder waits for more when something happens after a pause: it leaves
// the processor to the path.
const linger = 2 * time.Millisecond

// lost returns how many bytes were dropped.
func (q *queue) lost() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dropped
}

// notify puts a value into a channel that has room for one.
func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
