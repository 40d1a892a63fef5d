package drivercheck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/suite/sdk"
)

// DefaultStep is how long a driver may take for one thing.
const DefaultStep = 10 * time.Second

// Status is what came of a check.
type Status string

const (
	OK          Status = "ok"
	Wrong       Status = "wrong"
	NotDeclared Status = "not-declared" // the driver does not declare the features
)

// Result is what came of one check.
type Result struct {
	Check  string `json:"check"`
	Rule   string `json:"rule"`
	Status Status `json:"status"`
	// Problem says what is wrong, or which features are not declared.
	Problem string `json:"problem,omitempty"`
	// MaybeSDK says that the SDK could have done it as well.
	MaybeSDK bool   `json:"maybe_sdk,omitempty"`
	Stderr   string `json:"stderr,omitempty"` // the end of it, of a driver that is wrong
}

// Report is what came of all checks.
type Report struct {
	SDK      string   `json:"sdk"`
	Features []string `json:"features"`
	Results  []Result `json:"results"`
}

// Wrong returns how many checks found something.
func (r *Report) Wrong() (n int) {
	for _, res := range r.Results {
		if res.Status == Wrong {
			n++
		}
	}
	return n
}

// A fault is something that a driver does wrong.
type fault struct {
	text     string
	maybeSDK bool
}

func (f *fault) Error() string { return f.text }

func wrong(format string, args ...any) error { return &fault{text: fmt.Sprintf(format, args...)} }

// unclear is wrong for what an SDK could have done as well.
func unclear(format string, args ...any) error {
	return &fault{fmt.Errorf(format, args...).Error(), true}
}

// check is one thing that is tried.
type check struct {
	name   string
	rule   string
	needs  []string
	script string // of the simulated CLI
	run    func(*session) error
	wire   func([]journal.Entry) error // looks at what passed in the end; may be nil
	// abandons says that the input of the driver ends in the middle of something.
	abandons bool
}

// Run checks a driver. Step is how long it may take for one thing; 0 means [DefaultStep].
func Run(ctx context.Context, s *sdk.Subject, step time.Duration) (*Report, error) {
	if step == 0 {
		step = DefaultStep
	}
	ready := Result{Check: "ready", Rule: "The first report is ready, with features that are known.", Status: OK}
	if err := s.Probe(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		ready.Status, ready.Problem = Wrong, err.Error()
		return &Report{Results: []Result{ready}}, nil
	}
	all := slices.Concat(protocolChecks, featureChecks)
	results := make([]Result, len(all))
	var group sync.WaitGroup
	turns := make(chan struct{}, atOnce)
	for i := range all {
		group.Go(func() { // ends with its check; owns its result
			turns <- struct{}{}
			defer func() { <-turns }()
			results[i] = all[i].result(ctx, s, step)
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return &Report{SDK: s.Target(), Features: s.Features, Results: append([]Result{ready}, results...)}, nil
}

// atOnce is how many checks run at the same time: most of them wait.
const atOnce = 4

func (c *check) result(ctx context.Context, subject *sdk.Subject, step time.Duration) Result {
	r := Result{Check: c.name, Rule: c.rule, Status: OK}
	for _, n := range c.needs {
		if !slices.Contains(subject.Features, n) {
			r.Status, r.Problem = NotDeclared, "no "+n
			return r
		}
	}
	s, err := open(ctx, subject, c.script, step)
	if err == nil {
		if err = c.run(s); err == nil {
			err = s.finish(c)
		}
		r.Stderr = s.leave()
	}
	if err == nil {
		r.Stderr = ""
		return r
	}
	r.Status, r.Problem = Wrong, err.Error()
	if f := (*fault)(nil); errors.As(err, &f) {
		r.MaybeSDK = f.maybeSDK
	}
	return r
}
