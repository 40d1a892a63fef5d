package scoreboard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/suite"
)

const (
	historyFile = "history.json"
	remakeHist  = "make history"
)

// A release is a version of an SDK on a registry.
type release struct {
	SDK     string `json:"sdk"` // as in the names of drivers
	Version string `json:"version"`
	Other   bool   `json:"other,omitempty"` // it is not official
	Page    string `json:"page"`            // where the registry shows it
}

func (r release) String() string { return r.SDK + "@" + r.Version }

// A verdict is what came of the last run of a release that was written down.
type verdict struct {
	release
	Areas  map[string]*areaCount `json:"areas"`
	Causes []cause               `json:"causes,omitempty"` // most scenarios first
}

type areaCount struct {
	Passed        int `json:"passed"`
	Failed        int `json:"failed"`
	Inconclusive  int `json:"inconclusive,omitempty"`
	NotApplicable int `json:"not_applicable,omitempty"`
}

// A cause is what one or more scenarios fail of.
type cause struct {
	Cause     string   `json:"cause"`
	Scenarios []string `json:"scenarios"`
}

// judgedAs sums up the results of a release.
func judgedAs(r release, results []suite.Result) verdict {
	v := verdict{release: r, Areas: map[string]*areaCount{}}
	for i := range results {
		r := &results[i]
		name, _, _ := strings.Cut(r.Scenario, "/")
		if v.Areas[name] == nil {
			v.Areas[name] = &areaCount{}
		}
		switch a := v.Areas[name]; r.Status {
		case suite.Pass:
			a.Passed++
		case suite.NotApplicable:
			a.NotApplicable++
		case suite.Inconclusive:
			a.Inconclusive++
		default:
			a.Failed++
			v.blame(causeOf(r), r.Scenario)
		}
	}
	slices.SortStableFunc(v.Causes, func(a, b cause) int { return len(b.Scenarios) - len(a.Scenarios) })
	return v
}

func (v *verdict) blame(what, scenario string) {
	i := slices.IndexFunc(v.Causes, func(c cause) bool { return c.Cause == what })
	if i < 0 {
		v.Causes = append(v.Causes, cause{what, []string{scenario}})
		return
	}
	v.Causes[i].Scenarios = append(v.Causes[i].Scenarios, scenario)
}

// causeOf returns what the report names as the cause of a failure; what is the failure of its own
// rule alone has the name of the scenario.
func causeOf(r *suite.Result) string {
	if r.Cause != "" {
		return r.Cause
	}
	return r.Scenario
}

func (v *verdict) total() (n areaCount) {
	for _, a := range v.Areas {
		n.Passed += a.Passed
		n.Failed += a.Failed
		n.Inconclusive += a.Inconclusive
		n.NotApplicable += a.NotApplicable
	}
	return n
}

func readHistory(t *testing.T) (all []verdict) {
	t.Helper()
	data, err := os.ReadFile(historyFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// history writes the sections about releases and about SDKs by others.
func history(b *bytes.Buffer, all []verdict) {
	fmt.Fprintf(b, `
## History

Releases of the official SDKs, by today's scenarios; each is driven by what its own version has.
`+"`%s`"+` judges them and writes this; `+"`%[1]s ONLY=SDK@VERSION`"+` judges one, and shows each
failure. Passed, of those that apply.

`, remakeHist)
	historyTable(b, all, false)
	b.WriteString("\n## SDKs by others\n\nTheir drivers are in `internal/scoreboard/others`, with the versions that they are for.\n\n")
	historyTable(b, all, true)
}

func historyTable(b *bytes.Buffer, all []verdict, others bool) {
	b.WriteString("| release |")
	for _, a := range areas {
		b.WriteString(" `" + a.name + "` |")
	}
	b.WriteString(" failed | inconclusive | not applicable | most frequent causes |\n| --- |" + strings.Repeat(" --- |", len(areas)+4) + "\n")
	for _, v := range all {
		if v.Other != others {
			continue
		}
		fmt.Fprintf(b, "| [%s %s](%s) |", v.SDK, v.Version, v.Page)
		for _, a := range areas {
			n := v.Areas[a.name]
			if n == nil {
				n = &areaCount{}
			}
			fmt.Fprintf(b, " %d of %d |", n.Passed, n.Passed+n.Failed)
		}
		n := v.total()
		var most []string
		for _, c := range v.Causes[:min(3, len(v.Causes))] {
			most = append(most, fmt.Sprintf("%s (%d)", strings.ReplaceAll(c.Cause, "|", `\|`), len(c.Scenarios)))
		}
		fmt.Fprintf(b, " %d | %d | %d | %s |\n", n.Failed, n.Inconclusive, n.NotApplicable, strings.Join(most, "; "))
	}
}

func TestNoReleaseFailsEverythingForOneCause(t *testing.T) {
	for _, v := range readHistory(t) {
		if n := v.total(); n.Passed == 0 && len(v.Causes) == 1 {
			t.Errorf("%s fails all %d scenarios that apply, for one cause: %s", v, n.Failed, v.Causes[0].Cause)
		}
	}
}

func TestFailuresOfOneReasonAreOneCause(t *testing.T) {
	v := judgedAs(release{SDK: "an-sdk", Version: "1.0.0"}, []suite.Result{
		{Scenario: "send/a", Status: suite.Pass},
		{Scenario: "send/b", Status: suite.Fail, Reason: "no line of the SDK that matches x"},
		{Scenario: "end/c", Status: suite.Fail, Reason: "read does not end", Cause: "the SDK does not read"},
		{Scenario: "end/d", Status: suite.Fail, Reason: "no line of the SDK that matches x", Cause: "the SDK does not read"},
		{Scenario: "end/e", Status: suite.Inconclusive, Reason: "the fault did not fire"},
		{Scenario: "end/f", Status: suite.NotApplicable},
	})
	want := []cause{{"the SDK does not read", []string{"end/c", "end/d"}}, {"send/b", []string{"send/b"}}}
	if got, want := fmt.Sprint(v.Causes), fmt.Sprint(want); got != want {
		t.Errorf("causes: %s, want %s", got, want)
	}
	if got, want := v.total(), (areaCount{Passed: 1, Failed: 3, Inconclusive: 1, NotApplicable: 1}); got != want {
		t.Errorf("total: %+v, want %+v", got, want)
	}
}

// mended are bugs of releases that a later one does not have, by what their causes begin with.
var mended = []struct{ cause, bug string }{
	{"what waits for a reply of the CLI does not end when the CLI has", "the handshake and operations wait for ever"},
	{"what the CLI writes after something unusual is not taken", "the reader stops at a line that is not JSON"},
	{"read fails: Expected property name or '}' in JSON", "the reader stops at a line that is not JSON"},
	{"read fails: Unexpected token 'D'", "the reader stops at a line that is not JSON"},
	{"read fails: CLI output was not valid JSON", "the reader stops at a line that is not JSON"},
}

func isMended(cause string) bool {
	for _, m := range mended {
		if strings.HasPrefix(cause, m.cause) {
			return true
		}
	}
	return false
}

func TestReleasesThatWorkedPassWhatTheirSuccessorPassesButForBugsOfTheirs(t *testing.T) {
	scores := readScores(t)
	successor := scores[slices.IndexFunc(scores, func(s score) bool { return s.SDK == "claude-agent-sdk-typescript" })]
	found := 0
	for _, v := range readHistory(t) {
		if v.SDK != successor.SDK || !slices.Contains([]string{"0.1.77", "0.2.37", "0.2.90"}, v.Version) {
			continue
		}
		found++
		for _, c := range v.Causes {
			for _, s := range c.Scenarios {
				if successor.Results[s] == suite.Pass && !isMended(c.Cause) {
					t.Errorf("%s fails %s, which %s passes, and not for a bug that is known: %s", v, s, successor.Version, c.Cause)
				}
			}
		}
	}
	if found != 3 {
		t.Errorf("the history has %d of the three releases", found)
	}
}
