package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/shell"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/sdk"
	"github.com/ccwire/ccwire/internal/terminal"
)

// sdkFlags are the flags of conform sdk; the reports are those of conform.
type sdkFlags struct {
	conformFlags
	driver    string
	spawn     string
	config    string
	scenarios string
	onlyOwn   bool
	write     string
	ready     time.Duration
	failFast  bool
	noRetry   bool
	repeat    int
	checkOnly bool // --check-driver
}

var sdkExits = exits(map[string]string{
	"1":   "a scenario fails that is not a known failure, a known failure does not fail, or no scenario applies; something is wrong with the driver, for --check-driver",
	"2":   "the run is not possible: the driver does not start, or does not say that it is ready",
	"130": "stopped by a signal; what was done so far is on the standard error",
})

func newConformSDK() *cobra.Command {
	var f sdkFlags
	cmd := &cobra.Command{
		Use:   "sdk --driver COMMAND | --spawn COMMAND",
		Short: "Judge an SDK by playing scenarios with it",
		Long: `Sdk judges an SDK in any language. A simulated CLI plays the scenarios with it, faults
included, and notes what the SDK does on the wire. No key, no network and no CLI is needed.

--spawn COMMAND runs any program that sends one prompt through the SDK and ends. The
simulated CLI is the claude in its PATH, and its path is in CCWIRE_CLAUDE. It is judged on
the wire alone, by the scenarios that need nothing else.

--driver COMMAND runs a driver: a small program that uses the SDK as it is told on its
stdin, and tells on its stdout what the SDK gave its user. It is judged by all scenarios
whose features the SDK has. docs/drivers.md has the protocol.

What fails only because a time was over is played again at the end, alone and with three
times the time, and only that counts; --no-retry leaves that out.

--known-failing @FILE lists failures that are expected, one PATTERN # REASON on a line;
"PATTERN sometimes # REASON" may pass too. --write-known-failing FILE writes that list as
the run shows it to be: what fails is added with its reason, what passes is dropped.

--scenarios DIR plays the scenarios in DIR/AREA/NAME.txtar too, with --only-own them alone.

--check-driver plays no scenario: it finds what is wrong with the driver itself, so that it
is not taken for a fault of the SDK. It speaks with the driver, and tries each feature that
it declares with a CLI that behaves.

The command is split into words as a shell does, and not run by one. --config FILE is a
JSON file with the members driver or spawn, known_failing, scenarios, skip and env.

It prints a table, or the report as JSON with --json. The report can also be
written to files: --json FILE, --junit FILE, --html FILE.`,
		Example: `  protogen conform sdk --spawn 'python3 hello.py'
  protogen conform sdk --driver 'node driver.mjs' --html report.html
  protogen conform sdk --driver ./driver --run answer --run 'survive/line-*'
  protogen conform sdk --driver ./driver --write-known-failing known-failing.txt
  protogen conform sdk --check-driver --driver 'python3 driver.py'
  protogen conform sdk --list --run refuse`,
		Annotations: sdkExits,
		Args:        f.args,
		RunE:        func(cmd *cobra.Command, args []string) error { return runConformSDK(cmd, &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.driver, "driver", "", "the `command` of a driver")
	flags.StringVar(&f.spawn, "spawn", "", "the `command` of a program that sends one prompt and ends")
	flags.StringVar(&f.config, "config", "", "a JSON `file` that says what to judge")
	flags.StringArrayVar(&f.run, "run", nil, "play only scenarios that match this `pattern` (area, name or area/name; may be repeated)")
	flags.StringArrayVar(&f.skip, "skip", nil, "leave out scenarios that match this `pattern` (may be repeated)")
	flags.BoolVar(&f.list, "list", false, "play nothing: list the scenarios that would be played, with what must hold")
	flags.StringVar(&f.known, "known-failing", "", "the `@file` that lists the failures that are expected")
	flags.IntVar(&f.parallel, "parallel", 0, "how many cases run at once (default: one more than twice the number of processors)")
	flags.DurationVar(&f.timeout, "timeout", sdk.DefaultTimeout, "how long a scenario may take that sets no time of its own")
	flags.StringVar(&f.write, "write-known-failing", "", "write what fails to this `file`, keeping the reasons that it has")
	flags.StringVar(&f.scenarios, "scenarios", "", "play the scenarios in this `folder` too, AREA/NAME.txtar")
	flags.BoolVar(&f.onlyOwn, "only-own", false, "play only the scenarios of --scenarios, not those that are built in")
	flags.DurationVar(&f.ready, "ready-timeout", sdk.DefaultReady, "how long the driver may take to say that it is ready")
	flags.BoolVar(&f.failFast, "fail-fast", false, "stop at the first failure that is not known")
	flags.BoolVar(&f.noRetry, "no-retry", false, "do not play again what fails only because a time was over")
	flags.BoolVar(&f.checkOnly, "check-driver", false, "play nothing: find what is wrong with the driver itself")
	flags.IntVar(&f.repeat, "repeat", 1, "play each scenario so many times")
	addReportFlags(cmd, &f.conformFlags)
	completeBy(cmd, "run", sdkScenarioPatterns)
	completeBy(cmd, "skip", sdkScenarioPatterns)
	cmd.AddCommand(newInitSDK())
	return cmd
}

func runConformSDK(cmd *cobra.Command, f *sdkFlags) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	subject, err := f.subject(cmd)
	if err != nil {
		return err
	}
	all, err := f.all(cmd)
	if err != nil {
		return err
	}
	chosen, err := selectSDKScenarios(cmd, all, f.run, f.skip)
	if err != nil {
		return err
	}
	if f.list {
		return listSDKScenarios(cmd, chosen, f.json)
	}
	if subject == nil {
		return &usageError{cmd, errors.New("say what to judge: --driver COMMAND, --spawn COMMAND or --config FILE")}
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	if f.checkOnly {
		return f.checkDriver(ctx, cmd, subject)
	}
	known, err := readKnown(f.known)
	if err != nil {
		return err
	}
	if err := f.probe(ctx, cmd, subject); err != nil {
		return unlessStopped(ctx, err)
	}
	tally := newTally(cmd.ErrOrStderr(), 1, len(chosen))
	result, err := sdk.Run(ctx, sdk.Options{
		Scenarios: chosen, Subject: subject, Parallel: f.parallel, Timeout: f.timeout, Known: suite.Narrow(known, all, chosen),
		FailFast: f.failFast, NoRetry: f.noRetry, Repeat: f.repeat, Progress: tally.add,
	})
	tally.progress.Clear()
	if err != nil {
		return tally.stopped("")
	}
	result.WantJudged()
	if err := writeReports(cmd, &f.conformFlags, result); err != nil {
		return err
	}
	if f.write != "" && result.Count(suite.NotApplicable) < len(result.Results) {
		return f.writeKnown(cmd, result, subject.Version, all)
	}
	if !result.OK() {
		return errFindings
	}
	return nil
}

// check rejects what would only show at the end of the run.
func (f *sdkFlags) check(cmd *cobra.Command) error {
	f.write = strings.TrimPrefix(f.write, "@")
	err := errors.Join(f.conformFlags.check(cmd), wantPositive(cmd, "repeat", f.repeat), wantPositive(cmd, "ready-timeout", f.ready), checkFile("write-known-failing", f.write))
	switch {
	case err != nil:
		return err
	case f.onlyOwn && f.scenarios == "" && f.config == "":
		return &usageError{cmd, errors.New("--only-own needs --scenarios FOLDER")}
	case f.write != "" && f.failFast:
		return &usageError{cmd, errors.New("--write-known-failing needs a whole run: leave --fail-fast out")}
	case f.write != "" && f.known != "" && strings.TrimPrefix(f.known, "@") != f.write:
		return &usageError{cmd, errors.New("--known-failing and --write-known-failing name different files: give the second alone, it reads the file too")}
	}
	if _, err := os.Stat(f.write); f.write != "" && err == nil {
		f.known = f.write
	}
	return nil
}

// sayAfter is how long the driver is waited for before that is said.
const sayAfter = 5 * time.Second

// probe asks the driver what it is, and says that it does if that takes long.
func (f *sdkFlags) probe(ctx context.Context, cmd *cobra.Command, s *sdk.Subject) error {
	s.Ready = f.ready
	say := time.AfterFunc(sayAfter, func() {
		fmt.Fprintf(cmd.ErrOrStderr(), "protogen: waiting for the driver to say that it is ready, up to %v (--ready-timeout): %s\n", f.ready, strings.Join(s.Args, " "))
	})
	defer say.Stop()
	return s.Probe(ctx)
}

// writeKnown writes the list of what fails, and says what is new in it.
func (f *sdkFlags) writeKnown(cmd *cobra.Command, r *suite.Report, version string, all []*sdk.Scenario) error {
	var before string
	if f.known != "" {
		text, err := os.ReadFile(strings.TrimPrefix(f.known, "@"))
		if err != nil {
			return err
		}
		before = string(text)
	}
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.Name
	}
	after, change, err := suite.RewriteKnown(before, r, version, names)
	if err != nil {
		return err
	}
	if err := writeFile("write-known-failing", f.write, []byte(after)); err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s:\n%s", f.write, change)
	return nil
}

// all returns the scenarios that there are, before patterns choose.
func (f *sdkFlags) all(cmd *cobra.Command) (all []*sdk.Scenario, err error) {
	switch {
	case f.onlyOwn && f.scenarios == "":
		return nil, &usageError{cmd, errors.New("--only-own needs --scenarios FOLDER")}
	case f.scenarios == "":
		return sdk.All()
	case f.onlyOwn:
		all, err = sdk.Own(os.DirFS(f.scenarios))
	default:
		all, err = sdk.With(os.DirFS(f.scenarios))
	}
	if err != nil {
		return nil, fmt.Errorf("--scenarios %s: %w", f.scenarios, err)
	}
	return all, nil
}

// subject returns what the flags and the file say, nil if they say nothing.
func (f *sdkFlags) subject(cmd *cobra.Command) (*sdk.Subject, error) {
	var env []string
	if f.config != "" {
		c, err := sdk.ReadConfig(f.config)
		if path := (*fs.PathError)(nil); errors.As(err, &path) {
			err = path.Err
		}
		if err != nil {
			return nil, fmt.Errorf("--config %s: %w: give a JSON file with the member driver or spawn", f.config, err)
		}
		if f.driver == "" && f.spawn == "" {
			f.driver, f.spawn = c.Driver, c.Spawn
		}
		if f.known == "" {
			f.known = c.KnownFailing
		}
		if f.scenarios == "" {
			f.scenarios = c.Scenarios
		}
		f.skip = append(f.skip, c.Skip...)
		for k, v := range c.Env {
			env = append(env, k+"="+v)
		}
		slices.Sort(env)
	}
	text := f.driver
	switch {
	case f.driver != "" && f.spawn != "":
		return nil, &usageError{cmd, errors.New("give --driver or --spawn, not both")}
	case f.spawn != "":
		text = f.spawn
	case text == "":
		return nil, nil
	}
	args, err := shell.Fields(text, os.Getenv)
	if err != nil || len(args) == 0 {
		return nil, &usageError{cmd, fmt.Errorf("%q is not a command: %v", text, err)}
	}
	s := &sdk.Subject{Args: args, Spawn: f.spawn != "", Env: env}
	return s, s.Resolve()
}

// selectSDKScenarios returns the scenarios that match one of run, or all, and none of skip.
func selectSDKScenarios(cmd *cobra.Command, all []*sdk.Scenario, run, skip []string) ([]*sdk.Scenario, error) {
	chosen, err := suite.Select(all, globs(run), globs(skip))
	if none := (*suite.NoMatchError)(nil); errors.As(err, &none) {
		err = suggest(err, string(none.Pattern), suite.Names(all))
	}
	if err != nil {
		return nil, &usageError{cmd, err}
	}
	return chosen, nil
}

// sdkScenarioPatterns returns the names with their titles, for a shell.
func sdkScenarioPatterns() (words []string) {
	all, _ := sdk.All()
	for _, s := range all {
		words = append(words, cobra.CompletionWithDesc(s.Name, s.Title))
	}
	return words
}

// A listedSDKScenario is a scenario for SDKs in a list.
type listedSDKScenario struct {
	Scenario   string         `json:"scenario"`
	Area       string         `json:"area"`
	Title      string         `json:"title"`
	Level      scenario.Level `json:"level"`
	From       string         `json:"from"` // where the rule comes from
	Needs      []string       `json:"needs,omitempty"`
	Driverless bool           `json:"driverless,omitempty"`
	Timeout    time.Duration  `json:"timeout,omitempty"`
}

// listSDKScenarios prints what would be played: a table, or JSON to where the flag --json says.
func listSDKScenarios(cmd *cobra.Command, all []*sdk.Scenario, file string) error {
	list := make([]listedSDKScenario, 0, len(all))
	for _, s := range all {
		list = append(list, listedSDKScenario{s.Name, s.Area(), s.Title, s.Level, s.From, s.Needs, s.Driverless, s.Timeout})
	}
	out := cmd.OutOrStdout()
	if file != "" {
		return printListJSON(out, list, file)
	}
	width := 0
	if terminal.Is(out) {
		width = terminal.Width(out, os.Getenv)
	}
	return printSDKScenarios(out, list, width)
}

// printSDKScenarios prints each scenario: its name, level and what it needs, the rule, and where
// that comes from. Lines are as long as they are, or at most width columns if that is not 0.
func printSDKScenarios(w io.Writer, list []listedSDKScenario, width int) error {
	names := 0
	for _, s := range list {
		names = max(names, len(s.Scenario))
	}
	for _, s := range list {
		needs := strings.Join(s.Needs, ", ")
		if s.Driverless {
			needs = strings.TrimPrefix(needs+", no driver", ", ")
		}
		text := fmt.Sprintf("%-*s  %-11s  %s\n    %s\n    from: %s", names, s.Scenario, s.Level, needs, s.Title, s.From)
		if width > 0 {
			first, rest, _ := strings.Cut(text, "\n")
			text = terminal.Cut(first, width) + "\n" + terminal.Reflow(rest, width)
		}
		if _, err := fmt.Fprintln(w, text); err != nil {
			return err
		}
	}
	return nil
}
