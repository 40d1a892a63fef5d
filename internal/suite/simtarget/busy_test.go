package simtarget_test

import (
	"runtime"
	"slices"
	"testing"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// TestAShellThatEndsAtOnceIsToldAfterTheModelWasAsked plays many sessions at once, in which a
// command in the background has often ended before the turn goes on.
func TestAShellThatEndsAtOnceIsToldAfterTheModelWasAsked(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays a scenario many times; make test-all runs it")
	}
	all, err := scenario.All()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(s *scenario.Scenario) bool { return s.Name == "turn/notification-in-turn" })
	many := slices.Repeat(all[i:i+1], 32)
	for _, r := range play(t, "", many, 16*runtime.NumCPU(), 0).Results {
		if r.Status != suite.Pass {
			t.Fatal(r.Reason)
		}
	}
}
