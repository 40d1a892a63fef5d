package tap

import (
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/conformance/recording"
)

// An event is something that happened in a session.
type event struct {
	dir    recording.Dir // ToCLI, ToSDK and Stderr have bytes; EOF and Signal have none; or Lost
	of     recording.Dir // of Lost: whose bytes
	at     time.Duration
	size   int // how many bytes of the batch are the event's
	lost   int64
	signal string
}

// eventSize is about what an event takes beside its bytes.
const eventSize = 96

// A batch is a list of events and their bytes, one behind the other.
type batch struct {
	events []event
	bytes  []byte
}

func (b *batch) size() int { return len(b.bytes) + eventSize*len(b.events) }

// reset empties the batch and gives up memory that few batches need.
func (b *batch) reset() {
	const keep = 4 << 20
	if cap(b.bytes) > keep {
		b.bytes = nil
	}
	if cap(b.events)*eventSize > keep {
		b.events = nil
	}
	b.events, b.bytes = b.events[:0], b.bytes[:0]
}

// A queue takes events from the path to the recorder. One that is full makes the path wait once,
// and drops bytes from then on, until the recorder takes what there is.
type queue struct {
	limit int           // of the size of a batch
	wait  time.Duration // how long the path may wait for room

	mu      sync.Mutex // guards the fields below
	batch   batch
	gaps    map[recording.Dir]int64 // bytes that were dropped, and of which no event tells yet
	dropped int64                   // all of them
	full    bool                    // bytes are dropped
	closed  bool

	filled chan struct{} // has a value if there may be something to take
	taken  chan struct{} // has a value if something was taken
}

func newQueue(limit int, wait time.Duration) *queue {
	return &queue{
		limit: limit, wait: wait, gaps: map[recording.Dir]int64{},
		filled: make(chan struct{}, 1), taken: make(chan struct{}, 1),
	}
}

// put copies bytes of a stream into the queue.
func (q *queue) put(dir recording.Dir, at time.Duration, p []byte) {
	q.mu.Lock()
	if !q.full && !q.room(len(p)) {
		q.mu.Unlock()
		q.await(len(p))
		q.mu.Lock()
	}
	if !q.room(len(p)) {
		q.full = true
	}
	if q.full {
		q.gaps[dir] += int64(len(p))
		q.dropped += int64(len(p))
	} else {
		q.gap(dir, at)
		q.batch.bytes = append(q.batch.bytes, p...)
		q.batch.events = append(q.batch.events, event{dir: dir, at: at, size: len(p)})
	}
	q.mu.Unlock()
	notify(q.filled)
}

// note puts an event without bytes into the queue. There is always room for one: there are few.
func (q *queue) note(e event) {
	q.mu.Lock()
	q.batch.events = append(q.batch.events, e)
	q.mu.Unlock()
	notify(q.filled)
}

// gap puts the bytes that were dropped into an event. The caller holds mu.
func (q *queue) gap(dir recording.Dir, at time.Duration) {
	if n := q.gaps[dir]; n > 0 {
		q.batch.events = append(q.batch.events, event{dir: recording.Lost, of: dir, at: at, lost: n})
		delete(q.gaps, dir)
	}
}

// room reports whether n more bytes fit. The caller holds mu.
func (q *queue) room(n int) bool { return q.batch.size()+n+2*eventSize <= q.limit }

// await waits until there is room for n bytes, or for as long as the path may.
func (q *queue) await(n int) {
	if q.wait <= 0 {
		return
	}
	timer := time.NewTimer(q.wait)
	defer timer.Stop()
	for {
		select {
		case <-q.taken:
		case <-timer.C:
			return
		}
		q.mu.Lock()
		ok := q.room(n)
		q.mu.Unlock()
		if ok {
			return
		}
	}
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

// take waits for events and takes all of them, into a batch that is empty. It is false when the
// queue is closed and empty.
func (q *queue) take(into *batch) bool {
	for {
		q.mu.Lock()
		if len(q.batch.events) > 0 {
			q.batch, *into = *into, q.batch
			q.full = false
			q.mu.Unlock()
			notify(q.taken)
			return true
		}
		closed := q.closed
		q.mu.Unlock()
		if closed {
			return false
		}
		<-q.filled
		time.Sleep(linger)
	}
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
