package differ_test

import (
	"context"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/differ"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// slowOnce is a CLI that says nothing the first times, as on a machine that is busy.
type slowOnce struct {
	suite.Target
	slow *atomic.Int32 // how many starts are slow
}

func (s slowOnce) Start(ctx context.Context, sc *scenario.Scenario) (suite.Peer, error) {
	if s.slow.Add(-1) >= 0 {
		return planted{s.Target, `"type":"result"`, `"type":"later"`}.Start(ctx, sc)
	}
	return s.Target.Start(ctx, sc)
}

func TestASessionThatWasLateIsPlayedAgainAndOnlyThatCounts(t *testing.T) {
	target := newTarget(t)
	simulated := slowOnce{target, new(atomic.Int32)}
	simulated.slow.Store(2) // both plays of the first time
	var told []bool
	batch := &differ.Batch{
		Pair:     &differ.Pair{Real: target, Simulated: simulated, Limit: 4 * time.Second},
		Parallel: 2,
		Told:     func(_ *scenario.Scenario, out *differ.Outcome, _ error) { told = append(told, out.Late) },
	}
	out := batch.Play(t.Context(), []*scenario.Scenario{parse(t, session)})
	if len(told) != 2 || !told[0] || told[1] {
		t.Errorf("late: %v, want a play that is late and one that is not", told)
	}
	if out[0] == nil || !out[0].Same() {
		t.Errorf("the session differs: %s", out[0].Text(true))
	}
}

func TestNoSessionBeginsWhenTheTimeIsOver(t *testing.T) {
	target := newTarget(t)
	batch := &differ.Batch{Pair: &differ.Pair{Real: target, Simulated: target}, Within: 1}
	out := batch.Play(t.Context(), []*scenario.Scenario{parse(t, session), parse(t, session), parse(t, session)})
	if out[2] != nil {
		t.Error("the last session was played after the time was over")
	}
}

func TestASessionThatCannotBePlayedHasNoOutcome(t *testing.T) {
	target := newTarget(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var errs []string
	batch := &differ.Batch{
		Pair: &differ.Pair{Real: target, Simulated: target},
		Told: func(_ *scenario.Scenario, _ *differ.Outcome, err error) { errs = append(errs, err.Error()) },
	}
	if out := batch.Play(ctx, []*scenario.Scenario{parse(t, session)}); out[0] != nil || !strings.Contains(strings.Join(errs, ""), "cancel") {
		t.Errorf("got %v, errors %q", out[0], errs)
	}
}

func TestTheChanceOfFewThatAreTheSame(t *testing.T) {
	for _, tt := range []struct {
		same, played int
		share, want  float64
	}{
		{0, 1, 0.95, 0.05},
		{1, 1, 0.95, 1},
		{1, 2, 0.5, 0.75},
		{1, 3, 0.5, 0.5},
		{0, 0, 0.95, 1},
	} {
		if got := differ.Chance(tt.same, tt.played, tt.share); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%d of %d at %v: %v, want %v", tt.same, tt.played, tt.share, got, tt.want)
		}
	}
}
