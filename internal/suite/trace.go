package suite

import (
	"sync"
	"time"
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
