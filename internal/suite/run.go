package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/transport/cli"
)

// DefaultTimeout bounds a scenario that sets no time of its own.
const DefaultTimeout = 60 * time.Second

// simulatedParallel is how many sessions with simulated CLIs run at once on each processor.
const simulatedParallel = 8

// Options say what to run and how.
type Options struct {
	Scenarios []*scenario.Scenario
	Targets   []Target
	// Parallel is how many sessions run at once; 0 means one more than there are processors, since
	// there is always one that waits, and [simulatedParallel] for each processor if all targets are
	// simulated: such a session does little else than to wait.
	Parallel int
	// Timeout bounds each scenario that sets no time of its own; 0 means [DefaultTimeout].
	Timeout time.Duration
	// Known are the failures that are expected.
	Known Known
	// Expected, if set, returns how long a scenario is expected to take on a target, by their
	// names; 0 if that is not known. What takes longest is played first, so that nothing is waited
	// for at the end.
	Expected func(target, scenario string) time.Duration
	// Gate, if set, is shared with other runs that go on at the same time.
	Gate *Gate
	// Progress, if set, is called after each case, from one goroutine at a time. Known failures are
	// marked in what it gets.
	Progress func(done, all int, r *Result)
	// Judge, if set, looks at a session in which the scenario holds; an error makes it fail. The
	// scenario is then played again, up to twice, unless that is known: what is so by chance is not
	// so every time. It is called from several goroutines.
	Judge func(t Target, s *scenario.Scenario, p *Played) error
	// Keep, if set, gets what was played, from several goroutines. Of a scenario that is played
	// again, the last counts.
	Keep func(t Target, s *scenario.Scenario, p *Played)
}

// Run plays every scenario on every target. What a CLI fails by its time alone is played again at
// the end, alone and with more time, and only that counts. Known failures are not played again.
// When ctx ends, what runs is stopped and cleaned up, and Run returns the context's cause.
func Run(ctx context.Context, o Options) (*Report, error) {
	if o.Parallel <= 0 {
		o.Parallel = runtime.NumCPU() + 1
		if !slices.ContainsFunc(o.Targets, func(t Target) bool { return !hasLimit(t) }) {
			o.Parallel = simulatedParallel * runtime.NumCPU()
		}
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Gate == nil {
		o.Gate = &Gate{}
	}
	start := time.Now()
	report := &Report{Results: make([]Result, len(o.Scenarios)*len(o.Targets))}
	versions := map[string]cli.Version{}
	for _, t := range o.Targets {
		report.Targets = append(report.Targets, t.Name())
		versions[t.Name()] = t.Version()
	}

	cases := make(chan int)
	var workers sync.WaitGroup
	var mu sync.Mutex // guards done, slow and calls of o.Progress
	done := 0
	var slow []int // the cases to play again
	note := func(i int) {
		done++
		o.Known.mark(&report.Results[i], versions[report.Results[i].Target])
		if o.Progress != nil && ctx.Err() == nil {
			o.Progress(done, len(report.Results), &report.Results[i])
		}
	}
	for range min(o.Parallel, len(report.Results)) {
		// A worker owns the results whose numbers it receives, and ends when cases is closed.
		workers.Go(func() {
			for i := range cases {
				s, t := o.of(i)
				var err error
				o.Gate.First(func() { report.Results[i], err = o.one(ctx, s, t, 1) })
				mu.Lock()
				if errors.Is(err, ErrTimeout) && !hasLimit(t) && o.Known.find(s.Name, t.Version()) < 0 {
					slow = append(slow, i)
				} else {
					note(i)
				}
				mu.Unlock()
			}
		})
	}
	for _, i := range o.order() {
		select {
		case cases <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(cases)
	workers.Wait()
	report.PlayAgain(ctx, o.Gate, slow, func(i int) Result {
		s, t := o.of(i)
		second, _ := o.one(ctx, s, t, Patience)
		return second
	}, note)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	o.Known.apply(report, versions)
	report.Duration = time.Since(start)
	return report, nil
}

// of returns the scenario and the target of a case.
func (o *Options) of(i int) (*scenario.Scenario, Target) {
	return o.Scenarios[i/len(o.Targets)], o.Targets[i%len(o.Targets)]
}

// order returns the numbers of all cases in the order in which they are played.
func (o *Options) order() []int {
	cases := make([]int, len(o.Scenarios)*len(o.Targets))
	expected := make([]time.Duration, len(cases))
	for i := range cases {
		cases[i] = i
		s, t := o.of(i)
		if !s.Versions.Contains(t.Version()) {
			continue
		}
		if o.Expected != nil {
			expected[i] = o.Expected(t.Name(), s.Name)
		}
		if expected[i] == 0 && o.Known.find(s.Name, t.Version()) >= 0 {
			expected[i] = idleLimit // it may well wait for what does not come
		}
	}
	slices.SortStableFunc(cases, func(a, b int) int { return cmp.Compare(expected[b], expected[a]) })
	return cases
}

// maxTries is how often a scenario is played that holds in sessions which Judge refuses.
const maxTries = 3

// A limited target is one that answers at once, and so needs no more than its limit.
type limited interface{ Limit() time.Duration }

func hasLimit(t Target) bool {
	_, ok := t.(limited)
	return ok
}

// one plays one scenario on one target, with so many times its time. It also returns why it fails.
func (o *Options) one(ctx context.Context, s *scenario.Scenario, t Target, patience time.Duration) (Result, error) {
	tries := maxTries
	if o.Known.find(s.Name, t.Version()) >= 0 {
		tries = 1
	}
	for try := 1; ; try++ {
		r, refused, err := o.once(ctx, s, t, patience)
		if !refused || try == tries || ctx.Err() != nil {
			return r, err
		}
	}
}

// once plays a scenario one time. It also returns whether Judge has refused a session in which it
// holds, and why it fails.
func (o *Options) once(ctx context.Context, s *scenario.Scenario, t Target, patience time.Duration) (r Result, refused bool, err error) {
	r = Result{Scenario: s.Name, Title: s.Title, Level: s.Level, Versions: s.Versions.String(), Conditions: s.Conditions(), Target: t.Name(), Status: Pass}
	if !s.Versions.Contains(t.Version()) {
		r.Status, r.Reason = NotApplicable, "only for "+s.Versions.String()
		return r, false, nil
	}
	for _, program := range s.Needs {
		if _, err := exec.LookPath(program); err != nil {
			r.Status, r.Reason = NotApplicable, program+" is not installed"
			return r, false, nil
		}
	}
	timeout := patience * cmp.Or(s.Timeout, o.Timeout)
	if l, ok := t.(limited); ok {
		timeout = min(timeout, l.Limit())
	}
	start := time.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("%w after %v", ErrTimeout, timeout))
	defer cancel()
	peer, err := t.Start(ctx, s)
	if err != nil {
		r.Status, r.Reason = Fail, err.Error()
		return r, false, err
	}
	played := Play(ctx, s, t.Version(), peer)
	if o.Judge != nil && played.Err == nil {
		played.Err = o.Judge(t, s, played)
		refused = played.Err != nil
	}
	if o.Keep != nil {
		o.Keep(t, s, played)
	}
	r.Duration = time.Since(start)
	r.Findings, r.Changes, r.Replies = played.Findings, played.Changes, played.Replies
	if played.Err == nil {
		return r, false, nil
	}
	r.Status, r.Reason = Fail, played.Err.Error()
	r.Trace, r.Stderr = played.Trace, played.Exit.Stderr
	var step *StepError
	if errors.As(played.Err, &step) {
		r.Line, r.Step = step.Line, step.Source
	}
	return r, refused, played.Err
}
