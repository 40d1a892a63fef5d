package suite_test

import (
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// choose returns the scenarios that match.
func choose(t testing.TB, globs ...suite.Glob) []*scenario.Scenario {
	t.Helper()
	all, err := scenario.All()
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := suite.Select(all, globs, nil)
	if err != nil {
		t.Fatal(err)
	}
	return chosen
}

func TestASessionThatIsRefusedIsPlayedUpToTwiceAgain(t *testing.T) {
	for _, tt := range []struct {
		name           string
		known          string
		refused, calls int // how many sessions Judge refuses, and how many it sees
		want           suite.Status
	}{
		{"never refused", "", 0, 1, suite.Pass},
		{"by chance", "", 2, 3, suite.Pass},
		{"every time", "", 9, 3, suite.Fail},
		{"as is known", "turn/text # it is another", 9, 1, suite.KnownFailing},
	} {
		t.Run(tt.name, func(t *testing.T) {
			known, err := suite.ParseKnown(strings.NewReader(tt.known))
			if err != nil {
				t.Fatal(err)
			}
			calls := 0
			report, err := suite.Run(t.Context(), suite.Options{
				Scenarios: choose(t, "turn/text"), Targets: []suite.Target{simulated(t)}, Known: known,
				Judge: func(suite.Target, *scenario.Scenario, *suite.Played) error {
					if calls++; calls <= tt.refused {
						return errors.New("not as recorded")
					}
					return nil
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := report.Results[0].Status; got != tt.want || calls != tt.calls {
				t.Errorf("got %s after %d sessions, want %s after %d", got, calls, tt.want, tt.calls)
			}
		})
	}
}

func TestEveryScenarioHoldsOnItsRecording(t *testing.T) {
	played := choose(t)
	if testing.Short() {
		var sample []*scenario.Scenario
		for i := 0; i < len(played); i += 4 {
			sample = append(sample, played[i])
		}
		played = sample
	}
	report, err := suite.Run(t.Context(), suite.Options{Scenarios: played, Targets: []suite.Target{replayed(t)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Status == suite.Fail {
			t.Errorf("%s: %s", r.Scenario, r.Reason)
		}
		for _, f := range r.Findings {
			t.Errorf("%s: not in the schemas: %s %s", r.Scenario, f.Frame, f.Deviation)
		}
	}
}

func TestAScenarioHoldsOnAProcess(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, name := range []string{"permission/allow", "input/malformed-json"} {
		target := processTarget(t, name)
		report, err := suite.Run(t.Context(), suite.Options{Scenarios: withoutAPI(choose(t, suite.Glob(name))), Targets: []suite.Target{target}})
		if err != nil {
			t.Fatal(err)
		}
		if !report.OK() {
			t.Errorf("%s: %s", name, report.Results[0].Reason)
		}
	}
	checkEmpty(t, os.TempDir())
}

// processTarget is a program that is the simulated CLI of a scenario.
func processTarget(t *testing.T, name string) suite.Target {
	t.Helper()
	target, err := suite.NewProcessTarget(t.Context(), simulatedCLI(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// withoutAPI leaves out the steps about the model, which is the simulated CLI's own.
func withoutAPI(all []*scenario.Scenario) (list []*scenario.Scenario) {
	for _, s := range all {
		c := *s
		c.Steps = nil
		for _, step := range s.Steps {
			switch step.Op.(type) {
			case scenario.API, scenario.APITotal:
			default:
				c.Steps = append(c.Steps, step)
			}
		}
		list = append(list, &c)
	}
	return list
}

// inline returns a scenario of the suite with other steps.
func inline(t testing.TB, name, script string) *scenario.Scenario {
	t.Helper()
	parsed, err := scenario.Parse(name, []byte("It holds.\n\nlevel: required\nsince: 1.0.85\n-- script --\n"+script))
	if err != nil {
		t.Fatal(err)
	}
	s := *choose(t, suite.Glob(name))[0]
	s.Steps, s.Versions = parsed.Steps, parsed.Versions
	return &s
}

func TestALineOfTheMirrorIsForEveryStepThatItMatches(t *testing.T) {
	const start = "init\n" +
		`> {"type":"user","uuid":"11111111-2222-4333-8444-555555555555","message":{"role":"user","content":"greet me"},"parent_tool_use_id":null}` + "\n"
	for _, tt := range []struct {
		name, step string
		want       suite.Status
	}{
		{"the mirror", `< {"type":"transcript_mirror"}` + "\n", suite.Pass},
		{"any other line", `< {"type":"result"}` + "\n", suite.Fail},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			steps := strings.Repeat(tt.step, 50) // more than there are lines
			report, err := suite.Run(t.Context(), suite.Options{
				Scenarios: []*scenario.Scenario{inline(t, "stream/session-mirror", start+"<unordered\n"+steps+"<end\n")},
				Targets:   []suite.Target{simulated(t)}, Timeout: 5 * time.Second,
			})
			if err != nil {
				t.Fatal(err)
			}
			if r := report.Results[0]; r.Status != tt.want {
				t.Errorf("got %s: %s, want %s", r.Status, r.Reason, tt.want)
			}
		})
	}
}

func TestFailuresSayWhatIsWrong(t *testing.T) {
	for _, tt := range []struct{ name, script, want string }{
		{"other value", "init\nuser \"greet me\"\n<result {\"result\":\"Bye.\"}\n", `script line 3: no line matches {"type":"result","result":"Bye."}: timeout after 5s; the nearest differs: /result is "Hello.", want "Bye."`},
		{"must never come", "<never {\"type\":\"assistant\"}\ninit\nuser \"greet me\"\n<result\n", "a line that must never come"},
		{"must not come yet", "init\nuser \"greet me\"\n<not {\"type\":\"assistant\"}\n<result\n", "a line that must not come yet"},
		{"other exit code", "init\nuser \"greet me\"\n<result\napi 1 {\"text\":\"greet me\"}\napi total 1\neof\nexit 3\n", "ended with code 0, want 3"},
		{"nothing bound", "init\nanswer ask {}\n", "nothing has bound ask"},
		{"stderr", "init\nuser \"greet me\"\n<result\neof\nexit 0\nstderr \"boom\"\n", `stderr does not match "boom"`},
		{"model", "init\nuser \"greet me\"\n<result\napi 1 {\"text\":\"other\"}\n", `request 1 to the model does not match: /text is "greet me", want "other"`},
		{"silence", "init\nuser \"greet me\"\n<none 100ms\n<result\n", "a line that must not come"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			report, err := suite.Run(t.Context(), suite.Options{
				Scenarios: []*scenario.Scenario{inline(t, "turn/text", tt.script)}, Targets: []suite.Target{simulated(t)}, Timeout: 5 * time.Second,
			})
			if err != nil {
				t.Fatal(err)
			}
			r := report.Results[0]
			if r.Status != suite.Fail || !strings.Contains(r.Reason, tt.want) {
				t.Errorf("got %s: %s\nwant %s", r.Status, r.Reason, tt.want)
			}
			if len(r.Trace) == 0 {
				t.Error("a failure has no trace")
			}
		})
	}
}

func TestTheBodyOfAReplyIsJudgedByWhatWasAsked(t *testing.T) {
	for _, tt := range []struct {
		name, scenario, old, new string
		reason                   string // why it fails, "" if it does not
		found                    string // what the schemas do not name
	}{
		{"broken", "mcp/status", `"mcpServers":[`, `"mcpServers":5,"x":[`, "the body of the reply does not fit the schemas: invalid at /mcpServers", ""},
		{"a new member", "mcp/status", `"mcpServers":[`, `"novel":1,"mcpServers":[`, "", `reply to mcp_status unknown member at /novel: "novel"`},
		{"a body where none is known", "end/end-session", `"request_id":"bye"`, `"request_id":"bye","response":{"novel":1}`, "", `reply to end_session unknown member at /novel: "novel"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			changed := replayed(t).Changed(func(_ *scenario.Scenario, entries []recording.Entry) []recording.Entry {
				entries = slices.Clone(entries)
				for i := range entries {
					if e := &entries[i]; e.Dir == recording.ToSDK && strings.Contains(e.Line, "control_response") {
						e.Line = strings.Replace(e.Line, tt.old, tt.new, 1)
					}
				}
				return entries
			})
			played := choose(t, suite.Glob(tt.scenario))
			if tt.scenario == "end/end-session" { // it wants no body
				played[0] = inline(t, tt.scenario, "init\nrequest bye {\"subtype\":\"end_session\",\"reason\":\"done here\"}\n<ok bye\nexit 0\n")
			}
			report, err := suite.Run(t.Context(), suite.Options{Scenarios: played, Targets: []suite.Target{changed}})
			if err != nil {
				t.Fatal(err)
			}
			r := report.Results[0]
			if !strings.Contains(r.Reason, tt.reason) || (r.Status == suite.Fail) != (tt.reason != "") {
				t.Errorf("got %s: %s\nwant %s", r.Status, r.Reason, tt.reason)
			}
			var found []string
			for _, f := range r.Findings {
				found = append(found, f.Frame+" "+f.Deviation.String())
			}
			if tt.found != "" && !slices.Equal(found, []string{tt.found}) {
				t.Errorf("found %q, want %q", found, tt.found)
			}
		})
	}
}

func TestAStepThatNothingCanMatchAnyMoreFailsBeforeItsTime(t *testing.T) {
	s := inline(t, "turn/text", "init\nuser \"greet me\"\n<result\n< {\"type\":\"assistant\"}\n")
	synctest.Test(t, func(t *testing.T) {
		report, err := suite.Run(t.Context(), suite.Options{
			Scenarios: []*scenario.Scenario{s}, Targets: []suite.Target{simulated(t)},
		})
		if err != nil {
			t.Fatal(err)
		}
		if r := report.Results[0]; r.Status != suite.Fail || !strings.Contains(r.Reason, "the turn is over, and the CLI has written nothing for 8s") {
			t.Errorf("got %s: %s", r.Status, r.Reason)
		}
	})
}

func TestAnUnexpectedRequestOfTheCLIFails(t *testing.T) {
	s := inline(t, "permission/deny", "init\nuser \"write a file\"\n<result\n")
	report, err := suite.Run(t.Context(), suite.Options{Scenarios: []*scenario.Scenario{s}, Targets: []suite.Target{simulated(t)}, Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if r := report.Results[0]; !strings.Contains(r.Reason, "the CLI asks what the scenario does not expect") {
		t.Errorf("got %s", r.Reason)
	}
}

func TestScenariosForOtherVersionsAreNotPlayed(t *testing.T) {
	s := inline(t, "turn/text", "init\n")
	s.Versions.Until = s.Versions.Since
	report, err := suite.Run(t.Context(), suite.Options{Scenarios: []*scenario.Scenario{s}, Targets: []suite.Target{simulated(t)}})
	if err != nil {
		t.Fatal(err)
	}
	if r := report.Results[0]; r.Status != suite.NotApplicable || !report.OK() {
		t.Errorf("got %s: %s", r.Status, r.Reason)
	}
}

func TestAScenarioDoesNotApplyWithoutTheProgramsThatItNeeds(t *testing.T) {
	s := inline(t, "turn/text", "init\n")
	s.Needs = []string{"go", "no-such-program"}
	report, err := suite.Run(t.Context(), suite.Options{Scenarios: []*scenario.Scenario{s}, Targets: []suite.Target{simulated(t)}})
	if err != nil {
		t.Fatal(err)
	}
	if r := report.Results[0]; r.Status != suite.NotApplicable || r.Reason != "no-such-program is not installed" {
		t.Errorf("got %s: %s", r.Status, r.Reason)
	}
}

func TestWhatTakesLongestIsPlayedFirst(t *testing.T) {
	expected := map[string]time.Duration{"turn/multi": 2 * time.Second, "end/eof-idle": time.Second}
	var played []string
	report, err := suite.Run(t.Context(), suite.Options{
		Scenarios: choose(t, "control/set-model", "end/eof-idle", "turn/multi", "turn/text"), Targets: []suite.Target{simulated(t)}, Parallel: 1,
		Expected: func(target, name string) time.Duration { return expected[name] },
		Progress: func(_, _ int, r *suite.Result) { played = append(played, r.Scenario) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"turn/multi", "end/eof-idle", "control/set-model", "turn/text"}, played); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if !slices.IsSortedFunc(report.Results, func(a, b suite.Result) int { return strings.Compare(a.Scenario, b.Scenario) }) {
		t.Error("the results are not sorted by scenario")
	}
}

func TestWhatIsKnownToFailIsPlayedBeforeWhatHolds(t *testing.T) {
	known, err := suite.ParseKnown(strings.NewReader("turn/text sometimes # it waits\n"))
	if err != nil {
		t.Fatal(err)
	}
	var played []string
	_, err = suite.Run(t.Context(), suite.Options{
		Scenarios: choose(t, "control/set-model", "turn/text"), Targets: []suite.Target{simulated(t)}, Parallel: 1, Known: known,
		Progress: func(_, _ int, r *suite.Result) { played = append(played, r.Scenario) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"turn/text", "control/set-model"}, played); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// waitingTarget has a limit of its own, and starts no CLI before that is over.
type waitingTarget struct{ suite.Target }

func (waitingTarget) Limit() time.Duration { return time.Second }

func (waitingTarget) Start(ctx context.Context, _ *scenario.Scenario) (suite.Peer, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

func TestSimulatedCLIsThatWaitAreWaitedForAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := inline(t, "turn/text", "init\n")
		start := time.Now()
		_, err := suite.Run(t.Context(), suite.Options{
			Scenarios: slices.Repeat([]*scenario.Scenario{s}, 8*runtime.NumCPU()), Targets: []suite.Target{waitingTarget{simulated(t)}},
		})
		if took := time.Since(start); err != nil || took > time.Second {
			t.Errorf("it took %v: %v", took, err)
		}
	})
}

func TestRunStopsAndCleansUpWhenItsContextEnds(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path := program(t, `if [ "$1" = --version ]; then echo "1.0.59 (Claude Code)"; exit 0; fi; sleep 300`)
	target, err := suite.NewProcessTarget(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	s := inline(t, "turn/text", "init\n")
	s.Versions.Since = target.Version()
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("the user has had enough")
	time.AfterFunc(300*time.Millisecond, func() { cancel(stopped) })
	start := time.Now()
	_, err = suite.Run(ctx, suite.Options{Scenarios: []*scenario.Scenario{s, s, s, s}, Targets: []suite.Target{target}})
	if !errors.Is(err, stopped) || time.Since(start) > 10*time.Second {
		t.Errorf("got %v after %v", err, time.Since(start))
	}
	checkEmpty(t, os.TempDir())
}

func TestKnownFailures(t *testing.T) {
	good, bad := inline(t, "turn/text", "init\nuser \"greet me\"\n<result\n"), inline(t, "turn/multi", "init\neof\nexit 3\n")
	for _, tt := range []struct {
		name, list string
		status     suite.Status // of turn/multi
		problems   []string
	}{
		{"listed", "turn/multi # a reason\n", suite.KnownFailing, nil},
		{"listed by wildcard", "*/mu* [>=2.0.0] # a reason\n", suite.KnownFailing, nil},
		{"not for this version", "turn/multi [<2.0.0] # a reason\n", suite.Fail, []string{"line 1 of the known failures (turn/multi) matches nothing that was run"}},
		{"stale pattern", "turn/multi # a reason\nhook/* # gone\n", suite.KnownFailing, []string{"line 2 of the known failures (hook/*) matches nothing that was run"}},
		{"passes", "\n# comment\nturn # a reason\n", suite.KnownFailing, []string{"turn/text on " + simulated(t).Name() + " passes, but line 3 of the known failures lists it (a reason)"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			known, err := suite.ParseKnown(strings.NewReader(tt.list))
			if err != nil {
				t.Fatal(err)
			}
			var seen suite.Status // of turn/multi, while the run goes on
			report, err := suite.Run(t.Context(), suite.Options{
				Scenarios: []*scenario.Scenario{good, bad}, Targets: []suite.Target{simulated(t)}, Known: known, Timeout: 5 * time.Second,
				Progress: func(_, _ int, r *suite.Result) {
					if r.Scenario == bad.Name {
						seen = r.Status
					}
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := report.Results[1].Status; got != tt.status || seen != tt.status {
				t.Errorf("got %s, and %s while it ran, want %s: %s", got, seen, tt.status, report.Results[1].Reason)
			}
			if diff := cmp.Diff(tt.problems, report.Problems); diff != "" {
				t.Errorf("problems: -want +got\n%s", diff)
			}
			if want := tt.status == suite.KnownFailing && tt.problems == nil; report.OK() != want {
				t.Errorf("OK is %v", report.OK())
			}
		})
	}
}

func TestAKnownFailureNeedsAReason(t *testing.T) {
	for _, list := range []string{"turn/multi\n", "turn/multi #\n", "[ # x\n", "turn/multi [2.0] # x\n"} {
		if _, err := suite.ParseKnown(strings.NewReader(list)); err == nil {
			t.Errorf("%q is accepted", list)
		}
	}
}

func TestSelect(t *testing.T) {
	all := []*scenario.File{{Name: "hook/deny"}, {Name: "permission/allow"}, {Name: "permission/deny"}}
	for _, tt := range []struct {
		name      string
		run, skip []suite.Glob
		want      []string
	}{
		{"all", nil, nil, []string{"hook/deny", "permission/allow", "permission/deny"}},
		{"area", []suite.Glob{"permission"}, nil, []string{"permission/allow", "permission/deny"}},
		{"name in any area", []suite.Glob{"deny"}, nil, []string{"hook/deny", "permission/deny"}},
		{"path", []suite.Glob{"hook/*"}, nil, []string{"hook/deny"}},
		{"everything", []suite.Glob{"**"}, []suite.Glob{"permission/*"}, []string{"hook/deny"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			chosen, err := suite.Select(all, tt.run, tt.skip)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range chosen {
				got = append(got, s.Name)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
	for _, bad := range [][2][]suite.Glob{{{"nothing"}, nil}, {nil, {"nothing"}}, {{"["}, nil}, {{"hook"}, {"deny"}}} {
		if _, err := suite.Select(all, bad[0], bad[1]); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}
