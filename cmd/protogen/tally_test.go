package main

import (
	"bytes"
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
		const want = "stopped after 4 of 6 sessions: 1 holds, 1 fails, 1 fails as known, and more; nothing is left running"
		if err := tally.stopped("and more"); err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
		if want := "FAIL turn/text on 2.1.325: it is \\x1bother\n"; stderr.String() != want {
			t.Errorf("got %q, want %q", stderr.String(), want)
		}
	})
}
