package sdk

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/suite"
)

// Options say what to run and how.
type Options struct {
	Scenarios []*Scenario
	Subject   *Subject // that was probed
	// Parallel is how many cases work at once; 0 means one more than twice the number of
	// processors. A case whose processes all wait does not count.
	Parallel int
	Timeout  time.Duration // of a scenario that sets none; 0 means [DefaultTimeout]
	Step     time.Duration // of one step; 0 means [DefaultStep]
	Known    suite.Known
	// FailFast ends the run at the first failure that is not known. What was not played by then is
	// not in the report, which notes that.
	FailFast bool
	// NoRetry lets the first play of a scenario count, also if it failed by a limit.
	NoRetry bool
	// Repeat plays each scenario so many times; 0 means once. One that does not always come out the
	// same fails, as a race.
	Repeat int
	// Progress, if set, is called after each case, from one goroutine at a time.
	Progress func(done, all int, r *suite.Result)
}

// Run plays the scenarios, those first that others build on. What fails by a limit is played again,
// alone, and only that counts: a busy machine accuses nobody. Known failures are not played again.
// When ctx ends, what runs is stopped and cleaned up, and Run returns the context's cause.
func Run(ctx context.Context, o Options) (*suite.Report, error) {
	if o.Parallel <= 0 {
		o.Parallel = 2*runtime.NumCPU() + 1
	}
	start := time.Now()
	judge := NewJudge(o)
	judge.working = make(chan struct{}, o.Parallel)
	r := &run{Judge: judge, report: &suite.Report{Targets: []string{o.Subject.Target()}, Results: make([]suite.Result, len(o.Scenarios))}}
	r.all(ctx)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	r.Finish(r.report)
	r.forgetUnplayed()
	o.Known.Apply(r.report, o.Subject.Version)
	r.report.Duration = time.Since(start)
	return r.report, nil
}

// forgetUnplayed takes what a failure has kept from being played out of the report.
func (r *run) forgetUnplayed() {
	all := len(r.report.Results)
	r.report.Results = slices.DeleteFunc(r.report.Results, func(res suite.Result) bool { return res.Reason == notPlayed })
	if n := all - len(r.report.Results); n > 0 {
		r.report.Notes = append(r.report.Notes, fmt.Sprintf("the first failure has ended the run: %d of %d scenarios were not played", n, all))
	}
}

// run is one call of [Run].
type run struct {
	*Judge
	report *suite.Report

	mu   sync.Mutex // guards done and calls of Progress
	done int
}

// resting is how many cases there may be for each that works. The others wait for what does not
// come.
const resting = 4

// all plays each scenario, several at a time.
func (r *run) all(ctx context.Context) {
	cases := make(chan int)
	var workers sync.WaitGroup
	most := resting * r.Parallel
	if r.FailFast { // what has begun is played to its end
		most = r.Parallel
	}
	for range min(most, len(r.Scenarios)) {
		workers.Go(func() { // ends when cases is closed; owns the results whose numbers it receives
			for i := range cases {
				r.report.Results[i] = r.Play(ctx, r.Scenarios[i])
				r.note(ctx, i)
			}
		})
	}
	var last []int
	for _, i := range r.order() {
		if r.Scenarios[i].Always() != "" {
			last = append(last, i)
			continue
		}
		select {
		case cases <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(cases)
	workers.Wait()
	for _, i := range last {
		r.report.Results[i] = r.Play(ctx, r.Scenarios[i])
		r.note(ctx, i)
	}
}

// order returns the numbers of the scenarios: first those that others build on.
func (r *run) order() []int {
	list := make([]int, len(r.Scenarios))
	for i := range list {
		list[i] = i
	}
	slices.SortStableFunc(list, func(a, b int) int { return len(r.Scenarios[b].Basic) - len(r.Scenarios[a].Basic) })
	return list
}

// note counts a result.
func (r *run) note(ctx context.Context, i int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done++
	res := &r.report.Results[i]
	if r.Progress != nil && ctx.Err() == nil {
		r.Progress(r.done, len(r.report.Results), res)
	}
	if r.FailFast && res.Status == suite.Fail && !r.Known.Lists(res.Scenario, r.Subject.Version) {
		r.Stop()
	}
}
