package suite_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// slowTarget is a CLI that does not start in time the first times.
type slowTarget struct {
	suite.Target
	late  int // how often
	plays int
}

func (t *slowTarget) Start(ctx context.Context, s *scenario.Scenario) (suite.Peer, error) {
	if t.plays++; t.plays <= t.late {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	return t.Target.Start(ctx, s)
}

// quickTarget has a limit of its own.
type quickTarget struct{ *slowTarget }

func (quickTarget) Limit() time.Duration { return time.Second }

func TestWhatACLIFailsByItsTimeAloneIsPlayedAgain(t *testing.T) {
	const twice = "; played twice, the second time alone and with 3 times the time"
	for _, tt := range []struct {
		name          string
		late          int
		known         string
		quick         bool
		want          suite.Status
		reason, first string
		plays         int
	}{
		{"slow by chance", 1, "", false, suite.Pass, "", "timeout after 1m0s", 2},
		{"slow", 9, "", false, suite.Fail, "timeout after 3m0s" + twice, "timeout after 1m0s", 2},
		{"known to fail", 9, "turn/text # it hangs\n", false, suite.KnownFailing, "timeout after 1m0s", "", 1},
		{"quick or never", 1, "", true, suite.Fail, "timeout after 1s", "", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			chosen := choose(t, "turn/text")
			known, err := suite.ParseKnown(strings.NewReader(tt.known))
			if err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) {
				slow := &slowTarget{Target: simulated(t), late: tt.late}
				var target suite.Target = slow
				if tt.quick {
					target = quickTarget{slow}
				}
				var progress []suite.Status
				report, err := suite.Run(t.Context(), suite.Options{
					Scenarios: chosen, Targets: []suite.Target{target}, Known: known,
					Progress: func(_, _ int, r *suite.Result) { progress = append(progress, r.Status) },
				})
				if err != nil {
					t.Fatal(err)
				}
				r := report.Results[0]
				if r.Status != tt.want || !strings.HasSuffix(r.Reason, tt.reason) || r.First != tt.first || slow.plays != tt.plays {
					t.Errorf("%s: %q (first %q), %d plays", r.Status, r.Reason, r.First, slow.plays)
				}
				if (len(report.Notes) > 0) != (tt.first != "") || len(progress) != 1 {
					t.Errorf("the notes are %q, the progress %v: only the last play counts", report.Notes, progress)
				}
			})
		})
	}
}
