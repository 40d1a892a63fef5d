package simtarget_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/sim/release"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/simtarget"
)

// TestOlderVersionsGoTheWayOfTheirRecordings plays the scenarios of each older version on the
// simulated CLI as that version: they must hold, and what is written must be as it was recorded of
// the real one. The lists in the folder older say what is otherwise; what they list and is not so
// fails the test too.
func TestOlderVersionsGoTheWayOfTheirRecordings(t *testing.T) {
	all, err := scenario.All()
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() { // make test-all plays all
		all = slices.DeleteFunc(slices.Clone(all), func(s *scenario.Scenario) bool { return !sample[s.Name] })
	}
	versions := release.Versions()
	for _, version := range versions[:len(versions)-1] {
		t.Run(version, func(t *testing.T) {
			failing, err := simtarget.KnownOlder(version, false)
			if err != nil {
				t.Fatal(err)
			}
			known, err := simtarget.KnownOlder(version, true)
			if err != nil {
				t.Fatal(err)
			}
			varied, err := simtarget.Varied(version, all)
			if err != nil {
				t.Fatal(err)
			}
			played := 0
			for _, r := range play(t, version, varied, 6, 0).Results {
				if r.Status == suite.NotApplicable {
					continue
				}
				played++
				holds := r.Status == suite.Pass || strings.HasPrefix(r.Reason, "it holds, but")
				switch {
				case r.Status == suite.Fail && !lists(known, r.Scenario):
					t.Errorf("%s: %s", r.Scenario, r.Reason)
				case r.Status == suite.Pass && lists(always(known), r.Scenario):
					t.Errorf("%s goes the way of its recording: take it off the list", r.Scenario)
				case holds == lists(failing, r.Scenario):
					t.Errorf("%s is on the wrong list: %s", r.Scenario, r.Reason)
				}
			}
			if played == 0 && !testing.Short() { // the sample has none for the oldest
				t.Error("no scenario was played")
			}
		})
	}
}

// always are the entries for what never holds.
func always(k suite.Known) suite.Known {
	return slices.DeleteFunc(slices.Clone(k), func(e suite.KnownEntry) bool { return e.Sometimes })
}

func TestTheVersionsThatAreSimulatedAreThoseThatAreRecorded(t *testing.T) {
	if got, want := release.Versions(), corpus.Versions(); !slices.Equal(got, want) {
		t.Errorf("%s are simulated, %s are recorded", got, want)
	}
	if newest := release.Newest().String(); newest != corpus.Newest() {
		t.Errorf("the newest is %s, want %s", newest, corpus.Newest())
	}
}
