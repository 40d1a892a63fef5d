package sdk_test

import (
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/sdk"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
	"github.com/ccwire/ccwire/internal/suite/sdk/sdktest"
)

func builtin(t *testing.T) []*sdk.Scenario {
	t.Helper()
	all, err := sdk.All()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestNoScenarioSaysAnythingOfASubjectThatDoesNothing(t *testing.T) {
	var alone []*sdk.Scenario
	for _, s := range builtin(t) {
		if s.Always() != "" {
			continue
		}
		c := *s
		c.Basic = append([]string{"program"}, driver.Features...) // it builds on none
		alone = append(alone, &c)
	}
	for _, spawn := range []bool{false, true} {
		subject := sdktest.Subject("nothing")
		subject.Spawn = spawn
		if err := subject.Probe(t.Context()); err != nil {
			t.Fatal(err)
		}
		report, err := sdk.Run(t.Context(), sdk.Options{Scenarios: alone, Subject: subject, Step: 200 * time.Millisecond, NoRetry: true})
		if err != nil {
			t.Fatal(err)
		}
		judged := 0
		for _, r := range report.Results {
			if r.Status == suite.Inconclusive {
				judged++
			} else if r.Status != suite.NotApplicable || !spawn {
				t.Errorf("%s: %s %s", r.Scenario, r.Status, r.Reason)
			}
		}
		if judged < 30 || len(report.Problems) != 1 {
			t.Errorf("%d are inconclusive, the problems are %q", judged, report.Problems)
		}
		report.WantJudged()
		if report.OK() {
			t.Error("a run that has judged nothing passes")
		}
	}
}

func TestARuleOfEverySessionIsNotJudgedWithoutASession(t *testing.T) {
	for _, s := range builtin(t) {
		if s.Always() == "" {
			continue
		}
		j := sdk.NewJudge(sdk.Options{Subject: &sdk.Subject{Features: driver.Features}})
		if r := j.Play(t.Context(), s); r.Status != suite.Inconclusive {
			t.Errorf("%s: %s", s.Name, r.Status)
		}
	}
}
