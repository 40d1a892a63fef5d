package sdk

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/conformance"
	"github.com/ccwire/ccwire/internal/conformance/sim/journal"
)

// Options say what to run and how.
type Options struct {
	Scenarios []*Scenario
	Subject   *Subject // that was probed
	// Parallel is how many cases run at once; 0 means one more than twice the number of processors,
	// since most of them wait.
	Parallel int
	Timeout  time.Duration // of a scenario that sets none; 0 means [DefaultTimeout]
	Step     time.Duration // of one step; 0 means [DefaultStep]
	Known    conformance.Known
	// Progress, if set, is called after each case, from one goroutine at a time.
	Progress func(done, all int, r *conformance.Result)
}

// Run plays the scenarios. When ctx ends, what runs is stopped and cleaned up, and Run returns the
// context's cause.
func Run(ctx context.Context, o Options) (*conformance.Report, error) {
	if o.Parallel <= 0 {
		o.Parallel = 2*runtime.NumCPU() + 1
	}
	start := time.Now()
	report := &conformance.Report{Targets: []string{o.Subject.Target()}, Results: make([]conformance.Result, len(o.Scenarios))}
	cases := make(chan int)
	var workers sync.WaitGroup
	var mu sync.Mutex // guards done and calls of o.Progress
	done := 0
	for range min(o.Parallel, len(o.Scenarios)) {
		workers.Go(func() { // ends when cases is closed; owns the results whose numbers it receives
			for i := range cases {
				report.Results[i] = o.one(ctx, o.Scenarios[i])
				mu.Lock()
				done++
				if o.Progress != nil && ctx.Err() == nil {
					o.Progress(done, len(report.Results), &report.Results[i])
				}
				mu.Unlock()
			}
		})
	}
	for i := range o.Scenarios {
		select {
		case cases <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(cases)
	workers.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	o.Known.Apply(report, o.Subject.Version)
	report.Duration = time.Since(start)
	return report, nil
}

// one plays one scenario.
func (o *Options) one(ctx context.Context, s *Scenario) conformance.Result {
	r := conformance.Result{Scenario: s.Name, Title: s.Title, Level: s.Level, Target: o.Subject.Target(), Status: conformance.Pass}
	switch missing := o.Subject.lacks(s); {
	case o.Subject.Spawn && !s.Driverless:
		r.Status, r.Reason = conformance.NotApplicable, "needs a driver"
		return r
	case missing != "":
		r.Status, r.Reason = conformance.NotApplicable, "the SDK has no "+missing
		return r
	}
	limit := cmp.Or(s.Timeout, o.Timeout, DefaultTimeout)
	start := time.Now()
	p := &play{subject: o.Subject, scenario: s, board: newBoard(), ids: map[string]int{}, stepTime: cmp.Or(o.Step, DefaultStep)}
	err := p.run(ctx, limit)
	r.Duration = time.Since(start)
	var na errNotApplicable
	switch {
	case err == nil:
		return r
	case errors.As(err, &na):
		r.Status, r.Reason = conformance.NotApplicable, na.Error()
		return r
	}
	r.Status, r.Reason = conformance.Fail, err.Error()
	r.Trace = p.trace()
	if p.process != nil {
		r.Stderr = p.process.Stderr()
	}
	var step *stepError
	if errors.As(err, &step) {
		r.Line, r.Step = step.step.Line, step.step.Source
	}
	return r
}

// maxEvent is how much of a line a trace keeps, maxTrace how many events.
const (
	maxEvent = 4 << 10
	maxTrace = 400
)

// trace returns what happened, on the wire and at the API, in the order of time.
func (p *play) trace() (events []conformance.Event) {
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	add := func(at time.Duration, from conformance.Side, text string) {
		if len(text) > maxEvent {
			text = text[:maxEvent] + "…"
		}
		events = append(events, conformance.Event{At: at, From: from, Text: text})
	}
	for i := range p.board.lines {
		e := &p.board.lines[i]
		switch e.Dir {
		case journal.ToCLI:
			add(e.at, conformance.SDK, e.Line)
		case journal.ToSDK:
			add(e.at, conformance.CLI, e.Line)
		case journal.Header:
			add(e.at, conformance.Note, "the SDK starts claude "+strings.Join(e.Args, " "))
		case journal.EOF:
			add(e.at, conformance.Note, "the SDK closes the input")
		case journal.Signal:
			add(e.at, conformance.Note, "the SDK sends the signal "+e.Line)
		case journal.Exit:
			add(e.at, conformance.Note, "the CLI ends with code "+exitOf(&e.Entry))
		}
	}
	for i := range p.board.reports {
		r := &p.board.reports[i]
		add(r.at, conformance.Note, "the driver reports "+string(r.text))
	}
	slices.SortStableFunc(events, func(a, b conformance.Event) int { return cmp.Compare(a.At, b.At) })
	return events[:min(len(events), maxTrace)]
}
