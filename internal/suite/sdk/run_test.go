package sdk_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/sdk"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
	"github.com/ccwire/ccwire/internal/suite/sdk/sdktest"
)

const ready = `{"report":"ready","sdk":"bad","version":"1.0.0","features":["session"]}` + "\n"

// bad are drivers that do not do what they should, after their first report.
var bad = map[string]func() int{
	"crash":   func() int { readLine(); fmt.Fprintln(os.Stderr, "out of luck"); return 3 },
	"hang":    hang,
	"garbage": func() int { readLine(); fmt.Println("Hello, I am a driver!"); select {} },
	"flood": func() int {
		lines := strings.Repeat(`{"report":"end"}`+"\n", 1000)
		for {
			if _, err := io.WriteString(os.Stdout, lines); err != nil {
				return 1
			}
		}
	},
	"leave": func() int {
		if err := exec.Command("sleep", "600").Start(); err != nil {
			return 1
		}
		return obey()
	},
	"stay": func() int { obey(); select {} },
	"deaf": func() int { return session(false) },
	"good": obey,
}

// hang takes commands and does nothing.
func hang() int {
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

// starved hangs when it is started for the first three times. After that it is good, as long as
// no other one runs: folder has what they know of each other.
func starved(folder string) int {
	starts := 0
	for {
		if f, err := os.OpenFile(filepath.Join(folder, strconv.Itoa(starts)), os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			f.Close()
			break
		}
		starts++
	}
	fmt.Print(ready)
	if starts < 3 {
		return session(false)
	}
	alone := filepath.Join(folder, "alone")
	if err := os.Mkdir(alone, 0o700); err != nil {
		fmt.Fprintln(os.Stderr, "not alone:", err)
		return 1
	}
	defer os.Remove(alone)
	return session(true)
}

func readLine() {
	var c driver.Command
	_ = json.NewDecoder(os.Stdin).Decode(&c)
}

// session starts the CLI at the first command, says that each is done, and closes its input in the
// end. It goes on only if it answers.
func session(answers bool) int {
	commands := json.NewDecoder(os.Stdin)
	var c driver.Command
	if commands.Decode(&c) != nil {
		return 0
	}
	cli := exec.Command(c.CLI, "--output-format", "stream-json", "--verbose", "--input-format", "stream-json")
	in, err := cli.StdinPipe()
	if err == nil {
		err = cli.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if !answers {
		return hang()
	}
	for {
		fmt.Printf(`{"report":"done","id":%d}`+"\n", c.ID)
		if commands.Decode(&c) != nil {
			in.Close()
			_ = cli.Wait() // its code is not what this is about
			return 0
		}
	}
}

// obey says that each command is done, and runs a CLI for none.
func obey() int {
	for commands := json.NewDecoder(os.Stdin); ; {
		var c driver.Command
		if commands.Decode(&c) != nil {
			return 0
		}
		fmt.Printf(`{"report":"done","id":%d}`+"\n", c.ID)
	}
}

func TestMain(m *testing.M) {
	roles := map[string]func([]string) int{}
	for name, run := range bad {
		roles[name] = func([]string) int {
			fmt.Print(ready)
			return run()
		}
	}
	roles["starved"] = func(args []string) int { return starved(args[0]) }
	roles["mute"] = func([]string) int { return obey() }
	roles["nothing"] = func([]string) int {
		words, _ := json.Marshal(driver.Features) // strings
		fmt.Printf(`{"report":"ready","sdk":"nothing","version":"1.0.0","features":%s}`+"\n", strings.Replace(string(words), `,"pull"`, "", 1))
		return obey()
	}
	roles["prompt"] = func([]string) int { return onePrompt() }
	sdktest.Main(roles)
	os.Exit(m.Run())
}

// onePrompt sends one prompt to the CLI, as a program does that is judged without a driver.
func onePrompt() int {
	cmd := exec.Command("claude", "--output-format", "stream-json", "--verbose", "--input-format", "stream-json")
	cmd.Stdin = strings.NewReader(`{"type":"user","message":{"role":"user","content":"hello"},"parent_tool_use_id":null,"session_id":""}` + "\n")
	out, err := cmd.Output()
	if err != nil || !bytes.Contains(out, []byte(`"type":"result"`)) {
		return 1
	}
	return 0
}

func parse(t *testing.T, script string, headers ...string) *sdk.Scenario {
	t.Helper()
	s, err := sdk.Parse("test/it", []byte("A rule holds.\n\nharm: loss\nfrom: guard a test\nbasic: session\n"+strings.Join(headers, "")+"\n-- script --\n"+script))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func one(t *testing.T, subject *sdk.Subject, s *sdk.Scenario, step time.Duration) suite.Result {
	t.Helper()
	return all(t, subject, step, s, s).Results[0]
}

func all(t *testing.T, subject *sdk.Subject, step time.Duration, list ...*sdk.Scenario) *suite.Report {
	t.Helper()
	if err := subject.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	report, err := sdk.Run(t.Context(), sdk.Options{Scenarios: list, Subject: subject, Step: step})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestABadDriverFailsItsCaseWithAClearMessage(t *testing.T) {
	for name, want := range map[string]string{
		"crash":   "the driver ended with code 3: out of luck",
		"hang":    "start does not end: nothing came in 300ms",
		"garbage": `the driver wrote a line that is not a report: invalid character 'H'`,
		"flood":   "the driver floods its stdout",
		"leave":   "the driver left processes behind",
		"stay":    "the driver does not end",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && (name == "stay" || name == "leave" || name == "flood") {
				t.Skip("make test-all waits for what does not end soon")
			}
			step := time.Minute
			switch name {
			case "hang":
				step = 300 * time.Millisecond
			case "stay", "leave":
				step = 2 * time.Second
			}
			report := all(t, sdktest.Subject(name), step, parse(t, "start\n"), parse(t, "always ends\n"))
			r, ends := report.Results[0], report.Results[1]
			if r.Status != suite.Inconclusive || len(report.Problems) == 0 {
				t.Errorf("the SDK is judged by what the driver does: %s, %q", r.Status, report.Problems)
			}
			if name == "stay" || name == "leave" {
				r = ends
			} else if ends.Status != suite.Pass {
				t.Errorf("it does not end: %s", ends.Reason)
			}
			if !strings.Contains(r.Reason, want) {
				t.Errorf("%s: %s, want %q", r.Status, r.Reason, want)
			}
		})
	}
}

func TestWhatFailsByALimitIsPlayedAgainAlone(t *testing.T) {
	subject := sdktest.Subject("starved", t.TempDir())
	if err := subject.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, other := parse(t, "start\n"), parse(t, "start\n")
	other.Name = "test/other"
	var done []suite.Status
	report, err := sdk.Run(t.Context(), sdk.Options{
		Scenarios: []*sdk.Scenario{s, other}, Subject: subject, Step: time.Second,
		Progress: func(_, _ int, r *suite.Result) { done = append(done, r.Status) },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Status != suite.Pass || !strings.HasPrefix(r.First, "start does not end: nothing came in ") { // longer on a busy machine
			t.Errorf("%s: %s (first %q)", r.Status, r.Reason, r.First)
		}
	}
	if len(report.Notes) != 2 || !strings.Contains(report.Notes[0], "test/it was played twice") {
		t.Errorf("the notes are %q", report.Notes)
	}
	if len(done) != 2 || done[0] != suite.Pass || done[1] != suite.Pass {
		t.Errorf("the progress is %v: only the second play counts", done)
	}
}

func TestWhatDoesNotAlwaysComeOutTheSameIsARace(t *testing.T) {
	subject := sdktest.Subject("starved", t.TempDir())
	if err := subject.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	report, err := sdk.Run(t.Context(), sdk.Options{Scenarios: []*sdk.Scenario{parse(t, "start\n")}, Subject: subject, Step: time.Second, Repeat: 4})
	if err != nil {
		t.Fatal(err)
	}
	if r := report.Results[0]; r.Status != suite.Fail || r.Played != 4 || r.Failed != 2 || !strings.Contains(r.Reason, "a race: it failed 2 times of 4") {
		t.Errorf("%s: %s (%d of %d)", r.Status, r.Reason, r.Failed, r.Played)
	}
}

func TestASubjectThatHangsEverywhereIsJudgedInThreeMinutes(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all waits for what hangs")
	}
	report := all(t, sdktest.Subject("deaf"), 0, builtin(t)...)
	if report.Duration > 3*time.Minute || report.OK() || report.Count(suite.Fail) != 1 {
		t.Errorf("it took %v, and %d fail: one cause is one failure", report.Duration, report.Count(suite.Fail))
	}
}

func TestAKnownFailureIsNotPlayedAgain(t *testing.T) {
	subject := sdktest.Subject("deaf")
	if err := subject.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	known, err := suite.ParseKnown(strings.NewReader("test/it # it hangs\n"))
	if err != nil {
		t.Fatal(err)
	}
	report, err := sdk.Run(t.Context(), sdk.Options{Scenarios: []*sdk.Scenario{parse(t, "start\n")}, Subject: subject, Step: time.Second, Known: known})
	if err != nil {
		t.Fatal(err)
	}
	if r := report.Results[0]; r.Status != suite.KnownFailing || r.First != "" || len(report.Notes) > 0 {
		t.Errorf("%s: %s (first %q, notes %q)", r.Status, r.Reason, r.First, report.Notes)
	}
}

func TestADriverThatIsNotReadyIsNotJudged(t *testing.T) {
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, context.DeadlineExceeded)
	defer cancel()
	if err := sdktest.Subject("mute").Probe(ctx); err == nil {
		t.Error("a driver that says nothing is ready")
	}
	if err := sdktest.Subject("nobody").Probe(t.Context()); err == nil || !strings.Contains(err.Error(), "ended before it was ready, with code 2: no such subject") {
		t.Error(err)
	}
	if err := (&sdk.Subject{Args: []string{"/no/such/driver"}}).Probe(t.Context()); err == nil || !strings.Contains(err.Error(), "does not start") {
		t.Error(err)
	}
}

func TestAScenarioThatNeedsMoreIsNotApplicable(t *testing.T) {
	r := one(t, sdktest.Subject("good"), parse(t, "start\n", "needs: session hooks\n"), time.Minute)
	if r.Status != suite.NotApplicable || r.Reason != "the SDK has no hooks" {
		t.Errorf("%s: %s", r.Status, r.Reason)
	}
}

func TestAProgramIsJudgedOnTheWireAlone(t *testing.T) {
	subject := func() *sdk.Subject {
		s := sdktest.Subject("prompt")
		s.Spawn = true
		return s
	}
	if r := one(t, subject(), parse(t, "start\nprompt \"x\"\n> {\"type\":\"user\"}\n<result\nread result\nmessage {\"type\":\"result\"}\nexit 0\n", "driverless: yes\n"), time.Minute); r.Status != suite.Pass {
		t.Errorf("%s: %s", r.Status, r.Reason)
	}
	r := one(t, subject(), parse(t, "start\n> {\"type\":\"control_request\"}\n", "driverless: yes\n"), 10*time.Second)
	if r.Status != suite.Fail || !strings.Contains(r.Reason, `/type is "user", want "control_request"`) || r.Line != 2 || len(r.Trace) == 0 {
		t.Errorf("%s: %s (line %d, %d events)", r.Status, r.Reason, r.Line, len(r.Trace))
	}
	if r := one(t, subject(), parse(t, "start\n"), time.Minute); r.Status != suite.NotApplicable || r.Reason != "needs a driver" {
		t.Errorf("%s: %s", r.Status, r.Reason)
	}
}

func TestAFailureShowsHowTheCLIWasStartedAndHowItEnded(t *testing.T) {
	for script, want := range map[string]string{
		"start\ncli {\"args\":[\"$contains\",\"--wings\"]}\n": ": claude --output-format stream-json",
		"start\nexit 7\n": "/code is 0, want 7: the CLI ended with code 0",
	} {
		subject := sdktest.Subject("prompt")
		subject.Spawn = true
		if r := one(t, subject, parse(t, script, "driverless: yes\n"), time.Second); r.Status != suite.Fail || !strings.Contains(r.Reason, want) {
			t.Errorf("%s: %s, want %s", r.Status, r.Reason, want)
		}
	}
}

func TestMistakesInScenariosAreErrors(t *testing.T) {
	const head = "A rule.\n\nharm: loss\nfrom: guard a test\n"
	for text, want := range map[string]string{
		"harm: loss\nfrom: guard x\n-- script --\nstart\n":                      "no prose",
		"A rule.\n\nharm: loss\n-- script --\nstart\n":                          "harm and from are needed",
		head + "needs: wings\n-- script --\nstart\n":                            `unknown feature "wings"`,
		head + "-- script --\nfly\n":                                            `script line 1: unknown step "fly"`,
		head + "-- script --\nstart {\"modle\":1}\n":                            "unknown field",
		head + "-- script --\nstart\nread all\n":                                "script line 2",
		head + "-- script --\ndone fly\n":                                       "is not a command",
		head + "driverless: yes\n-- script --\ninterrupt\n":                     "a driverless scenario",
		head + "-- script --\nstart\n-- sim.json --\n{\"faults\":[\"nois\"]}\n": "no such fault",
		head + "-- script --\n":                                                 "no steps",
		head + "-- other --\nx":                                                 "unknown file",
		head + "from: guard b\n-- script --\nstart\n":                           "duplicate header from",
		head + "since: 2.0\n-- script --\nstart\n":                              "unknown header (timeout, catches, harm, from, needs, except, basic, driverless, decoy)",
		head + "-- script --\nstart\n-- script --\nstart\n":                     "duplicate file script",
		head + "-- script --\nin b eof\n":                                       `"eof" is not a command`,
		head + "-- script --\nstart\nin b start\nclose\n":                       `"b" is not`,
		head + "decoy: no\n-- script --\nstart\n":                               `"no" is not yes`,
		head + "driverless: yes\ndecoy: yes\n-- script --\nstart\n":             "may take its CLI from PATH",
	} {
		if _, err := sdk.Parse("area/name", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
