package sdk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/suite"
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
	Known    suite.Known
	Gate     *suite.Gate // if set, is shared with other runs that go on at the same time
	// FailFast ends the run at the first failure that is not known. What was not played by then is
	// not in the report, which notes that.
	FailFast bool
	// NoRetry plays nothing a second time: what fails by a limit fails.
	NoRetry bool
	// Repeat is how often each scenario is played; 0 means once.
	Repeat int
	// Progress, if set, is called after each case, from one goroutine at a time.
	Progress func(done, all int, r *suite.Result)
}

// Run plays the scenarios. What fails by a limit alone is played again at the end, alone and with
// longer limits, and only that counts: a busy machine accuses nobody. Known failures are not played
// again. When ctx ends, what runs is stopped and cleaned up, and Run returns the context's cause.
func Run(ctx context.Context, o Options) (*suite.Report, error) {
	if o.Parallel <= 0 {
		o.Parallel = 2*runtime.NumCPU() + 1
	}
	if o.Gate == nil {
		o.Gate = &suite.Gate{}
	}
	start := time.Now()
	r := &run{Options: o, report: &suite.Report{Targets: []string{o.Subject.Target()}, Results: make([]suite.Result, len(o.Scenarios))}}
	r.all(ctx)
	r.again(ctx)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	r.forgetUnplayed()
	o.Known.Apply(r.report, o.Subject.Version)
	r.report.Duration = time.Since(start)
	return r.report, nil
}

// run is one call of [Run].
type run struct {
	Options
	report *suite.Report

	mu   sync.Mutex // guards the fields below and calls of Progress
	done int
	slow []int // the scenarios to play again
	over bool  // a failure has ended the run
}

// all plays each scenario once, several at a time.
func (r *run) all(ctx context.Context) {
	cases := make(chan int)
	var workers sync.WaitGroup
	for range min(r.Parallel, len(r.Scenarios)) {
		workers.Go(func() { // ends when cases is closed; owns the results whose numbers it receives
			for i := range cases {
				if r.isOver() {
					continue
				}
				s := r.Scenarios[i]
				slow := false
				r.Gate.First(func() { r.report.Results[i], slow = r.one(ctx, s, r.limitsOf(s)) })
				r.note(ctx, i, slow && !r.NoRetry && !r.Known.Lists(s.Name, r.Subject.Version))
			}
		})
	}
	for i := range r.Scenarios {
		select {
		case cases <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(cases)
	workers.Wait()
}

// note counts a result, or keeps its number if it is not the last word.
func (r *run) note(ctx context.Context, i int, again bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if again {
		r.slow = append(r.slow, i)
		return
	}
	r.done++
	res := &r.report.Results[i]
	r.over = r.over || r.FailFast && res.Status == suite.Fail && !r.Known.Lists(res.Scenario, r.Subject.Version)
	if r.Progress != nil && ctx.Err() == nil {
		r.Progress(r.done, len(r.report.Results), &r.report.Results[i])
	}
}

func (r *run) isOver() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.over
}

// forgetUnplayed takes what a failure has kept from being played out of the report.
func (r *run) forgetUnplayed() {
	all := len(r.report.Results)
	r.report.Results = slices.DeleteFunc(r.report.Results, func(res suite.Result) bool { return res.Scenario == "" })
	if n := all - len(r.report.Results); n > 0 {
		r.report.Notes = append(r.report.Notes, fmt.Sprintf("the first failure has ended the run: %d of %d scenarios were not played", n, all))
	}
}

// again plays what failed by a limit a second time.
func (r *run) again(ctx context.Context) {
	if r.over {
		return
	}
	r.report.PlayAgain(ctx, r.Gate, r.slow, func(i int) suite.Result {
		s := r.Scenarios[i]
		second, _ := r.one(ctx, s, r.limitsOf(s).times(suite.Patience))
		return second
	}, func(i int) { r.note(ctx, i, false) })
}

// one plays one scenario, and says whether it failed by a limit alone.
func (o *Options) one(ctx context.Context, s *Scenario, l limits) (r suite.Result, slow bool) {
	r = suite.Result{Scenario: s.Name, Title: s.Title, Level: s.Level, Target: o.Subject.Target(), Status: suite.Pass}
	switch missing := o.Subject.lacks(s); {
	case o.Subject.Spawn && !s.Driverless:
		r.Status, r.Reason = suite.NotApplicable, "needs a driver"
		return r, false
	case missing != "":
		r.Status, r.Reason = suite.NotApplicable, "the SDK has no "+missing
		return r, false
	}
	start := time.Now()
	p := &play{subject: o.Subject, scenario: s, board: newBoard(), ids: map[string]int{}, limits: l}
	err := p.run(ctx)
	r.Duration = time.Since(start)
	var na errNotApplicable
	switch {
	case err == nil:
		return r, false
	case errors.As(err, &na):
		r.Status, r.Reason = suite.NotApplicable, na.Error()
		return r, false
	}
	r.Status, r.Reason = suite.Fail, err.Error()
	r.Trace = p.trace()
	if p.process != nil {
		r.Stderr = p.process.Stderr()
	}
	var step *stepError
	if errors.As(err, &step) {
		r.Line, r.Step = step.step.Line, step.step.Source
	}
	return r, p.slow
}

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
		case journal.Exit:
			add(e.at, suite.Note, "the CLI ends with code "+exitOf(&e.Entry))
		}
	}
	for i := range p.board.reports {
		r := &p.board.reports[i]
		add(r.at, suite.Note, "the driver reports "+string(r.text))
	}
	slices.SortStableFunc(events, func(a, b suite.Event) int { return cmp.Compare(a.At, b.At) })
	return events[:min(len(events), maxTrace)]
}
