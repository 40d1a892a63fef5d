package times_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/simtarget"
	"github.com/ccwire/ccwire/internal/suite/times"
)

// late is a CLI that takes a time before it says anything.
type late struct {
	suite.Target
	wait time.Duration
}

func (l late) Start(ctx context.Context, s *scenario.Scenario) (suite.Peer, error) {
	peer, err := l.Target.Start(ctx, s)
	return &latePeer{Peer: peer, wait: l.wait}, err
}

type latePeer struct {
	suite.Peer
	wait time.Duration
}

func (p *latePeer) Stdout() io.Reader { return p }

func (p *latePeer) Read(b []byte) (int, error) {
	n, err := p.Peer.Stdout().Read(b)
	time.Sleep(p.wait)
	p.wait = 0
	return n, err
}

// play plays turn/text on a simulated CLI that takes a time before it replies.
func play(t *testing.T, wait time.Duration) *suite.Report {
	t.Helper()
	target, err := simtarget.New()
	if err != nil {
		t.Fatal(err)
	}
	all, err := scenario.All()
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := suite.Select(all, []suite.Glob{"turn/text"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	report, err := suite.Run(t.Context(), suite.Options{Scenarios: chosen, Targets: []suite.Target{late{target, wait}}})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestALateReplyIsNoted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "times.json")
	for _, run := range []struct {
		name string
		wait time.Duration
		last time.Duration
		want int // notes
	}{
		{"the first run", 100 * time.Millisecond, 0, 0},
		{"a little later", 3 * time.Second, 100 * time.Millisecond, 0},
		{"earlier", 200 * time.Millisecond, 3 * time.Second, 0},
		{"much later", 4 * time.Second, 200 * time.Millisecond, 1},
		{"as late as before", 4 * time.Second, 4 * time.Second, 0},
		{"later, but not by much", 8 * time.Second, 4 * time.Second, 0},
	} {
		t.Run(run.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				report := play(t, run.wait)
				book, err := times.Read(file)
				if err != nil {
					t.Fatal(err)
				}
				notes := book.Compare(report)
				if len(notes) != run.want {
					t.Errorf("notes %q, want %d", notes, run.want)
				}
				want := []suite.Reply{{ID: "init", Request: "initialize", Took: run.wait, Last: run.last}}
				if diff := cmp.Diff(want, report.Results[0].Replies); diff != "" {
					t.Errorf("-want +got\n%s", diff)
				}
				book.Add(report)
				if err := book.Write(file); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

func TestCompareTellsRequestsWithOneIDApart(t *testing.T) {
	report := func(first, second time.Duration) *suite.Report {
		return &suite.Report{Results: []suite.Result{{
			Scenario: "a/b", Target: "2.1.0", Status: suite.Pass,
			Replies: []suite.Reply{{ID: "r", Request: "x", Took: first}, {ID: "r", Request: "x", Took: second}},
		}}}
	}
	book := times.Book{}
	book.Add(report(1, 2))
	now := report(3, 4)
	if notes := book.Compare(now); notes != nil {
		t.Errorf("notes %q", notes)
	}
	want := []suite.Reply{{ID: "r", Request: "x", Took: 3, Last: 1}, {ID: "r", Request: "x", Took: 4, Last: 2}}
	if diff := cmp.Diff(want, now.Results[0].Replies); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestTheBookKeepsWhatWasNotPlayedOrDoesNotHold(t *testing.T) {
	book := times.Book{}
	result := func(name, target string, s suite.Status, took time.Duration) *suite.Report {
		return &suite.Report{Results: []suite.Result{{Scenario: name, Target: target, Status: s, Duration: took}}}
	}
	book.Add(result("a/a", "2.1.90", suite.Pass, 1))
	book.Add(result("a/b", "2.1.90", suite.Pass, 2))
	book.Add(result("a/a", "2.1.90", suite.Fail, 3))
	book.Add(result("a/b", "simulated 2.1.200", suite.Pass, 4))
	for _, tt := range []struct {
		scenario, target string
		took             time.Duration
	}{{"a/a", "2.1.90", 1}, {"a/b", "simulated 2.1.200", 4}, {"a/c", "", 0}} {
		if took, target := book.Newest(tt.scenario); took != tt.took || target != tt.target {
			t.Errorf("%s took %v on %q, want %v on %q", tt.scenario, took, target, tt.took, tt.target)
		}
	}
	if got := book.Took("2.1.90", "a/b"); got != 2 {
		t.Errorf("a/b took %v on 2.1.90", got)
	}
}

func TestAFileThatIsNotOursIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(path, []byte("my notes"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := times.Read(path); err == nil {
		t.Error("no error")
	}
}
