package scoreboard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/sdk"
)

// judged are the SDKs on the scoreboard, in its order.
var judged = []struct {
	name   string // in scores.json
	title  string
	folder string // with its list of known failures; "" if it fails nothing
	pin    string // the start of the line of the lock file that ends with the version
}{
	{"ccwire", "ccwire `transport`", "", ""},
	{"claude-agent-sdk-typescript", "TypeScript, `@anthropic-ai/claude-agent-sdk`", "node", `"@anthropic-ai/claude-agent-sdk": "`},
	{"claude-agent-sdk-python", "Python, `claude-agent-sdk`", "python", "claude-agent-sdk=="},
}

const (
	scoresFile = "scores.json"
	pageFile   = "../../docs/sdks.md"
	remake     = "make scoreboard"
)

// score is what came of the last run of an SDK that was written down.
type score struct {
	SDK     string                  `json:"sdk"`
	Version string                  `json:"version,omitempty"`
	Results map[string]suite.Status `json:"results"` // by scenario
}

func readScores(t *testing.T) (scores []score) {
	t.Helper()
	data, err := os.ReadFile(scoresFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &scores); err != nil {
		t.Fatal(err)
	}
	return scores
}

func readList(t *testing.T, name string) suite.Known {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	list, err := suite.ParseKnown(file)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return list
}

// knownFailing returns the list of an SDK, nil if it has none.
func knownFailing(t *testing.T, folder string) suite.Known {
	t.Helper()
	if folder == "" {
		return nil
	}
	return readList(t, filepath.Join(folder, "known-failing.txt"))
}

func reasonFor(list suite.Known, name string) string {
	if i := slices.IndexFunc(list, func(e suite.KnownEntry) bool { return e.Pattern.Match(name) }); i >= 0 {
		return list[i].Reason
	}
	return ""
}

func TestTheScoreboardIsOfThePinnedSDKsAndOfAllScenarios(t *testing.T) {
	all, err := sdk.All()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
	}
	scores := readScores(t)
	if len(scores) != len(judged) {
		t.Fatalf("%s has %d SDKs, want %d: run %s", scoresFile, len(scores), len(judged), remake)
	}
	for i, j := range judged {
		s := scores[i]
		var played []string
		for name, status := range s.Results {
			played = append(played, name)
			known := reasonFor(knownFailing(t, j.folder), name) != ""
			if (status == suite.KnownFailing) != (known && status != suite.NotApplicable) {
				t.Errorf("%s: %s is %s, and the list of known failures says otherwise: run %s", s.SDK, name, status, remake)
			}
		}
		slices.Sort(played)
		if diff := cmp.Diff(names, played); diff != "" || s.SDK != j.name {
			t.Errorf("%s was not judged by today's scenarios (-want +got): run %s\n%s", j.name, remake, diff)
		}
		if v := pinned(t, j.folder, j.pin); s.Version != v {
			t.Errorf("%s was judged at version %q, pinned is %q: run %s", j.name, s.Version, v, remake)
		}
	}
}

// pinned returns the version of an SDK that is installed, "" for our own.
func pinned(t *testing.T, folder, pin string) string {
	t.Helper()
	for _, name := range []string{"package.json", "requirements.txt"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if folder == "" || err != nil {
			continue
		}
		_, after, ok := strings.Cut(string(text), pin)
		if !ok {
			t.Fatalf("%s pins no %s", name, pin)
		}
		return after[:strings.IndexAny(after, "\",\n")]
	}
	return ""
}

func TestThePageOfSDKsIsUpToDate(t *testing.T) {
	want := page(t, readScores(t))
	got, err := os.ReadFile(pageFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("docs/sdks.md is not what %s makes (-want +got): run %s\n%s", scoresFile, remake, diff)
	}
}

func TestEveryFailureOnTheScoreboardHasAMeaningForUsers(t *testing.T) {
	meanings := readList(t, "meanings.txt")
	used := map[int]bool{}
	for _, s := range readScores(t) {
		for name, status := range s.Results {
			if status != suite.KnownFailing {
				continue
			}
			i := slices.IndexFunc(meanings, func(e suite.KnownEntry) bool { return e.Pattern.Match(name) })
			if i < 0 {
				t.Errorf("meanings.txt says nothing about %s, which %s fails", name, s.SDK)
			}
			used[i] = true
		}
	}
	for i, e := range meanings {
		if !used[i] {
			t.Errorf("meanings.txt line %d: no SDK fails %s", e.Line, string(e.Pattern))
		}
	}
}

// page writes docs/sdks.md.
func page(t *testing.T, scores []score) []byte {
	t.Helper()
	all, err := sdk.All()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	b.WriteString(`# SDKs

What SDKs for this protocol do with the scenarios of ` + "`protogen conform sdk`" + `, which gives each a
simulated CLI that behaves well or badly. The SDKs are pinned in ` + "`internal/scoreboard`" + `; each is
driven by a [driver](drivers.md) there, in its default configuration. This page is made by ` + "`" + remake + "`" + `.

A failure is one rule that the SDK was seen to break. The number of failures is no measure of an
SDK: rules weigh differently, and many show only with a CLI that misbehaves. *Inconclusive* are
scenarios whose premise did not happen, *not applicable* those that need what the SDK does not have.

| SDK | version | passed | failed | inconclusive | not applicable |
| --- | --- | --- | --- | --- | --- |
`)
	for i, j := range judged {
		n := count(all, scores[i], func(*sdk.Scenario) bool { return true })
		fmt.Fprintf(&b, "| %s | %s | %d of %d | %d | %d | %d |\n",
			j.title, version(scores[i]), n.passed, n.passed+n.failed, n.failed, n.open, n.out)
	}
	b.WriteString("\n## By area\n\nPassed, of those that were judged.\n\n| area |")
	for _, s := range scores {
		b.WriteString(" " + s.SDK + " |")
	}
	b.WriteString("\n| --- |" + strings.Repeat(" --- |", len(scores)) + "\n")
	row := func(title string, in func(*sdk.Scenario) bool) {
		fmt.Fprintf(&b, "| %s |", title)
		for _, s := range scores {
			n := count(all, s, in)
			fmt.Fprintf(&b, " %d of %d |", n.passed, n.passed+n.failed)
		}
		b.WriteString("\n")
	}
	for _, a := range areas {
		row("`"+a.name+"`: "+a.about, func(s *sdk.Scenario) bool { return s.Area() == a.name })
	}
	for _, level := range []scenario.Level{scenario.Required, scenario.Recommended} {
		row("all that are "+string(level), func(s *sdk.Scenario) bool { return s.Level == level })
	}
	meanings := readList(t, "meanings.txt")
	for i, j := range judged {
		failures(&b, all, scores[i], j.title, knownFailing(t, j.folder), meanings)
	}
	history(&b, readHistory(t))
	return b.Bytes()
}

// areas are the folders of scenarios.
var areas = []struct{ name, about string }{
	{"send", "what an SDK must send"},
	{"survive", "what it must survive"},
	{"answer", "what it must answer"},
	{"refuse", "what it must not do"},
	{"surface", "what it must tell its user"},
	{"end", "how it ends"},
	{"always", "what holds in every session"},
}

func version(s score) string {
	if s.Version == "" {
		return "this one"
	}
	return s.Version
}

type tally struct{ passed, failed, open, out int }

func count(all []*sdk.Scenario, s score, in func(*sdk.Scenario) bool) (n tally) {
	for _, sc := range all {
		switch status := s.Results[sc.Name]; {
		case !in(sc):
		case status == suite.Pass:
			n.passed++
		case status == suite.NotApplicable:
			n.out++
		case status == suite.Inconclusive:
			n.open++
		default:
			n.failed++
		}
	}
	return n
}

// failures writes what an SDK fails.
func failures(b *bytes.Buffer, all []*sdk.Scenario, s score, title string, known, meanings suite.Known) {
	fmt.Fprintf(b, "\n## %s\n", title)
	var out []string
	some := false
	for _, sc := range all {
		switch s.Results[sc.Name] {
		case suite.NotApplicable:
			out = append(out, "`"+sc.Name+"`")
		case suite.KnownFailing, suite.Fail:
			some = true
			fmt.Fprintf(b, "\n### %s\n\n", sc.Name)
			fmt.Fprintf(b, "- The rule (%s, %s): %s\n", sc.Level, sc.Harm, sc.Title)
			fmt.Fprintf(b, "- Seen: %s\n", sentence(reasonFor(known, sc.Name)))
			fmt.Fprintf(b, "- For its users: %s\n", sentence(reasonFor(meanings, sc.Name)))
		}
	}
	if !some {
		b.WriteString("\nFails nothing.\n")
	}
	if len(out) > 0 {
		fmt.Fprintf(b, "\nNot applicable: %s.\n", strings.Join(out, ", "))
	}
}

func sentence(text string) string {
	if text == "" {
		return "unknown."
	}
	return strings.ToUpper(text[:1]) + strings.TrimSuffix(text[1:], ".") + "."
}
