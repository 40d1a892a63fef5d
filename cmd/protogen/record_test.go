package main

import (
	"testing"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/simtarget"
)

func TestAScenarioThatIsPlayedTwiceIsOneRecording(t *testing.T) {
	target, err := simtarget.New()
	if err != nil {
		t.Fatal(err)
	}
	all, err := scenario.All()
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := suite.Select(all, []suite.Glob{"turn/text", "turn/multi"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	session := recordSession{out: t.TempDir()}
	_, err = suite.Run(t.Context(), suite.Options{
		Scenarios: chosen, Targets: []suite.Target{target},
		Keep: func(t suite.Target, s *scenario.Scenario, p *suite.Played) {
			session.keep(t, s, p)
			session.keep(t, s, p)
		},
	})
	if err != nil || session.fault != nil || len(session.written) != 2 {
		t.Errorf("%d written, %v, %v", len(session.written), session.fault, err)
	}
}
