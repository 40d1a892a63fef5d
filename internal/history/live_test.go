//go:build live

package history_test

import (
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/history"
	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/probe"
	"github.com/ccwire/ccwire/schema"
	"github.com/ccwire/ccwire/transport/cli"
)

var (
	update   = flag.Bool("update", false, "ask releases what is not known exactly, and write the file")
	dataFile = flag.String("data", "../../conformance/history/names.txt", "the file to write")
	duration = flag.Duration("for", time.Hour, "with -update: begin with no further release after this time")
	workers  = flag.Int("workers", 2, "how many releases are asked at once")
	drawn    = flag.Int("names", 3, "how many names are drawn and asked again")
	seed     = flag.Uint64("seed", 1, "what draws them")
	kinds    = flag.String("kinds", "", "with -update: ask only about these kinds, separated by commas")
)

// release calls f with a release from npm, which is installed for it alone.
func release(t *testing.T, version string, f func(suite.Target) error) error {
	t.Helper()
	dir, err := os.MkdirTemp("", "ccwire-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path, err := (&npm.Cache{Dir: dir}).Path(t.Context(), version)
	if err != nil {
		return err
	}
	v, err := cli.ParseVersion(version)
	if err != nil {
		return err
	}
	return f(suite.ReleaseTarget(path, v))
}

// TestLiveUpdate asks releases on npm until every name is known exactly.
func TestLiveUpdate(t *testing.T) {
	if !*update {
		t.Skip("asks a hundred releases: run it by make since")
	}
	file, err := filepath.Abs(*dataFile)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir()) // some releases write settings here, whatever their own folder is
	h, err := history.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if h.Versions, err = npm.Versions(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.Versions = slices.DeleteFunc(h.Versions, func(v string) bool { return strings.HasPrefix(v, "0.") })
	flags, err := probe.FlagNames()
	if err != nil {
		t.Fatal(err)
	}
	keys, hints := history.Known(schema.Default(), flags, h.Versions)
	keys = slices.DeleteFunc(keys, func(k history.Key) bool {
		return *kinds != "" && !slices.Contains(strings.Split(*kinds, ","), string(k.Kind))
	})
	cheap := slices.DeleteFunc(slices.Clone(keys), func(k history.Key) bool {
		return k.Kind == probe.Flag && hints[k] == nil // each start that refuses one tells of no other
	})
	var mu sync.Mutex // guards h and busy
	busy := 0         // workers that ask a release
	var work sync.WaitGroup
	end := time.Now().Add(*duration)
	for range *workers {
		work.Go(func() { // ends with the time, or when nothing is left to ask
			for time.Now().Before(end) && t.Context().Err() == nil {
				mu.Lock()
				plan := h.Next(cheap, hints)
				if plan == nil {
					plan = h.Next(keys, hints)
				}
				if plan == nil && busy == 0 {
					mu.Unlock()
					return
				}
				if plan == nil { // the others may find something to ask
					mu.Unlock()
					time.Sleep(time.Second)
					continue
				}
				note(h, plan, nil)
				busy++
				mu.Unlock()
				started := time.Now()
				findings, reason := ask(t, plan)
				mu.Lock()
				busy--
				if note(h, plan, findings); reason != "" {
					h.Skipped[plan.Version] = reason
				}
				h.Date = time.Now().UTC().Format(time.DateOnly)
				err := os.WriteFile(file+".new", []byte(h.Text()), 0o644)
				if err == nil { // whoever stops this, or reads the file, finds it whole
					err = os.Rename(file+".new", file)
				}
				mu.Unlock()
				t.Logf("%s: %d names, %d open, %v %s", plan.Version, count(plan.Names), plan.Open, time.Since(started).Round(time.Second), reason)
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	work.Wait()
}

// note notes what a release has answered, or that it is being asked.
func note(h *history.History, plan *history.Plan, findings []probe.Findings) {
	for kind, names := range plan.Names {
		for _, name := range names {
			h.Note(history.Key{Kind: kind, Name: name}, plan.Version, history.Pending)
		}
	}
	for i := range findings {
		h.NoteFindings(plan.Version, plan.Names[findings[i].Kind], &findings[i])
	}
}

func count(names map[probe.Kind][]string) (n int) {
	for _, list := range names {
		n += len(list)
	}
	return n
}

// tries is how often a release is asked that fails, which may be the machine's fault.
const tries = 3

// ask returns what a release answers, or why it cannot be asked.
func ask(t *testing.T, plan *history.Plan) (findings []probe.Findings, reason string) {
	missing := (*npm.NoVersionError)(nil)
	for range tries {
		err := release(t, plan.Version, func(target suite.Target) error {
			r, err := probe.Run(t.Context(), target, probe.Options{Names: plan.Names})
			if err == nil {
				findings = r.Findings
			}
			return err
		})
		switch {
		case err == nil:
			return findings, ""
		case errors.As(err, &missing):
			return nil, "npm lists it and does not have it"
		case t.Context().Err() != nil:
			return nil, ""
		}
		t.Logf("%s: %v", plan.Version, err)
	}
	return nil, "it does not install or start"
}

// TestLiveExactIsExact draws names whose first release is known exactly: the release before it
// refuses the name, and it takes it.
func TestLiveExactIsExact(t *testing.T) {
	h, err := history.Load()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	want := map[string]map[history.Key]history.Answer{}
	keys := h.Keys()
	left := *drawn
	for _, i := range rand.New(rand.NewPCG(*seed, 0)).Perm(len(keys)) {
		spans := h.Spans(keys[i])
		if left == 0 || len(spans) == 0 || !spans[0].FirstExact || spans[0].Before == "" {
			continue
		}
		left--
		t.Logf("%s %s: %s", keys[i].Kind, keys[i].Name, spans[0].First)
		for version, answer := range map[string]history.Answer{spans[0].Before: history.Refused, spans[0].First: history.Taken} {
			if want[version] == nil {
				want[version] = map[history.Key]history.Answer{}
			}
			want[version][keys[i]] = answer
		}
	}
	if left > 0 {
		t.Errorf("only %d names are known exactly", *drawn-left)
	}
	var work sync.WaitGroup
	free := make(chan struct{}, *workers)
	for version, answers := range want {
		free <- struct{}{}
		work.Go(func() { // ends with its release
			defer func() { <-free }()
			askAgain(t, version, answers)
		})
	}
	work.Wait()
}

// askAgain asks a release for names whose answers are known.
func askAgain(t *testing.T, version string, answers map[history.Key]history.Answer) {
	plan := &history.Plan{Version: version, Names: map[probe.Kind][]string{}}
	for k := range answers {
		plan.Names[k.Kind] = append(plan.Names[k.Kind], k.Name)
	}
	findings, reason := ask(t, plan)
	if reason != "" {
		t.Errorf("%s: %s", version, reason)
		return
	}
	again := history.New()
	note(again, plan, findings)
	for k, answer := range answers {
		if got := again.Answers[k][version]; got != answer {
			t.Errorf("%s %s on %s is %s, want %s", k.Kind, k.Name, version, got, answer)
		}
	}
}
