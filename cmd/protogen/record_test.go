package main

import (
	"testing"

	"github.com/ccwire/ccwire/internal/conformance"
	"github.com/ccwire/ccwire/internal/conformance/scenario"
	"github.com/ccwire/ccwire/internal/conformance/scenarios"
	"github.com/ccwire/ccwire/internal/conformance/sim/simtarget"
)

func TestAScenarioThatIsPlayedTwiceIsOneRecording(t *testing.T) {
	target, err := simtarget.New()
	if err != nil {
		t.Fatal(err)
	}
	all, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := conformance.Select(all, []conformance.Glob{"turn/text", "turn/multi"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	session := recordSession{out: t.TempDir()}
	_, err = conformance.Run(t.Context(), conformance.Options{
		Scenarios: chosen, Targets: []conformance.Target{target},
		Keep: func(t conformance.Target, s *scenario.Scenario, p *conformance.Played) {
			session.keep(t, s, p)
			session.keep(t, s, p)
		},
	})
	if err != nil || session.fault != nil || len(session.written) != 2 {
		t.Errorf("%d written, %v, %v", len(session.written), session.fault, err)
	}
}
