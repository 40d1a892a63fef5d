package brokensdk

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/sdk"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
	"github.com/ccwire/ccwire/internal/suite/sdk/sdktest"
)

var update = flag.Bool("update", false, "write "+matrixFile)

// matrixFile has the scenarios that fail with a bug which they do not name after catches:, as lines
//
//	BUG SCENARIO [sometimes] # why
//
// Sometimes says that it depends on chance; AREA/* then stands for every scenario of the area.
const matrixFile = "matrix.txt"

// reachedFile names, in the environment of a subject, the file to which it writes [Reached].
const reachedFile = "CCWIRE_BROKEN_REACHED"

// pair is a bug and a scenario that is played with it.
type pair struct{ bug, scenario string }

// line is what the file has of a pair.
type line struct {
	sometimes bool
	why       string
}

func TestEachBugFailsTheScenariosOfTheMatrixAndNoOther(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all plays all")
	}
	list := all(t)
	caught, reachable := map[pair]bool{}, pairs(t, list)
	for _, s := range list {
		for _, bug := range s.Catches {
			caught[pair{bug, s.Name}] = true
		}
	}
	file := readMatrix(t)
	const short, long = time.Second, 20 * time.Second
	results := playPairs(t, list, reachable, short)
	t.Logf("%d pairs of %d make a difference", len(results), len(Bugs)*len(list))
	// What fails by a short limit and should not is given more time: the machine may be busy.
	var again []pair
	for p, r := range results {
		if _, ok := file.of(p); r.Status == suite.Fail && !ok && !caught[p] {
			again = append(again, p)
		}
	}
	for p, r := range playPairs(t, list, again, long) {
		results[p] = r
	}
	if *update {
		writeMatrix(t, file, results, caught)
		return
	}
	for p, r := range results {
		l, listed := file.of(p)
		switch failed := r.Status == suite.Fail; {
		case failed && !listed && !caught[p]:
			t.Errorf("%s fails with %s, which is not expected: %s", p.scenario, p.bug, r.Reason)
		case !failed && caught[p], !failed && listed && !l.sometimes:
			t.Errorf("%s does not fail with %s", p.scenario, p.bug)
		}
	}
	for p, l := range file {
		switch _, played := results[p]; {
		case caught[p]:
			t.Errorf("%s: %s %s is there, and the scenario names the bug too", matrixFile, p.bug, p.scenario)
		case !played && !l.sometimes:
			t.Errorf("%s: %s %s is there, and the bug makes no difference", matrixFile, p.bug, p.scenario)
		case l.why == "":
			t.Errorf("%s: say why %s fails with %s", matrixFile, p.scenario, p.bug)
		}
	}
}

// supposes are scenarios that suppose what an SDK without a bug does not do.
var supposes = []string{"answer/no-permission-callback"}

// pairs returns the bugs that make a difference in a scenario, by playing it with an SDK that has
// none.
func pairs(t *testing.T, list []*sdk.Scenario) (reachable []pair) {
	t.Helper()
	dir := t.TempDir()
	name := func(s *sdk.Scenario) string { return filepath.Join(dir, strings.ReplaceAll(s.Name, "/", "-")) }
	each(len(list), func(i int) {
		s := *list[i]
		if s.Always() != "" {
			return
		}
		s.Basic = append([]string{"session"}, driver.Features...) // nothing else is played with it
		for _, r := range playAll(t, "", []*sdk.Scenario{&s}, time.Minute, reachedFile+"="+name(&s)) {
			if r.Status == suite.Fail {
				t.Errorf("%s fails with an SDK that is not broken: %s", s.Name, r.Reason)
			}
		}
	})
	for _, s := range list {
		if s.Always() != "" {
			for _, bug := range Bugs {
				reachable = append(reachable, pair{bug.Name, s.Name})
			}
			continue
		}
		for _, bug := range s.Catches {
			reachable = append(reachable, pair{bug, s.Name})
		}
		text, err := os.ReadFile(name(s))
		if err != nil && !(errors.Is(err, fs.ErrNotExist) && slices.Contains(supposes, s.Name)) {
			t.Error(err)
		}
		for _, bug := range strings.Fields(string(text)) {
			if p := (pair{bug, s.Name}); !slices.Contains(reachable, p) {
				reachable = append(reachable, p)
			}
		}
	}
	return reachable
}

// playPairs plays pairs, those of one bug in one run, and the rules of every session with each.
func playPairs(t *testing.T, list []*sdk.Scenario, played []pair, step time.Duration) map[pair]suite.Result {
	t.Helper()
	chosen := map[string][]*sdk.Scenario{}
	for _, s := range list {
		for _, bug := range Bugs {
			if slices.Contains(played, pair{bug.Name, s.Name}) {
				chosen[bug.Name] = append(chosen[bug.Name], s)
			}
		}
	}
	bugs := slices.Sorted(maps.Keys(chosen))
	results := make([][]suite.Result, len(bugs))
	each(len(bugs), func(i int) { results[i] = playAll(t, bugs[i], chosen[bugs[i]], step) })
	all := map[pair]suite.Result{}
	for i, bug := range bugs {
		for _, r := range results[i] {
			all[pair{bug, r.Scenario}] = r
		}
	}
	return all
}

// each calls do for each number below n, many at a time: most of them wait.
func each(n int, do func(i int)) {
	numbers := make(chan int)
	var workers sync.WaitGroup
	for range 2 * runtime.NumCPU() {
		workers.Go(func() { // ends when numbers is closed
			for i := range numbers {
				do(i)
			}
		})
	}
	for i := range n {
		numbers <- i
	}
	close(numbers)
	workers.Wait()
}

// playAll plays scenarios once.
func playAll(t *testing.T, bug string, list []*sdk.Scenario, step time.Duration, env ...string) []suite.Result {
	subject := sdktest.Subject("broken", bug)
	subject.Name, subject.Features, subject.Env = "brokensdk", features, env
	report, err := sdk.Run(context.Background(), sdk.Options{Scenarios: list, Subject: subject, Parallel: 3, Step: step, Timeout: 10 * step, NoRetry: true})
	if err != nil {
		t.Errorf("%q: %v", bug, err)
		return nil
	}
	return report.Results
}

// matrix is what the file has, by pair.
type matrix map[pair]line

// of returns what the file has of a pair.
func (m matrix) of(p pair) (line, bool) {
	if l, ok := m[p]; ok {
		return l, true
	}
	area, _, _ := strings.Cut(p.scenario, "/")
	l, ok := m[pair{p.bug, area + "/*"}]
	return l, ok && l.sometimes
}

func readMatrix(t *testing.T) matrix {
	t.Helper()
	text, err := os.ReadFile(matrixFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	file := matrix{}
	for l := range strings.Lines(string(text)) {
		what, why, _ := strings.Cut(l, "#")
		words := strings.Fields(what)
		switch {
		case len(words) == 0:
			continue
		case len(words) > 3 || len(words) < 2 || len(words) == 3 && words[2] != "sometimes":
			t.Fatalf("%s: want BUG SCENARIO [sometimes] # why: %s", matrixFile, l)
		}
		file[pair{words[0], words[1]}] = line{len(words) == 3, strings.TrimSpace(why)}
	}
	return file
}

// writeMatrix writes the pairs that fail and that no scenario names, with the reasons that the file
// had before. Who adds one says why.
func writeMatrix(t *testing.T, file matrix, results map[pair]suite.Result, caught map[pair]bool) {
	t.Helper()
	var kept []pair
	for p, r := range results {
		if l, listed := file[p]; !caught[p] && (r.Status == suite.Fail || l.sometimes) {
			if _, inArea := file.of(p); inArea && !listed {
				continue
			}
			kept = append(kept, p)
		}
	}
	for p := range file {
		if strings.HasSuffix(p.scenario, "/*") {
			kept = append(kept, p)
		}
	}
	order := map[string]int{}
	for i, b := range Bugs {
		order[b.Name] = i
	}
	slices.SortFunc(kept, func(a, b pair) int {
		return cmp.Or(cmp.Compare(order[a.bug], order[b.bug]), strings.Compare(a.scenario, b.scenario))
	})
	var b strings.Builder
	b.WriteString("# The scenarios that fail with a broken SDK beside those that name its bug after catches:\n# BUG SCENARIO [sometimes] # why\n")
	for _, p := range kept {
		l := file[p]
		what := p.bug + " " + p.scenario
		if l.sometimes {
			what += " sometimes"
		}
		b.WriteString(strings.TrimSpace(fmt.Sprintf("%-70s # %s", what, l.why)) + "\n")
		if l.why == "" {
			t.Logf("%s %s: %.200s", p.bug, p.scenario, results[p].Reason)
		}
	}
	if err := os.WriteFile(matrixFile, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
