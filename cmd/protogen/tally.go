package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/terminal"
)

// A tally is how far a run of scenarios has come, and shows it.
type tally struct {
	stderr   io.Writer
	progress *terminal.Progress
	thing    string // that is counted
	done     int
	all      int
	holding  int
	known    int // failures that are known
	apart    int // that do not apply
	unclear  int // that are neither
	failures []*suite.Result
}

// newTally returns the tally of a run on some targets.
func newTally(stderr io.Writer, targets, scenarios int) *tally {
	t := &tally{stderr: stderr, thing: "scenario", all: targets * scenarios}
	if targets > 1 {
		t.thing = "session"
	}
	t.progress = terminal.NewProgress(stderr, t.thing)
	return t
}

// add counts a result.
func (t *tally) add(done, all int, r *suite.Result) {
	t.done, t.all = done, all
	switch r.Status {
	case suite.Pass:
		t.holding++
	case suite.Fail:
		t.failures = append(t.failures, r)
	case suite.KnownFailing:
		t.known++
	case suite.NotApplicable:
		t.apart++
	default:
		t.unclear++
	}
	t.progress.Set(done, all, t.failing())
}

// failing says how many fail, and apart from them how many are known to; "" if none does.
func (t *tally) failing() string {
	var parts []string
	switch n := len(t.failures); {
	case n == 1:
		parts = append(parts, "1 fails")
	case n > 1:
		parts = append(parts, fmt.Sprintf("%d fail", n))
	}
	switch {
	case t.known == 1:
		parts = append(parts, "1 fails as known")
	case t.known > 1:
		parts = append(parts, fmt.Sprintf("%d fail as known", t.known))
	}
	return strings.Join(parts, ", ")
}

// stopped prints the failures so far and returns the error of a run that ended before its time.
// More, if it is not empty, is what else there is to say.
func (t *tally) stopped(more string) error {
	for _, r := range t.failures {
		fmt.Fprintf(t.stderr, "FAIL %s on %s: %s\n", r.Scenario, r.Target, terminal.Printable(r.Reason))
	}
	parts := []string{fmt.Sprintf("%d hold", t.holding)}
	if t.holding == 1 {
		parts[0] = "1 holds"
	}
	if failing := t.failing(); failing != "" {
		parts = append(parts, failing)
	}
	switch {
	case t.apart == 1:
		parts = append(parts, "1 does not apply")
	case t.apart > 1:
		parts = append(parts, fmt.Sprintf("%d do not apply", t.apart))
	}
	if t.unclear > 0 {
		parts = append(parts, fmt.Sprintf("%d inconclusive", t.unclear))
	}
	if more != "" {
		parts = append(parts, more)
	}
	return &stoppedError{fmt.Sprintf("after %d of %s: %s", t.done, terminal.Count(t.all, t.thing), strings.Join(parts, ", "))}
}
