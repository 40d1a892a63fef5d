package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ccwire/ccwire/conformance"
)

func TestTheSimulatedCLIKeepsThePermissionScenarios(t *testing.T) {
	conformance.Test(t, conformance.Simulated(), &conformance.Options{Run: []string{"permission"}})
}

func TestARunReportsWhatTheCommandPrints(t *testing.T) {
	html := filepath.Join(t.TempDir(), "report.html")
	seen := 0
	report, err := conformance.Run(t.Context(), conformance.Simulated(), &conformance.Options{
		Run: []string{"turn/text", "interrupt/*"}, Skip: []string{"interrupt/[a-l]*"}, HTML: html,
		Progress: func(done, all int, r conformance.Result) { seen++ },
	})
	if err != nil {
		t.Fatal(err)
	}
	if !report.OK() || len(report.Results) < 2 || seen != len(report.Results) || !strings.HasPrefix(report.Target, "simulated") {
		t.Errorf("%d results, %d seen, of %s: %v", len(report.Results), seen, report.Target, report.Problems)
	}
	for _, r := range report.Results {
		if r.Scenario != "turn/text" && !strings.HasPrefix(r.Scenario, "interrupt/") || r.Scenario < "interrupt/m" {
			t.Errorf("%s was played", r.Scenario)
		}
	}
	var text, object bytes.Buffer
	if err := errors.Join(report.WriteText(&text), report.WriteJSON(&object)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "scenarios: ") || !json.Valid(object.Bytes()) {
		t.Errorf("%s\n%s", text.String(), object.String())
	}
	if page, err := os.ReadFile(html); err != nil || !bytes.Contains(page, []byte("turn")) {
		t.Errorf("the page: %v, %d bytes", err, len(page))
	}
}

func TestWhatCannotBeJudgedIsAnError(t *testing.T) {
	for name, test := range map[string]struct {
		cli  conformance.CLI
		o    conformance.Options
		want string
	}{
		"no CLI":                  {conformance.CLI{}, conformance.Options{}, "no CLI"},
		"a program that is not":   {conformance.Installed("/does/not/exist"), conformance.Options{}, "not found"},
		"a pattern for nothing":   {conformance.Simulated(), conformance.Options{Run: []string{"permision"}}, "permision"},
		"an area with a slash":    {conformance.Simulated(), conformance.Options{Run: []string{"hook/"}}, "did you mean hook"},
		"a time below zero":       {conformance.Simulated(), conformance.Options{Timeout: -1}, "must not be negative"},
		"scenarios for SDKs":      {conformance.Simulated(), conformance.Options{Scenarios: fstest.MapFS{}}, "is for SDKs"},
		"a version that is not":   {conformance.Simulated(), conformance.Options{Run: []string{"turn/text"}, Version: "new"}, "Version"},
		"a list without a reason": {conformance.Simulated(), conformance.Options{KnownFailing: "turn/text"}, "KnownFailing: line 1"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := conformance.Run(t.Context(), test.cli, &test.o); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

func TestAKnownFailureThatPassesIsAProblem(t *testing.T) {
	report, err := conformance.Run(t.Context(), conformance.Simulated(), &conformance.Options{
		Run: []string{"turn/text"}, KnownFailing: "turn/text # it was so once\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	if report.OK() || len(report.Problems) != 1 || !strings.Contains(report.Problems[0], "turn/text") {
		t.Errorf("%v", report.Problems)
	}
}

func TestAScenarioForOtherVersionsIsNotApplicable(t *testing.T) {
	report, err := conformance.Run(t.Context(), conformance.Simulated(), &conformance.Options{
		Run: []string{"host"}, Version: "1.0.128", IgnoreRecordings: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := report.Count(conformance.NotApplicable); n != len(report.Results) || !strings.Contains(report.Results[0].Reason, "only for") {
		t.Errorf("%d of %d do not apply: %+v", n, len(report.Results), report.Results[0])
	}
	if report.OK() || !strings.Contains(strings.Join(report.Problems, "\n"), "nothing was judged") {
		t.Errorf("it passes although nothing was judged: %q", report.Problems)
	}
}

func TestAListOfKnownFailuresMayBeForMoreThanIsPlayed(t *testing.T) {
	report, err := conformance.Run(t.Context(), conformance.Simulated(), &conformance.Options{
		Run: []string{"turn/text"}, KnownFailing: "hook/timeout # for another run\nno/such # nothing\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Problems) != 1 || !strings.Contains(report.Problems[0], "no/such") {
		t.Errorf("%q", report.Problems)
	}
}

func TestTheEndOfTheContextEndsARun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, err := conformance.Run(ctx, conformance.Simulated(), &conformance.Options{
		Progress: func(int, int, conformance.Result) { cancel() },
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
