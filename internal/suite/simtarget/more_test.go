package simtarget_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/simtarget"
)

// TestMoreOfTheCLI plays what the CLI 2.1.325 was seen to do, and what is the simulator's own,
// where no scenario of the suite shows it.
func TestMoreOfTheCLI(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no scenarios", err)
	}
	var all []*scenario.Scenario
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := scenario.Parse("sim/"+strings.TrimSuffix(filepath.Base(file), ".txtar"), data)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	target, err := simtarget.New()
	if err != nil {
		t.Fatal(err)
	}
	report, err := suite.Run(t.Context(), suite.Options{Scenarios: all, Targets: []suite.Target{target}, Parallel: 16})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Status != suite.Pass {
			t.Errorf("%s: %s", r.Scenario, r.Reason)
		}
	}
}
