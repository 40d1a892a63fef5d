package sdk

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// board collects what happens in a case, and wakes whoever waits for it.
type board struct {
	start time.Time

	mu      sync.Mutex // guards the fields below
	changed chan struct{}
	version int // how often it changed
	reports []reported
	lines   []logged
	problem error // of the driver
	gone    bool  // the driver has ended
}

// reported is a report with its text, as patterns see it.
type reported struct {
	*driver.Report
	at   time.Duration
	text []byte
}

// logged is an entry of the journal of a CLI.
type logged struct {
	journal.Entry
	pid int
	at  time.Duration
}

func newBoard() *board { return &board{start: time.Now(), changed: make(chan struct{})} }

// update changes the board and wakes those who wait.
func (b *board) update(change func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change()
	b.version++
	close(b.changed)
	b.changed = make(chan struct{})
}

// since returns how long ago the case began.
func (b *board) since() time.Duration { return time.Since(b.start) }

// started reports whether a CLI was started.
func (b *board) started() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.startedLocked()
}

func (b *board) startedLocked() bool {
	return slices.ContainsFunc(b.lines, func(e logged) bool { return e.Dir == journal.Header })
}

// changes returns how often the board has changed.
func (b *board) changes() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.version
}

// shownText is how much of a message patterns can look at.
const shownText = 64 << 10

func (b *board) report(r *driver.Report) {
	seen := struct {
		*driver.Report
		// Content is the text of the message's JSON, or of a callback's input, Size its length.
		Content string `json:"content,omitempty"`
		Size    int    `json:"size,omitempty"`
	}{Report: r, Size: len(r.Message)}
	seen.Content = string(r.Message[:min(len(r.Message), shownText)])
	if r.Message == nil {
		seen.Content = string(r.Input[:min(len(r.Input), shownText)])
	}
	kept := *r
	if len(r.Message) > shownText {
		kept.Message = nil
		seen.Report = &kept
	}
	text, err := json.Marshal(seen)
	if err != nil {
		text = []byte("{}") // cannot be: it was JSON
	}
	b.update(func() { b.reports = append(b.reports, reported{&kept, time.Since(b.start), text}) })
}

func (b *board) log(entries []logged) {
	if len(entries) > 0 {
		b.update(func() { b.lines = append(b.lines, entries...) })
	}
}

// wait waits until cond, which is called with the lock, is true.
func (b *board) wait(ctx context.Context, cond func() bool) error {
	for {
		b.mu.Lock()
		ok, changed := cond(), b.changed
		b.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
