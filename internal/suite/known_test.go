package suite_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/suite"
)

// aRun is a report of four scenarios, as if it was made with a list of known failures.
func aRun(t *testing.T, list string) *suite.Report {
	t.Helper()
	known, err := suite.ParseKnown(strings.NewReader(list))
	if err != nil {
		t.Fatal(err)
	}
	r := &suite.Report{Targets: []string{"sdk"}}
	for _, res := range []suite.Result{
		{Scenario: "answer/hook", Status: suite.NotApplicable},
		{Scenario: "survive/noise", Status: suite.Fail, Reason: "no line\nof the SDK"},
		{Scenario: "survive/scalars", Status: suite.Pass},
		{Scenario: "survive/split", Status: suite.Fail, Reason: "it hangs"},
	} {
		res.Target = "sdk"
		r.Results = append(r.Results, res)
	}
	known.Apply(r, "1.2.0")
	return r
}

func TestWhatFailsSometimesMayPassAndFail(t *testing.T) {
	r := aRun(t, "survive/noise sometimes # a race\nsurvive/scalars [>=1.0.0] sometimes # another\n")
	if len(r.Problems) > 0 || r.Results[1].Status != suite.KnownFailing || r.Results[2].Status != suite.Pass {
		t.Errorf("%q, %s, %s", r.Problems, r.Results[1].Status, r.Results[2].Status)
	}
	if !strings.HasPrefix(r.Results[1].Reason, "a race: ") {
		t.Error(r.Results[1].Reason)
	}
}

// scenarioName is a scenario that has nothing but a name.
type scenarioName string

func (n scenarioName) FullName() string { return string(n) }

func TestAListMayBeForMoreThanIsChosen(t *testing.T) {
	known, err := suite.ParseKnown(strings.NewReader("a/one # chosen\na/two # not chosen\nb/* # no such\na/* # one of them\n"))
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range suite.Narrow(known, []scenarioName{"a/one", "a/two"}, []scenarioName{"a/one"}) {
		left = append(left, string(e.Pattern))
	}
	if diff := cmp.Diff([]string{"a/one", "b/*", "a/*"}, left); diff != "" {
		t.Error(diff)
	}
}

func TestAListIsRewrittenAsTheRunShows(t *testing.T) {
	all := []string{"answer/hook", "send/other", "survive/noise", "survive/scalars", "survive/split"}
	for _, test := range []struct{ name, list, want, change string }{
		{"none before", "", "survive/noise  # no line of the SDK\nsurvive/split  # it hangs\n", "+ survive/noise\n+ survive/split\n2 added, 0 dropped, 0 kept\n"},
		{
			"reasons and comments stay", "# Ours.\n\nsurvive/split   # issue 12\n", "# Ours.\n\nsurvive/split   # issue 12\nsurvive/noise  # no line of the SDK\n",
			"+ survive/noise\n1 added, 0 dropped, 1 kept\n",
		},
		{
			"what passes and what does not apply", "survive/noise # a\nsurvive/scalars # b\nanswer/hook # c\nsurvive/split # d\n", "survive/noise # a\nsurvive/split # d\n",
			"- survive/scalars: it passes\n- answer/hook: it does not apply\n0 added, 2 dropped, 2 kept\n",
		},
		{
			"a pattern", "survive  [>=1.0.0] # lines\n", "survive/noise  [>=1.0.0] # lines\nsurvive/split  [>=1.0.0] # lines\n",
			"- survive/scalars: it passes\n0 added, 1 dropped, 2 kept\n",
		},
		{
			"what was not played, does not exist, is for others", "send/other # x\nno/such # y\nsurvive/noise [<1.0.0] # z\nsurvive/s* sometimes # w\n",
			"send/other # x\nsurvive/s* sometimes # w\nsurvive/noise  # no line of the SDK\n",
			"+ survive/noise\n- no/such: there is no such scenario\n- survive/noise: it is for other versions\n1 added, 2 dropped, 2 kept\n",
		},
		{
			"twice", "survive/noise # a\nnoise # b\nsurvive/split # c\n", "survive/noise # a\nsurvive/split # c\n",
			"- noise: a line before it has what it is for\n0 added, 1 dropped, 2 kept\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, change, err := suite.RewriteKnown(test.list, aRun(t, test.list), "1.2.0", all)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want+test.change, got+change.String()); diff != "" {
				t.Error(diff)
			}
			// A second run of the same finds nothing to change.
			_, again, err := suite.RewriteKnown(got, aRun(t, got), "1.2.0", all)
			if err != nil || len(again.Added)+len(again.Dropped) > 0 {
				t.Errorf("%v, %s", err, again)
			}
		})
	}
}
