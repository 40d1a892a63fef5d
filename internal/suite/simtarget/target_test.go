package simtarget_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/recording/capture"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/simtarget"
)

var (
	survey = flag.String("survey", "", "print which scenarios hold and the first difference of the others: all, or areas and names with commas")
	older  = flag.String("cli", "", "the version of the CLI that is surveyed; the newest if it is not given")
	wait   = flag.Duration("wait", 0, "how long a scenario may take in a survey")
)

// TestTheSimulatedCLIGoesTheWayOfTheRecordings plays every scenario on the simulated CLI: it must
// hold, and what is written must be as it was recorded of the real CLI. known-failing.txt and
// other-course.txt list what is otherwise, with a reason each; what they list and is not so fails
// the test too.
func TestTheSimulatedCLIGoesTheWayOfTheRecordings(t *testing.T) {
	all, err := scenario.All()
	if err != nil {
		t.Fatal(err)
	}
	if *survey != "" {
		printSurvey(play(t, *older, chosen(all), 64, *wait))
		return
	}
	if testing.Short() { // make test-all plays all
		all = slices.DeleteFunc(slices.Clone(all), func(s *scenario.Scenario) bool { return !sample[s.Name] })
		if len(all) != len(sample) {
			t.Errorf("%d scenarios of the sample are there, want %d", len(all), len(sample))
		}
	}
	failing, err := simtarget.Known(false)
	if err != nil {
		t.Fatal(err)
	}
	known, err := simtarget.Known(true)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range play(t, "", all, 6, 0).Results {
		holds := r.Status == suite.Pass || strings.HasPrefix(r.Reason, "it holds, but")
		switch {
		case r.Status == suite.NotApplicable:
		case r.Status == suite.Fail && !lists(known, r.Scenario):
			t.Errorf("%s: %s", r.Scenario, r.Reason)
		case r.Status == suite.Pass && lists(known, r.Scenario):
			t.Errorf("%s goes the way of its recording: take it off the list", r.Scenario)
		case holds == lists(failing, r.Scenario):
			t.Errorf("%s is on the wrong list: %s", r.Scenario, r.Reason)
		}
	}
}

// lists reports whether a list has a scenario.
func lists(k suite.Known, name string) bool {
	return slices.ContainsFunc(k, func(e suite.KnownEntry) bool { return e.Pattern.Match(name) })
}

// sample are the scenarios that are played in short mode: one of each kind of thing.
var sample = map[string]bool{
	"control/set-model": true, "control/get-settings": true, "end/sigterm": true, "end/eof-pending-ask": true, "handshake/initialize": true,
	"hook/pre-tool-use-deny": true, "hook/stop-block": true, "host/ui-prompt": true, "input/malformed-json": true, "interrupt/mid-stream": true,
	"interrupt/pending-ask": true, "mcp/call": true, "order/simple-in-order": true, "permission/allow": true, "permission/deny": true,
	"stream/partial-messages": true, "stream/thinking-deltas": true, "turn/api-error-400": true, "turn/compact": true, "turn/multi": true,
	"turn/resume": true, "turn/subagent": true, "turn/text": true, "turn/tool-use": true,
}

func play(t *testing.T, version string, list []*scenario.Scenario, parallel int, limit time.Duration) *suite.Report {
	t.Helper()
	target, err := simtarget.Older(version)
	if err != nil {
		t.Fatal(err)
	}
	report, err := suite.Run(t.Context(), suite.Options{
		Scenarios: list, Targets: []suite.Target{target}, Judge: capture.Judge, Parallel: parallel, Timeout: limit,
	})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// chosen are the scenarios of a survey.
func chosen(all []*scenario.Scenario) []*scenario.Scenario {
	names := strings.Split(*survey, ",")
	return slices.DeleteFunc(slices.Clone(all), func(s *scenario.Scenario) bool {
		area, _, _ := strings.Cut(s.Name, "/")
		return *survey != "all" && !slices.Contains(names, area) && !slices.Contains(names, s.Name)
	})
}

// printSurvey prints what there is left to do.
func printSurvey(report *suite.Report) {
	holds, all, reasons := map[string]int{}, map[string]int{}, map[string]string{}
	for _, r := range report.Results {
		area, _, _ := strings.Cut(r.Scenario, "/")
		if r.Status == suite.NotApplicable {
			continue
		}
		all[area]++
		if r.Status == suite.Pass {
			holds[area]++
		} else {
			reasons[r.Scenario] = r.Reason
		}
	}
	for _, name := range slices.Sorted(maps.Keys(reasons)) {
		fmt.Fprintf(os.Stderr, "%s: %s\n", name, reasons[name])
	}
	for _, area := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(os.Stderr, "%-12s %3d of %3d\n", area, holds[area], all[area])
	}
}
