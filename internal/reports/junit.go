package reports

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/ciformat"
	"github.com/ccwire/ccwire/internal/suite"
)

// JUnit writes the report in the form that build servers read: a suite for each target, and one for
// the problems of the run if there are any. Known failures and what does not apply are skipped
// cases.
func JUnit(w io.Writer, r *suite.Report) error {
	var all []ciformat.Suite
	for _, target := range r.Targets {
		all = append(all, junitFor(r, target))
	}
	if len(r.Problems) > 0 {
		s := ciformat.Suite{Name: "run"}
		for _, p := range r.Problems {
			s.Cases = append(s.Cases, ciformat.Case{Class: "run", Name: p, Time: new(time.Duration), Failure: &ciformat.Failure{Message: p}})
		}
		all = append(all, s)
	}
	return ciformat.WriteJUnit(w, all)
}

func junitFor(r *suite.Report, target string) ciformat.Suite {
	s := ciformat.Suite{Name: target}
	for i := range r.Results {
		res := &r.Results[i]
		if res.Target != target {
			continue
		}
		s.Time += res.Duration
		area, name := split(res.Scenario)
		c := ciformat.Case{Class: area, Name: name, Time: &res.Duration}
		switch res.Status {
		case suite.Fail:
			c.Failure = &ciformat.Failure{Message: res.Reason, Text: traceText(res)}
		case suite.KnownFailing, suite.NotApplicable, suite.Inconclusive:
			c.Skipped = string(res.Status) + ": " + res.Reason
		}
		s.Cases = append(s.Cases, c)
	}
	return s
}

// traceText is the trace of a failure, one event on each line.
func traceText(r *suite.Result) string {
	var b strings.Builder
	for _, e := range r.Trace {
		fmt.Fprintf(&b, "%s %s %s\n", e.At.Round(time.Millisecond), arrow(e.From), strings.TrimSpace(e.Text))
	}
	return b.String()
}
