package suite

import (
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/recording"
)

// Event is one thing that happened in a session.
type Event struct {
	At   time.Duration `json:"at"`   // since the start of the session
	From Side          `json:"from"` // who did it
	Text string        `json:"text"` // the line, or a remark
}

// Side is where an event comes from.
type Side string

const (
	SDK  Side = "sdk"  // a line of the SDK
	CLI  Side = "cli"  // a line of the CLI
	Note Side = "note" // a remark of the runner: an end, a signal, a failure
)

// maxEvent is how much of a line a trace keeps.
const maxEvent = 16 << 10

// trace collects events with their times.
type trace struct {
	start  time.Time
	mu     sync.Mutex // guards events
	events []Event
}

func (t *trace) add(from Side, text string) {
	if len(text) > maxEvent {
		text = text[:maxEvent] + "…"
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.events = append(t.events, Event{At: time.Since(t.start), From: from, Text: text})
}

func (t *trace) all() []Event {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]Event(nil), t.events...)
}

// courseLog collects what both sides write, in the order in which it came, which the entries do not
// have where the order is free.
type courseLog struct {
	mu      sync.Mutex // guards entries
	entries []recording.Entry
}

func (w *courseLog) add(from recording.Dir, data []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.entries = append(w.entries, recording.Written(from, data))
}

func (w *courseLog) all() []recording.Entry {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.entries
}
