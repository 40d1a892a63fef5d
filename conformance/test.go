package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/reports"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/sdk"
)

// Test plays the scenarios against a CLI, a subtest for each, AREA/NAME, in parallel. What does not
// apply to the version, and what fails as is known, is skipped with its reason.
func Test(t *testing.T, cli CLI, o *Options) {
	t.Helper()
	o = o.orDefault()
	run, err := cli.prepare(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	target := run.Targets[0]
	all := newSubtests(t, o, target.Name(), run.Known)
	for _, s := range run.Scenarios {
		all.run(s.Name, func(ctx context.Context) (*suite.Report, error) {
			one := *run
			one.Scenarios, one.Known, one.Gate = []*scenario.Scenario{s}, run.Known.Of(s.Name, target.Version()), &all.gate
			return suite.Run(ctx, one)
		})
	}
}

// TestSDK plays the scenarios for SDKs with an SDK, a subtest for each, AREA/NAME, in parallel.
// What needs a feature that the SDK does not have, and what fails as is known, is skipped with its
// reason.
func TestSDK(t *testing.T, s SDK, o *Options) {
	t.Helper()
	o = o.orDefault()
	run, err := s.prepare(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	all := newSubtests(t, o, run.Subject.Target(), run.Known)
	judge := sdk.NewJudge(*run)
	one := func(ctx context.Context, s *sdk.Scenario) *suite.Report {
		report := &suite.Report{Targets: []string{run.Subject.Target()}, Results: []suite.Result{judge.Play(ctx, s)}}
		run.Known.OfSDK(s.Name, run.Subject.Version).Apply(report, run.Subject.Version)
		return report
	}
	all.last = func() {
		for _, s := range run.Scenarios {
			if s.Always() != "" {
				all.add(t, one(context.Background(), s))
			}
		}
		judge.Finish(&all.report)
	}
	for _, s := range run.Scenarios {
		if s.Always() != "" {
			continue // it is judged by what the others show
		}
		all.run(s.Name, func(ctx context.Context) (*suite.Report, error) {
			report := one(ctx, s)
			return report, context.Cause(ctx)
		})
	}
}

// subtests are the scenarios of one test. When the last has ended, the report is written and the
// list of known failures is judged.
type subtests struct {
	t     *testing.T
	known suite.Known
	gate  suite.Gate
	names []string // of all scenarios, also of those that -run leaves out
	start time.Time
	last  func() // if set, is called when all have ended

	mu     sync.Mutex // guards report
	report suite.Report
}

func newSubtests(t *testing.T, o *Options, target string, known suite.Known) *subtests {
	s := &subtests{t: t, known: known, start: time.Now(), report: suite.Report{Targets: []string{target}}}
	t.Cleanup(func() { s.end(o) })
	return s
}

// run adds the subtest of a scenario, which play plays.
func (s *subtests) run(name string, play func(context.Context) (*suite.Report, error)) {
	s.names = append(s.names, name)
	s.t.Run(name, func(t *testing.T) {
		t.Parallel()
		ctx, cancel := beforeDeadline(t)
		defer cancel()
		report, err := play(ctx)
		if err != nil {
			t.Fatalf("it was not judged: %v", err)
		}
		s.add(t, report)
		switch r := &report.Results[0]; r.Status {
		case suite.KnownFailing:
			t.Skipf("it fails, as is known: %s", r.Reason)
		case suite.NotApplicable:
			t.Skip(r.Reason)
		case suite.Inconclusive:
			t.Skipf("it is inconclusive: %s", r.Reason)
		}
	})
}

// add takes the report of one scenario, and says what failed.
func (s *subtests) add(t *testing.T, report *suite.Report) {
	r := &report.Results[0]
	s.mu.Lock()
	s.report.Results = append(s.report.Results, *r)
	s.report.Notes = append(s.report.Notes, report.Notes...)
	s.mu.Unlock()
	for _, note := range report.Notes {
		t.Log(note)
	}
	switch r.Status {
	case suite.Pass:
		for _, problem := range report.Problems { // it is listed as a known failure
			t.Error(problem)
		}
	case suite.Fail:
		var text strings.Builder
		_ = reports.Failure(&text, r) // a builder takes everything
		t.Errorf("%s does not hold (%s)\n%s", r.Scenario, r.Level, text.String())
	}
}

// reserve is what is left of the time of go test when scenarios stop, so that what is known by then
// can be told.
const reserve = 5 * time.Second

// errDeadline says that a scenario was stopped because go test has no more time.
var errDeadline = errors.New("the time of go test is nearly over: give it more with -timeout, or play less with -run")

// beforeDeadline returns a context that ends shortly before go test would end the whole program.
func beforeDeadline(t *testing.T) (context.Context, context.CancelFunc) {
	deadline, ok := t.Deadline()
	if !ok {
		return context.WithCancel(t.Context())
	}
	return context.WithDeadlineCause(t.Context(), deadline.Add(-reserve), errDeadline)
}

func (s *subtests) end(o *Options) {
	if s.last != nil {
		s.last()
	}
	for _, e := range s.known {
		if !slices.ContainsFunc(s.names, e.Pattern.Match) {
			s.t.Errorf("line %d of the known failures (%s) matches no scenario", e.Line, string(e.Pattern))
		}
	}
	s.report.Duration = time.Since(s.start)
	slices.SortFunc(s.report.Results, func(a, b suite.Result) int { return strings.Compare(a.Scenario, b.Scenario) })
	if len(s.report.Results) == len(s.names) { // -run has left none out
		s.report.WantJudged()
	}
	for _, problem := range s.report.Problems {
		s.t.Error(problem)
	}
	if _, err := o.finish(&s.report); err != nil {
		s.t.Error(fmt.Errorf("the report was not written: %w", err))
	}
}
