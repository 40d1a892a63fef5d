package main

import (
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
	driver string
	spawn  string
	config string
}

var sdkExits = exits(map[string]string{
	"1":   "a scenario fails that is not a known failure, a known failure does not fail, or no scenario applies",
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
times the time, and only that counts.

The command is split into words as a shell does, and not run by one. --config FILE is a
JSON file with the members driver or spawn, known_failing, skip and env.

It prints a table, or the report as JSON with --json. The report can also be
written to files: --json FILE, --junit FILE, --html FILE.`,
		Example: `  protogen conform sdk --spawn 'python3 hello.py'
  protogen conform sdk --driver 'node driver.mjs' --html report.html
  protogen conform sdk --driver ./driver --run answer --run 'survive/line-*'
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
	addReportFlags(cmd, &f.conformFlags)
	completeBy(cmd, "run", sdkScenarioPatterns)
	completeBy(cmd, "skip", sdkScenarioPatterns)
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
	chosen, err := selectSDKScenarios(cmd, f.run, f.skip)
	if err != nil {
		return err
	}
	if f.list {
		return listSDKScenarios(cmd, chosen, f.json)
	}
	if subject == nil {
		return &usageError{cmd, errors.New("say what to judge: --driver COMMAND, --spawn COMMAND or --config FILE")}
	}
	known, err := readKnown(f.known)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	if err := subject.Probe(ctx); err != nil {
		return unlessStopped(ctx, err)
	}
	tally := newTally(cmd.ErrOrStderr(), 1, len(chosen))
	result, err := sdk.Run(ctx, sdk.Options{Scenarios: chosen, Subject: subject, Parallel: f.parallel, Timeout: f.timeout, Known: known, Progress: tally.add})
	tally.progress.Clear()
	if err != nil {
		return tally.stopped("")
	}
	result.WantJudged()
	if err := writeReports(cmd, &f.conformFlags, result); err != nil {
		return err
	}
	if !result.OK() {
		return errFindings
	}
	return nil
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
func selectSDKScenarios(cmd *cobra.Command, run, skip []string) ([]*sdk.Scenario, error) {
	all, err := sdk.All()
	if err != nil {
		return nil, err
	}
	chosen, err := suite.Select(all, globs(run), globs(skip))
	if none := (*suite.NoMatchError)(nil); errors.As(err, &none) {
		err = suggest(err, string(none.Pattern), sdkScenarioNames())
	}
	if err != nil {
		return nil, &usageError{cmd, err}
	}
	return chosen, nil
}

// sdkScenarioNames returns the names of the scenarios and of their areas.
func sdkScenarioNames() (names []string) {
	all, _ := sdk.All() // they are built in, and a test parses them
	for _, s := range all {
		if area := s.Area(); !slices.Contains(names, area) {
			names = append(names, area)
		}
		names = append(names, s.Name)
	}
	return names
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
	if file == "" {
		return printSDKScenarios(out, list, terminal.Width(out, os.Getenv))
	}
	return printListJSON(out, list, file)
}

// printSDKScenarios prints each scenario in two lines: its name, level and what it needs, and the
// rule.
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
		line := fmt.Sprintf("%-*s  %-11s  %s", names, s.Scenario, s.Level, needs)
		if _, err := fmt.Fprintf(w, "%s\n%s\n", terminal.Cut(line, width), terminal.Cut("    "+s.Title, width)); err != nil {
			return err
		}
	}
	return nil
}
