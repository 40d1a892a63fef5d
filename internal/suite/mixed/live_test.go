//go:build live

package mixed_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/mixed"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/terminal"
	"github.com/ccwire/ccwire/schema"
)

var (
	sessions = flag.Int("sessions", 4, "how many sessions are played")
	seed     = flag.Uint64("seed", 0, "the number of the first session; 0 means any")
	keep     = flag.String("keep", "", "write the sessions and their scenarios into this `folder`")
)

func TestLiveMixedSessionsHoldNothingUnknown(t *testing.T) {
	path, err := npm.PinnedPath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	target, err := suite.NewProcessTarget(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	version := target.Version().String()
	first := *seed
	if first == 0 {
		first = uint64(rand.Uint32())
	}
	dir := *keep
	if dir == "" {
		dir = t.TempDir()
	}
	t.Logf("%d sessions of %s; to play them again: -sessions %d -seed %d", *sessions, version, *sessions, first)

	var all []*scenario.Scenario
	var names []string
	for i := range uint64(*sessions) {
		s, err := mixed.New(first + i)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
		names = append(names, filepath.Join(dir, fmt.Sprintf("%d.ndjson", first+i)))
	}
	report, err := suite.Run(t.Context(), suite.Options{
		Scenarios: all, Targets: []suite.Target{target}, Timeout: 3 * time.Minute,
		Keep: func(_ suite.Target, s *scenario.Scenario, p *suite.Played) {
			name := names[slices.Index(all, s)]
			write(t, name, append([]recording.Entry{{Dir: recording.Header, Scenario: s.Name, Version: version}}, p.Entries...))
			if *keep != "" {
				if err := os.WriteFile(name+".txtar", []byte(s.Text), 0o644); err != nil {
					t.Error(err)
				}
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Status != suite.Pass {
			t.Errorf("%s: %s", r.Scenario, r.Reason)
		}
	}
	check(t, version, names)
}

// write writes a recording that is not scrubbed.
func write(t *testing.T, name string, entries []recording.Entry) {
	f, err := os.Create(name)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	if err := recording.Write(f, entries); err != nil {
		t.Error(err)
	}
}

// check judges recordings by what the version writes.
func check(t *testing.T, version string, names []string) {
	t.Helper()
	release, err := schema.Default().Release(corpus.NotNewer(version))
	if err != nil {
		t.Fatal(err)
	}
	run := linecheck.Run{
		Checker:    linecheck.New(true).At(release),
		Options:    linestream.Options{Direction: schema.FromCLI},
		Unreadable: func(err error) { t.Error(err) },
		Emit: func(f linecheck.Finding) error {
			t.Error(f.Text(terminal.Style{}))
			return nil
		},
	}
	sum, err := run.Files(names)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d lines, %d findings", sum.Lines, sum.Findings)
	if sum.Unchecked > 0 {
		t.Errorf("%d replies answer nothing", sum.Unchecked)
	}
}
