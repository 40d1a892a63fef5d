package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

const (
	// Entries are written to the backend without a delay when so many wait, or so many bytes.
	mirrorEntries = 500
	mirrorBytes   = 1 << 20
	// mirrorLimit is how many bytes of entries may wait. More are lost.
	mirrorLimit = 64 << 20
)

// mirrorPauses are the times before an Append that has failed is tried again.
var mirrorPauses = []time.Duration{200 * time.Millisecond, 800 * time.Millisecond}

// MirrorOptions say how entries are written. Nil and the zero value work.
type MirrorOptions struct {
	// Delay is how long entries wait for others, so that they are written together; default 100 ms,
	// negative for not at all.
	Delay time.Duration
	// Timeout is how long one Append may take; default a minute. One that takes longer is not
	// tried again, because it may still succeed.
	Timeout time.Duration
	// OnError, if set, is told of entries that are lost: a [*MirrorError]. Its calls do not
	// overlap.
	OnError func(error)
}

// A MirrorError says that entries were not written to the backend. The CLI has them on its disk.
type MirrorError struct {
	Key     Key
	Entries int // how many
	Err     error
}

func (e *MirrorError) Error() string {
	return fmt.Sprintf("%d entries of session %s are lost: %v", e.Entries, e.Key.Session, e.Err)
}

// Unwrap returns what the backend said, or [ErrBehind].
func (e *MirrorError) Unwrap() error { return e.Err }

// A Mirror writes what CLIs add to their transcripts to a [Backend] as well. It may be used
// concurrently, and for several sessions.
type Mirror struct {
	to   Backend
	opts MirrorOptions
	wake chan struct{} // of one: entries wait, or somebody waits for them
	done chan struct{} // closed by run

	telling sync.Mutex // held while OnError runs

	mu      sync.Mutex // guards the fields below
	waiting []additions
	entries int // in waiting
	bytes   int // of them
	begun   int // how often the entries that waited were taken to be written
	flushed *sync.Cond
	written int // of begun: those that are over
	hurry   bool
	closed  bool
}

// additions are entries of one transcript that wait.
type additions struct {
	key     Key
	entries []codec.Raw
}

// NewMirror returns a Mirror that writes to a backend. The caller must call [Mirror.Close].
func NewMirror(to Backend, o *MirrorOptions) *Mirror {
	m := &Mirror{to: to, wake: make(chan struct{}, 1), done: make(chan struct{})}
	if o != nil {
		m.opts = *o
	}
	m.opts.Delay = cmp.Or(m.opts.Delay, 100*time.Millisecond)
	m.opts.Timeout = cmp.Or(m.opts.Timeout, time.Minute)
	m.flushed = sync.NewCond(&m.mu)
	go m.run() // ends with Close
	return m
}

// Add takes in what a CLI has added to a transcript. It does not wait for the backend. It is for
// OnTranscript of the transport's options.
func (m *Mirror) Add(f *wire.TranscriptMirror) {
	key, ok := keyOf(f.FilePath)
	if !ok || len(f.Entries) == 0 {
		return
	}
	size := 0
	for _, e := range f.Entries {
		size += len(e)
	}
	m.mu.Lock()
	lost := m.closed || m.bytes+size > mirrorLimit
	if !lost {
		m.waiting = append(m.waiting, additions{key, slices.Clone(f.Entries)})
		m.entries += len(f.Entries)
		m.bytes += size
		m.hurry = m.hurry || m.entries > mirrorEntries || m.bytes > mirrorBytes
	}
	m.mu.Unlock()
	if lost {
		m.lost(&MirrorError{Key: key, Entries: len(f.Entries), Err: ErrBehind})
		return
	}
	m.look()
}

// Flush writes what was added before, and waits for that. It is for the end of a turn; entries are
// also written without it.
func (m *Mirror) Flush() {
	m.mu.Lock()
	defer m.mu.Unlock()
	target := m.begun
	if len(m.waiting) > 0 {
		target++
		m.hurry = true
		m.look()
	}
	for m.written < target {
		m.flushed.Wait()
	}
}

// Close writes what was added before. What is added later is lost. It is for after the end of the
// sessions.
func (m *Mirror) Close() {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.look()
	<-m.done
}

func (m *Mirror) look() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// run writes entries until the Mirror is closed and none are left.
func (m *Mirror) run() {
	defer close(m.done)
	for range m.wake {
		m.gather()
		m.mu.Lock()
		waiting, closed := m.waiting, m.closed
		m.waiting, m.entries, m.bytes, m.hurry = nil, 0, 0, false
		if len(waiting) > 0 {
			m.begun++
		}
		m.mu.Unlock()
		for _, a := range together(waiting) {
			m.write(a)
		}
		m.mu.Lock()
		m.written = m.begun
		m.flushed.Broadcast()
		m.mu.Unlock()
		if closed {
			return
		}
	}
}

// gather waits for more entries, up to the delay.
func (m *Mirror) gather() {
	timer := time.NewTimer(max(0, m.opts.Delay))
	defer timer.Stop()
	for {
		m.mu.Lock()
		enough := m.hurry || m.closed || m.opts.Delay < 0
		m.mu.Unlock()
		if enough {
			return
		}
		select {
		case <-timer.C:
			return
		case <-m.wake:
		}
	}
}

// together puts the entries of each transcript together, in the order in which they came.
func together(waiting []additions) []additions {
	var all []additions
	for _, a := range waiting {
		i := slices.IndexFunc(all, func(b additions) bool { return b.key == a.key })
		if i < 0 {
			all = append(all, a)
			continue
		}
		all[i].entries = append(all[i].entries, a.entries...)
	}
	return all
}

// write writes entries of one transcript.
func (m *Mirror) write(a additions) {
	for try := 0; ; try++ {
		ctx, cancel := context.WithTimeout(context.Background(), m.opts.Timeout)
		err := m.to.Append(ctx, a.key, slices.Clone(a.entries))
		late := ctx.Err() != nil
		cancel()
		if err == nil {
			return
		}
		if late || errors.Is(err, context.DeadlineExceeded) || try == len(mirrorPauses) {
			m.lost(&MirrorError{Key: a.key, Entries: len(a.entries), Err: err})
			return
		}
		time.Sleep(mirrorPauses[try])
	}
}

func (m *Mirror) lost(err error) {
	if m.opts.OnError != nil {
		m.telling.Lock()
		defer m.telling.Unlock()
		m.opts.OnError(err)
	}
}
