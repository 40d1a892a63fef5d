//go:build live

package differ_test

import (
	"errors"
	"flag"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/differ"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/simtarget"
)

var (
	file     = flag.String("file", "", "play the sessions in these `files`: patterns with commas between them")
	all      = flag.Bool("all", false, "show what is known, prose and races too")
	but      = flag.String("but", "", "leave out the differences in whose lines this `expression` is found")
	minimise = flag.Bool("minimise", false, "cut sessions that differ down to what the first difference needs")
	kept     = flag.String("kept", "", "keep plays of the real CLI in this `folder`, and do not play again what is there")
	parallel = flag.Int("parallel", 3, "how many sessions are played at once")
)

// newPair returns the real CLI and the simulated one.
func newPair(t *testing.T) *differ.Pair {
	t.Helper()
	path, err := npm.PinnedPath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	real, err := suite.NewProcessTarget(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	simulated, err := simtarget.New()
	if err != nil {
		t.Fatal(err)
	}
	known, err := differ.KnownDifferences()
	if err != nil {
		t.Fatal(err)
	}
	pair := &differ.Pair{Real: real, Simulated: simulated, Known: known, Kept: *kept}
	if *but != "" {
		re, err := regexp.Compile(*but)
		if err != nil {
			t.Fatal(err)
		}
		pair.Leave = func(d differ.Difference) bool { return re.MatchString(d.String()) }
	}
	return pair
}

// play plays sessions, several at once, and prints what comes of each as it comes.
func play(t *testing.T, pair *differ.Pair, sessions []*scenario.Scenario, within time.Duration) []*differ.Outcome {
	t.Helper()
	batch := &differ.Batch{Pair: pair, Parallel: *parallel, Within: within, Told: func(s *scenario.Scenario, out *differ.Outcome, err error) {
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			return
		}
		t.Log(out.Text(*all))
		keepIt(t, out)
	}}
	return batch.Play(t.Context(), sessions)
}

// keepIt writes a session that differs, and how, into the folder that the flag names.
func keepIt(t *testing.T, out *differ.Outcome) {
	if *keep == "" || out.Explained() {
		return
	}
	name := filepath.Join(*keep, filepath.Base(out.Scenario.Name))
	if err := errors.Join(os.WriteFile(name+".txtar", []byte(out.Scenario.Text), 0o644), os.WriteFile(name+".txt", []byte(out.Text(true)), 0o644)); err != nil {
		t.Error(err)
	}
}

// load reads the sessions in the files that a pattern names.
func load(t *testing.T, pattern string) (list []*scenario.Scenario) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: no files, %v", pattern, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := scenario.Parse("given/"+strings.TrimSuffix(filepath.Base(name), ".txtar"), text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

// TestLiveKnownDifferencesAreThere plays the examples of the list: each entry is for a difference
// of one of them.
func TestLiveKnownDifferencesAreThere(t *testing.T) {
	pair := newPair(t)
	found := map[*differ.KnownEntry]bool{}
	for _, out := range play(t, pair, load(t, "testdata/*.txtar"), 0) {
		if out == nil {
			continue
		}
		for _, d := range out.Expected {
			found[pair.Known.Find(d)] = true // nil for one that is known with its line
		}
		if !out.Explained() {
			t.Errorf("%s has a difference that is not on the list", out.Scenario.Name)
		}
	}
	for _, e := range pair.Known.Entries() {
		if !found[e] {
			t.Errorf("%s: no example shows it any more", e.Pattern)
		}
	}
}

// simulatedAlone are tests of the simulated CLI that must not hold on the real one, with the reason.
var simulatedAlone = map[string]string{
	"auto-mode-address":             "the API is at an address where nobody listens",
	"folder-added":                  "the fence",
	"folder-added-by-the-model":     "the fence",
	"permission-outside":            "the fence",
	"server-status-type":            "whether the server has failed already is a matter of time",
	"turn-agent-takes-its-time":     "whether an agent is done before the turn ends is a matter of time",
	"turn-agents-before-next-block": "of two agents at once, which is done first is a matter of time",
	"turn-budget-agent":             "whether the agent is done before the result is a matter of time",
	"subagent-never-stops":          "how many tokens such an agent has used is an estimate",
	"settings-env":                  "commands are not given what looks like a secret",
}

// TestLiveTheTestsOfTheSimulatedCLIHoldOnTheRealOne plays what the simulated CLI is tested with on
// both: a test that was written beside a mistake has the same mistake.
func TestLiveTheTestsOfTheSimulatedCLIHoldOnTheRealOne(t *testing.T) {
	all := load(t, "../simtarget/testdata/*.txtar")
	sessions := slices.DeleteFunc(slices.Clone(all), func(s *scenario.Scenario) bool {
		return simulatedAlone[strings.TrimPrefix(s.Name, "given/")] != ""
	})
	if left := len(all) - len(sessions); left != len(simulatedAlone) {
		t.Errorf("%d of the %d tests that are for the simulated CLI alone are there", left, len(simulatedAlone))
	}
	pair := newPair(t)
	holds := func(out *differ.Outcome) bool { return out == nil || out.Broken == nil && out.Explained() }
	var again []*scenario.Scenario // what depends on time is not so every time
	for _, out := range play(t, pair, sessions, 0) {
		if !holds(out) {
			again = append(again, out.Scenario)
		}
	}
	for range 2 {
		again = slices.DeleteFunc(again, func(s *scenario.Scenario) bool {
			return holds(play(t, pair, []*scenario.Scenario{s}, 0)[0])
		})
	}
	for _, s := range again {
		t.Errorf("%s does not hold on the real CLI, or shows something else there", s.Name)
	}
}

func TestLiveGivenSessionsAreTheSame(t *testing.T) {
	if *file == "" {
		t.Skip("-file names no sessions")
	}
	var sessions []*scenario.Scenario
	for pattern := range strings.SplitSeq(*file, ",") {
		sessions = append(sessions, load(t, pattern)...)
	}
	pair := newPair(t)
	for _, out := range play(t, pair, sessions, 0) {
		if out != nil && !out.Explained() {
			t.Errorf("%s differs", out.Scenario.Name)
			if *minimise {
				t.Logf("cut down:\n%s", smallest(t, pair, out).Text)
			}
		}
	}
}

// smallest cuts a session down to what it needs to show its first difference.
func smallest(t *testing.T, pair *differ.Pair, out *differ.Outcome) *scenario.Scenario {
	t.Helper()
	if !*minimise {
		return out.Scenario
	}
	s, err := differ.Minimise(t.Context(), out.Scenario, pair.Shows(t.Context(), out.Differences[:1]))
	if err != nil {
		t.Error(err)
		return out.Scenario
	}
	return s
}

var (
	sessions = flag.Int("sessions", 60, "how many generated sessions are played at most")
	within   = flag.Duration("within", 150*time.Second, "begin no generated session after this `time`; 0 means that all are played")
	seed     = flag.Uint64("seed", 0, "the number of the first generated session; 0 means any")
	keep     = flag.String("keep", "", "write the generated sessions that differ into this `folder`")
)

// share is how many of all generated sessions show the same on both, at least. Few are played, and
// any are: what fails is a number that would come by chance less often than once in a hundred
// times.
const (
	share    = 0.95
	byChance = 0.01

	mostBroken = 1 // scripts, or laws, that do not hold on the real CLI
)

func TestLiveGeneratedSessionsAreTheSame(t *testing.T) {
	first := *seed
	if first == 0 {
		first = uint64(rand.Uint32())
	}
	t.Logf("to play them again: -sessions %d -seed %d", *sessions, first)
	var list []*scenario.Scenario
	for i := range uint64(*sessions) {
		s, err := differ.New(first + i)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	played, same, unknown, broken, expected := 0, 0, 0, 0, map[string]int{}
	pair := newPair(t)
	for _, out := range play(t, pair, list, *within) {
		if out == nil {
			continue
		}
		played++
		if out.Same() {
			same++
		}
		if out.Broken != nil {
			broken++
			t.Logf("%s: the script does not hold on the real CLI: %v", out.Scenario.Name, out.Broken)
		}
		if !out.Explained() {
			unknown++
			t.Logf("%s differs, and known.txt does not say why:\n%s", out.Scenario.Name, smallest(t, pair, out).Text)
		}
		for _, d := range out.Expected {
			if e := pair.Known.Find(d); e != nil {
				expected[e.Pattern]++
			}
		}
	}
	t.Logf("%d of %d sessions show the same on both, %d differ as is known, %d otherwise", same, played, played-same-unknown, unknown)
	for _, pattern := range slices.Sorted(maps.Keys(expected)) {
		t.Logf("known, %d times: %s", expected[pattern], pattern)
	}
	if broken > 0 && *seed != 0 || broken > mostBroken { // any sessions do not decide on one rare course of the CLI
		t.Errorf("%d scripts do not hold on the real CLI", broken)
	}
	if chance := differ.Chance(same, played, share); played == 0 || chance < byChance {
		t.Errorf("it is not %.0f %% of all sessions that are the same: so few would come by chance with a probability of %.1g", 100*share, chance)
	}
}
