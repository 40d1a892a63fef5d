package history_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/history"
	"github.com/ccwire/ccwire/internal/suite/probe"
)

// releases returns 2.1.100, 2.1.101, ...
func releases(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("2.1.%d", 100+i))
	}
	return list
}

// asked returns a history in which releases were asked until nothing more can be known, and how
// many were. What a release takes is a letter for each release: t, r for refused, u for unclear.
// A release whose letter is x cannot be run.
func asked(t *testing.T, truth map[history.Key]string, hints map[history.Key][]string) (*history.History, int) {
	t.Helper()
	h := history.New()
	var keys []history.Key
	for k, letters := range truth {
		keys = append(keys, k)
		h.Versions = releases(len(letters))
	}
	for n := 0; ; n++ {
		plan := h.Next(keys, hints)
		if plan == nil {
			return h, n
		}
		if n > 10*len(h.Versions) {
			t.Fatal("it asks for ever")
		}
		for kind, names := range plan.Names {
			for _, name := range names {
				k := history.Key{Kind: kind, Name: name}
				if h.Answers[k][plan.Version] != "" {
					t.Fatalf("%v is asked twice of %s", k, plan.Version)
				}
				at := strings.Index(strings.Join(h.Versions, " ")+" ", plan.Version+" ") / len("2.1.100 ")
				switch truth[k][at] {
				case 'x':
					h.Skipped[plan.Version] = "does not install"
				case 'u':
					h.Note(k, plan.Version, history.Unclear)
				case 't':
					h.Note(k, plan.Version, history.Taken)
				default:
					h.Note(k, plan.Version, history.Refused)
				}
			}
		}
	}
}

func TestTheFirstReleaseIsFound(t *testing.T) {
	k := history.Key{Kind: probe.Request, Name: "a"}
	for _, row := range []struct {
		name, letters string
		hints         []string
		want          []history.Span
	}{
		{"in the middle", "rrrrrttttt", nil, []history.Span{{First: "2.1.105", Last: "2.1.109", Before: "2.1.104", FirstExact: true}}},
		{"always", "tttttttt", nil, []history.Span{{First: "2.1.100", Last: "2.1.107", FirstExact: true}}},
		{"a hint that is right", "rrrrrttttt", []string{"2.1.105", "2.1.104"}, []history.Span{{First: "2.1.105", Last: "2.1.109", Before: "2.1.104", FirstExact: true}}},
		{"a hint that is wrong", "rrrrrttttt", []string{"2.1.102", "2.1.101"}, []history.Span{{First: "2.1.105", Last: "2.1.109", Before: "2.1.104", FirstExact: true}}},
		{"gone", "rrttttrrrr", []string{"2.1.103"}, []history.Span{{First: "2.1.102", Last: "2.1.105", Before: "2.1.101", After: "2.1.106", FirstExact: true, LastExact: true}}},
		{"never there", "rrrrrrrr", []string{"2.1.103"}, nil},
		{"a release cannot be run", "rrrrxttttt", nil, []history.Span{{First: "2.1.105", Last: "2.1.109", Before: "2.1.103", FirstExact: true}}},
		{"releases do not tell", "rrruuuttt", nil, []history.Span{{First: "2.1.106", Last: "2.1.108"}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			h, _ := asked(t, map[history.Key]string{k: row.letters}, map[history.Key][]string{k: row.hints})
			if diff := cmp.Diff(row.want, h.Spans(k)); diff != "" {
				t.Errorf("%s%v", diff, h.Answers[k])
			}
		})
	}
}

func TestNamesShareReleases(t *testing.T) {
	truth := map[history.Key]string{}
	for i := range 50 {
		truth[history.Key{Kind: probe.HookEvent, Name: fmt.Sprint("E", i)}] = strings.Repeat("r", 150+i%2) + strings.Repeat("t", 150-i%2)
	}
	if _, n := asked(t, truth, nil); n > 12 {
		t.Errorf("%d releases are asked for two changes among 300", n)
	}
}

func TestARequestIsNotDatedByHowReleasesRefuse(t *testing.T) {
	h := history.New()
	h.Versions = []string{"2.1.39", "2.1.40"}
	k := history.Key{Kind: probe.Request, Name: "a"}
	h.Note(k, "2.1.39", history.Refused) // it is silent
	h.Note(k, "2.1.40", history.Taken)
	if s := h.Spans(k); len(s) != 1 || s[0].FirstExact {
		t.Errorf("%+v", s)
	}
}

func TestAFileIsReadAsItWasWritten(t *testing.T) {
	h, _ := asked(t, map[history.Key]string{
		{Kind: probe.Request, Name: "a"}: "rrrtttt", {Kind: probe.Flag, Name: "--b"}: "rxttttt", {Kind: probe.HookEvent, Name: "C"}: "uuuuutt",
	}, nil)
	h.Date = "2026-01-02"
	again, err := history.Parse(h.Text())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(h, again); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"nonsense", "flag\n  --a", "flag\n  --a: sometimes 1.0.0", "  --a: taken 1.0.0"} {
		if _, err := history.Parse(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

func TestTheBuiltInHistoryIsOfPublishedReleases(t *testing.T) {
	h, err := history.Load()
	if err != nil {
		t.Fatal(err)
	}
	if h.Date == "" || len(h.Keys()) == 0 {
		t.Error("it is empty")
	}
	for k, answers := range h.Answers {
		for v := range answers {
			if !slices.Contains(h.Versions, v) {
				t.Errorf("%s %s was asked of %s, which is not published", k.Kind, k.Name, v)
			}
		}
	}
}

func TestWhatIsKnownIsSaidInALine(t *testing.T) {
	for want, s := range map[string]history.Since{
		"message a: no recording has it":                                           {Kind: history.Message},
		"flag a: no release that was asked takes it":                               {Kind: probe.Flag},
		"flag a: since 1.0.1, exactly (probed: 1.0.0 refuses it)":                  {Kind: probe.Flag, First: "1.0.1", Before: "1.0.0", Exact: true},
		"flag a: after 1.0.0 and not after 1.0.9 (probed); last in 2.0.1, exactly": {Kind: probe.Flag, First: "1.0.9", Before: "1.0.0", Last: "2.0.1", After: "2.0.2", LastExact: true},
	} {
		s.Name = "a"
		if s.String() != want {
			t.Errorf("got %q, want %q", s, want)
		}
	}
}
