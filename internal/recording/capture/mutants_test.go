package capture_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/capture"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/recording/inventory"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/replay"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// mutant is one change of what a CLI writes in a scenario.
type mutant struct {
	name    string // of the kind of change
	at      string // where it is
	entries []recording.Entry
}

// lineMutants are the changes of whole lines of a recording. Lines are not swapped where the
// scenario leaves the order free, and not dropped or doubled where the CLI does so by chance.
func lineMutants(s *scenario.Scenario, entries []recording.Entry) (list []mutant) {
	free := slices.ContainsFunc(s.Steps, func(step scenario.Step) bool { _, ok := step.Op.(scenario.Unordered); return ok })
	add := func(name string, i int, changed ...recording.Entry) {
		list = append(list, mutant{name, fmt.Sprint("entry ", i+1), changed})
	}
	for i, e := range entries {
		if e.Dir != recording.ToSDK {
			continue
		}
		if !byChance(s, e.Line) {
			add("a line is dropped", i, slices.Delete(slices.Clone(entries), i, i+1)...)
			add("a line is doubled", i, slices.Insert(slices.Clone(entries), i, e)...)
		}
		for _, text := range []string{`{"type":"new_type"}`, "Warning: something happened", `{"type":"result","subtype":"success"}`} {
			add("a line is invented", i, slices.Insert(slices.Clone(entries), i+1, recording.Entry{Dir: recording.ToSDK, Line: text})...)
		}
		cr := slices.Clone(entries)
		cr[i].Line += "\r"
		add("a carriage return", i, cr...)
		if next := i + 1; !free && entries[next].Dir == recording.ToSDK && entries[next].Line != e.Line {
			swapped := slices.Clone(entries)
			swapped[i], swapped[next] = swapped[next], swapped[i]
			add("two lines are swapped", i, swapped...)
		}
	}
	return list
}

// byChance reports whether the CLI writes a line more or less often from run to run: one that the
// scenario says varies, or one of the mirror that only repeats the state of the session.
func byChance(s *scenario.Scenario, line string) bool {
	if scenario.LineVaries(s.Varies, inventory.Kind(line)) {
		return true
	}
	mirror := recording.ReadMirror([]byte(line))
	return mirror != nil && !slices.ContainsFunc(mirror.Entries, func(entry json.RawMessage) bool {
		return bytes.Contains(entry, []byte(`"uuid":`))
	})
}

// memberMutants are the changes of members of the lines of a recording.
func memberMutants(_ *scenario.Scenario, entries []recording.Entry) (list []mutant) {
	for i, e := range entries {
		if e.Dir != recording.ToSDK || e.Truncated > 0 {
			continue
		}
		var line any
		if json.Unmarshal([]byte(e.Line), &line) != nil {
			continue
		}
		each(line, "", func(object map[string]any, name, path string) {
			value := object[name]
			add := func(change string) {
				text, err := json.Marshal(line)
				object[name] = value
				if err != nil {
					panic(err) // never: it was decoded
				}
				changed := slices.Clone(entries)
				changed[i].Line = string(text)
				list = append(list, mutant{change, fmt.Sprintf("entry %d %s", i+1, path), changed})
			}
			delete(object, name)
			add("a member is dropped")
			object[name] = otherKind(value)
			add("a member has another JSON kind")
			if other := otherValue(value); other != nil && !isFree(path, value) {
				object[name] = other
				add("a member has another value")
			}
		})
	}
	return list
}

// each calls see for each member of each object in a value.
func each(v any, path string, see func(object map[string]any, name, path string)) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			see(v, name, path+"/"+name)
			each(v[name], path+"/"+name, see)
		}
	case []any:
		for i, e := range v {
			each(e, fmt.Sprint(path, "/", i), see)
		}
	}
}

func otherKind(v any) any {
	if _, ok := v.(string); ok {
		return 7
	}
	return "seven"
}

// otherValue returns another value of the same kind, nil if the members of it are changed instead.
func otherValue(v any) any {
	switch v := v.(type) {
	case string:
		return v + "x"
	case float64:
		return v + 1
	case bool:
		return !v
	}
	return nil
}

var free = regexp.MustCompile(`(?i)(_ms|Ms|cost.*|pid|_at|At|time|timestamp|seconds|elapsed.*|duration.*)$`)

// isFree reports whether a value differs from run to run, or is a text of the CLI for people: a
// time, a cost, or what recordings have a stand-in for.
func isFree(path string, v any) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, "[prose]") || strings.Contains(v, "[version]") || strings.Contains(v, "2000-01-01")
	case float64:
		return free.MatchString(path)
	}
	return false
}

// judged plays a scenario with a changed recording, and judges it by the recordings of versions.
func judged(t *testing.T, replayed *replay.Target, versions []string, s *scenario.Scenario, entries []recording.Entry) *suite.Result {
	t.Helper()
	target := replayed.Changed(func(*scenario.Scenario, []recording.Entry) []recording.Entry { return entries })
	report, err := suite.Run(t.Context(), suite.Options{
		Scenarios: []*scenario.Scenario{s}, Targets: []suite.Target{target}, Judge: capture.JudgeBy(versions),
	})
	if err != nil {
		t.Fatal(err)
	}
	return &report.Results[0]
}

func TestASessionThatIsAsRecordedPasses(t *testing.T) {
	all, err := scenario.All()
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		all = all[:len(all)/8]
	}
	report, err := suite.Run(t.Context(), suite.Options{
		Scenarios: all, Targets: []suite.Target{replayed(t)}, Judge: capture.Judge,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Status == suite.Fail {
			t.Errorf("%s: %s", r.Scenario, r.Reason)
		}
	}
}

// TestChangesOfWhatTheCLIWritesAreNoticed plays the scenarios with one line or one member changed,
// on a sample of all such changes: with the recording of the version, and with those of others
// only, as if it were a new release, or one between two that are recorded.
func TestChangesOfWhatTheCLIWritesAreNoticed(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays a changed session for each change; make test-all runs it")
	}
	versions := corpus.Versions()
	newest, before := len(versions)-1, len(versions)-2
	for _, by := range []struct {
		name           string
		version        string
		versions       []string
		sample         int // of lines, and twice as many of members
		lines, members int // how many of a hundred must be noticed
	}{
		{"recorded", versions[newest], versions, 200, 100, 99},
		{"a new release", versions[newest], versions[:newest], 100, 95, 95},
		{"a release between", versions[before], slices.Concat(versions[:before], versions[newest:]), 100, 95, 95},
	} {
		for _, tt := range []struct {
			name    string
			mutants func(*scenario.Scenario, []recording.Entry) []mutant
			sample  int
			percent int
		}{
			{"lines", lineMutants, by.sample, by.lines},
			{"members", memberMutants, 2 * by.sample, by.members},
		} {
			t.Run(by.name+"/"+tt.name, func(t *testing.T) {
				target, err := replay.TargetOf(by.version)
				if err != nil {
					t.Fatal(err)
				}
				missed := play(t, target, by.versions, draw(t, target, by.versions, tt.mutants, tt.sample))
				caught := tt.sample - len(missed)
				t.Logf("%d of %d changes were noticed", caught, tt.sample)
				if caught*100 < tt.sample*tt.percent {
					t.Errorf("%d of %d changes were noticed; not noticed: %q", caught, tt.sample, missed)
				}
			})
		}
	}
}

// try is a scenario with a change.
type try struct {
	s        *scenario.Scenario
	m        mutant
	original []recording.Entry
}

// draw returns a sample of the changes of what a CLI writes in scenarios that are recorded for one
// of the versions: all are for the newest, so a new release has a neighbour for each.
func draw(t *testing.T, target *replay.Target, versions []string, mutants func(*scenario.Scenario, []recording.Entry) []mutant, sample int) (tries []try) {
	t.Helper()
	all, err := scenario.All()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for len(tries) < sample {
		s := all[random.IntN(len(all))]
		if !slices.ContainsFunc(versions, func(v string) bool { return corpus.Has(v, s.Name) }) {
			continue
		}
		entries, err := corpus.Read(target.Version().String(), s.Name)
		if err != nil {
			continue // not for this version
		}
		if list := mutants(s, entries); len(list) > 0 {
			tries = append(tries, try{s, list[random.IntN(len(list))], entries})
		}
	}
	return tries
}

// play plays many at once, since a session that hangs costs time and nothing else, and returns the
// changes that were not noticed: nothing fails, and nothing is said that is not said of the session
// without the change.
func play(t *testing.T, target *replay.Target, versions []string, tries []try) (missed []string) {
	const atOnce = 32
	var mu sync.Mutex // guards missed
	var players sync.WaitGroup
	next := make(chan try)
	for range atOnce {
		players.Go(func() {
			for try := range next {
				changed := judged(t, target, versions, try.s, try.m.entries)
				if changed.Status == suite.Fail {
					continue
				}
				same := judged(t, target, versions, try.s, try.original)
				if cmp.Equal(same.Changes, changed.Changes) && len(same.Findings) == len(changed.Findings) {
					mu.Lock()
					missed = append(missed, fmt.Sprintf("%s: %s, %s", try.m.name, try.s.Name, try.m.at))
					mu.Unlock()
				}
			}
		})
	}
	for _, try := range tries {
		next <- try
	}
	close(next)
	players.Wait()
	return missed
}
