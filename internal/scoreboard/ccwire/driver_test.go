package ccwire

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/sdk"
	"github.com/ccwire/ccwire/internal/suite/sdk/sdktest"
)

func TestMain(m *testing.M) {
	sdktest.Main(map[string]func([]string) int{"ccwire": func([]string) int {
		SDK.Main()
		return 0
	}})
	os.Exit(m.Run())
}

// sample is how many scenarios are left out between two that are played with -short.
const sample = 8

// notForUs are scenarios that suppose what transport does not do.
var notForUs = []string{
	"answer/no-permission-callback", // no CLI is told to ask if nobody can answer
}

func TestOurTransportPassesEveryScenario(t *testing.T) {
	all, err := sdk.All()
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() { // make test-all plays all
		var some []*sdk.Scenario
		for i := 0; i < len(all); i += sample {
			some = append(some, all[i])
		}
		all = some
	}
	subject := sdktest.Subject("ccwire")
	if err := subject.Probe(context.Background()); err != nil {
		t.Fatal(err)
	}
	report, err := sdk.Run(context.Background(), sdk.Options{Scenarios: all, Subject: subject, Step: time.Minute, Timeout: 2 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if open := slices.Contains(notForUs, r.Scenario); open != (r.Status == suite.Inconclusive) || !open && r.Status != suite.Pass {
			t.Errorf("%s: %s: %s (line %d: %s)", r.Scenario, r.Status, r.Reason, r.Line, r.Step)
		}
	}
	t.Logf("%d scenarios in %v", len(report.Results), report.Duration)
}
