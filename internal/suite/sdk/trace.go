package sdk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/suite"
)

// maxEvent is how much of a line a trace keeps, maxTrace how many events.
const (
	maxEvent = 4 << 10
	maxTrace = 400
)

// trace returns what happened, on the wire and at the API, in the order of time.
func (p *play) trace() (events []suite.Event) {
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	add := func(at time.Duration, from suite.Side, text string) {
		if len(text) > maxEvent {
			text = text[:maxEvent] + "…"
		}
		events = append(events, suite.Event{At: at, From: from, Text: text})
	}
	for i := range p.board.lines {
		e := &p.board.lines[i]
		switch e.Dir {
		case journal.ToCLI:
			add(e.at, suite.SDK, e.Line)
		case journal.ToSDK:
			add(e.at, suite.CLI, e.Line)
		case journal.Header:
			add(e.at, suite.Note, "the SDK starts claude "+strings.Join(e.Args, " "))
		case journal.EOF:
			add(e.at, suite.Note, "the SDK closes the input")
		case journal.Closed:
			add(e.at, suite.Note, "the SDK closed the CLI's "+e.Line)
		case journal.Signal:
			add(e.at, suite.Note, "the SDK sends the signal "+e.Line)
		case journal.Blocked:
			add(e.at, suite.Note, "the SDK does not read what the CLI writes to "+e.Line)
		case journal.Fault:
			add(e.at, suite.Note, "the fault "+e.Line)
		case journal.Exit:
			add(e.at, suite.Note, "the CLI ends with code "+exitOf(&e.Entry))
		}
	}
	for i := range p.board.reports {
		r := &p.board.reports[i]
		add(r.at, suite.Note, "the driver reports "+string(r.text))
	}
	slices.SortStableFunc(events, func(a, b suite.Event) int { return cmp.Compare(a.At, b.At) })
	events = collapse(events)
	return events[:min(len(events), maxTrace)]
}

// manyAlike is how many lines that are alike a trace has in a row, alike how far they are compared.
const (
	manyAlike = 3
	alike     = 40
)

// collapse leaves out what follows many lines of one side that begin alike, but for the last.
func collapse(events []suite.Event) (kept []suite.Event) {
	same := func(a, b *suite.Event) bool {
		return a.From == b.From && a.Text[:min(alike, len(a.Text))] == b.Text[:min(alike, len(b.Text))]
	}
	for i := 0; i < len(events); {
		end := i + 1
		for end < len(events) && same(&events[i], &events[end]) {
			end++
		}
		if n := end - i; n > manyAlike+1 {
			kept = append(kept, events[i:i+manyAlike-1]...)
			kept = append(kept, suite.Event{At: events[end-2].At, From: suite.Note, Text: fmt.Sprintf("%d more like it", n-manyAlike)}, events[end-1])
		} else {
			kept = append(kept, events[i:end]...)
		}
		i = end
	}
	return kept
}
