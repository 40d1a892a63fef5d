package main

import (
	"bytes"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ccwire/ccwire/internal/suite"
)

func TestALongRunSaysHowFarItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stderr bytes.Buffer
		tally := newTally(&stderr, 2, 3)
		results := []suite.Result{
			{Scenario: "turn/text", Target: "2.1.200", Status: suite.Pass},
			{Scenario: "turn/text", Target: "2.1.325", Status: suite.Fail, Reason: "it is \x1bother"},
			{Scenario: "turn/multi", Target: "2.1.200", Status: suite.KnownFailing},
			{Scenario: "turn/multi", Target: "2.1.325", Status: suite.NotApplicable},
		}
		for i := range results {
			time.Sleep(10 * time.Second)
			tally.add(i+1, 6, &results[i])
		}
		if want := "2 of 6 sessions, 1 fails\n4 of 6 sessions, 1 fails, 1 fails as known\n"; stderr.String() != want {
			t.Errorf("got %q, want %q", stderr.String(), want)
		}
		stderr.Reset()
		const want = "stopped after 4 of 6 sessions: 1 holds, 1 fails, 1 fails as known, 1 does not apply, and more; nothing is left running"
		if err := tally.stopped("and more"); err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
		if want := "FAIL turn/text on 2.1.325: it is \\x1bother\n"; stderr.String() != want {
			t.Errorf("got %q, want %q", stderr.String(), want)
		}
	})
}

func TestProgressSaysKnownFailuresApartFromNewOnes(t *testing.T) {
	for _, tt := range []struct {
		name       string
		fail, know int
		want       string
	}{
		{"none", 0, 0, ""},
		{"one that is known", 0, 1, "1 fails as known"},
		{"known ones alone", 0, 18, "18 fail as known"},
		{"new ones alone", 2, 0, "2 fail"},
		{"both", 1, 18, "1 fails, 18 fail as known"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tally := newTally(io.Discard, 1, 20)
			for i := range tt.fail + tt.know {
				r := &suite.Result{Status: suite.KnownFailing}
				if i < tt.fail {
					r.Status = suite.Fail
				}
				tally.add(i+1, 20, r)
			}
			if got := tally.failing(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
