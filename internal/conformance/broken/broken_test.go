package broken

import (
	"slices"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/conformance"
	"github.com/ccwire/ccwire/internal/conformance/replay"
	"github.com/ccwire/ccwire/internal/conformance/scenario"
	"github.com/ccwire/ccwire/internal/conformance/scenarios"
)

func TestEachBrokenCLIIsCaughtByTheScenariosThatNameIt(t *testing.T) {
	all, err := scenarios.All()
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
			report, err := conformance.Run(t.Context(), conformance.Options{
				Scenarios: naming, Targets: []conformance.Target{broken(target, name)}, Timeout: timeout,
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range report.Results {
				if r.Status != conformance.Fail {
					t.Errorf("%s does not notice it: %s", r.Scenario, r.Status)
				}
				t.Logf("%s: %s", r.Scenario, r.Reason)
			}
		})
	}
}
