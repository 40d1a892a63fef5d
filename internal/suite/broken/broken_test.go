package broken

import (
	"slices"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/replay"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

func TestEachBrokenCLIIsCaughtByTheScenariosThatNameIt(t *testing.T) {
	all, err := scenario.All()
	if err != nil {
		t.Fatal(err)
	}
	target, err := replay.NewTarget()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		for _, name := range s.Catches {
			if breakages[name] == nil {
				t.Errorf("%s catches %q, which is not a broken CLI", s.Name, name)
			}
		}
	}
	for name := range breakages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var naming []*scenario.Scenario
			for _, s := range all {
				if slices.Contains(s.Catches, name) {
					naming = append(naming, s)
				}
			}
			if len(naming) == 0 {
				t.Fatal("no scenario names it")
			}
			timeout := 20 * time.Second
			if name == "hang" {
				timeout = 500 * time.Millisecond // what is caught is that nothing comes
			}
			report, err := suite.Run(t.Context(), suite.Options{
				Scenarios: naming, Targets: []suite.Target{broken(target, name)}, Timeout: timeout,
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range report.Results {
				if r.Status != suite.Fail {
					t.Errorf("%s does not notice it: %s", r.Scenario, r.Status)
				}
				t.Logf("%s: %s", r.Scenario, r.Reason)
			}
		})
	}
}
