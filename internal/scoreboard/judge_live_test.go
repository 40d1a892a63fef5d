//go:build live

package scoreboard

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/sdk"
	"github.com/ccwire/ccwire/internal/suite/sdk/sdktest"
)

// parallel is how many cases run at once: a case that fails waits rather than works.
const parallel = 4

func TestLiveSDKsAreJudged(t *testing.T) {
	all, err := sdk.All()
	if err != nil {
		t.Fatal(err)
	}
	var scores []score
	for _, j := range judged {
		subject := sdktest.Subject("ccwire")
		if i := slices.IndexFunc(drivers, func(d driver) bool { return d.Folder == j.folder }); i >= 0 {
			subject.Args = drivers[i].command(t)
		}
		if err := subject.Probe(t.Context()); err != nil {
			t.Fatalf("%s: %v", j.name, err)
		}
		report, err := sdk.Run(t.Context(), sdk.Options{Scenarios: all, Subject: subject, Parallel: parallel, Known: knownFailing(t, j.folder)})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d scenarios in %v", subject.Target(), len(report.Results), report.Duration.Round(time.Second))
		s := score{SDK: subject.Name, Version: subject.Version, Results: map[string]suite.Status{}}
		for _, r := range report.Results {
			s.Results[r.Scenario] = r.Status
			if r.Status == suite.Fail {
				t.Errorf("%s: %s: %s (line %d: %s)", r.Target, r.Scenario, r.Reason, r.Line, r.Step)
			}
		}
		for _, p := range report.Problems {
			t.Error(p)
		}
		scores = append(scores, s)
	}
	if !*update {
		if diff := cmp.Diff(readScores(t), scores); diff != "" {
			t.Errorf("%s is not what was seen (-want +got): run %s\n%s", scoresFile, remake, diff)
		}
		return
	}
	if t.Failed() {
		t.Fatalf("%s is left as it was", scoresFile)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "\t")
	if err := enc.Encode(scores); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{scoresFile: b.Bytes(), pageFile: page(t, scores)} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
