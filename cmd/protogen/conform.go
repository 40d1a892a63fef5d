package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/recording/capture"
	"github.com/ccwire/ccwire/internal/reports"
	"github.com/ccwire/ccwire/internal/sim/release"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/simtarget"
	"github.com/ccwire/ccwire/internal/terminal"
)

func init() { register(newConform) }

// conformFlags are the flags of conform.
type conformFlags struct {
	target   targetFlags
	run      []string
	skip     []string
	list     bool
	known    string
	parallel int
	timeout  time.Duration
	json     string
	junit    string
	html     string
	times    string
	recorded bool
}

var conformExits = exits(map[string]string{
	"1":   "a scenario fails that is not a known failure, a known failure does not fail, or no scenario applies",
	"130": "stopped by a signal; what was done so far is on the standard error",
})

// args takes the file of "--json FILE". The flag may stand alone, so what is after it comes as an
// argument.
func (f *conformFlags) args(cmd *cobra.Command, args []string) error {
	if len(args) == 1 && f.json == stdoutName {
		f.json, args = args[0], nil
	}
	return wantNothing(cmd, args)
}

// check rejects what would only show at the end of the run.
func (f *conformFlags) check(cmd *cobra.Command) error {
	_, err := styleOf(cmd, cmd.OutOrStdout())
	if f.target.version != "" && f.target.onDisk() {
		err = errors.Join(err, errors.New("--cli-version is for the simulated CLI: leave out --bin and --npm"))
	}
	if f.json != stdoutName {
		err = errors.Join(err, checkFile("json", f.json))
	}
	return errors.Join(err,
		wantPositive(cmd, "parallel", f.parallel), wantPositive(cmd, "timeout", f.timeout),
		checkFile("junit", f.junit), checkFile("html", f.html), checkFile("times", f.times))
}

func newConform() *cobra.Command {
	var f conformFlags
	cmd := &cobra.Command{
		Use:   "conform",
		Short: "Judge a CLI by playing scenarios against it",
		Long: `Conform plays the scenarios of ccwire: it is the SDK, and a fake Messages API on
loopback is the model, so no key and no network is needed. Without --bin or --npm
it plays them against the simulated CLI that is built in; --cli-version makes that
an older version.

A scenario fails if a step of it does not hold, if the session breaks a law that
holds in every session (one session id, one result for a turn, and such), or if
it differs from the recording of the same version, where ccwire has one. The
transcript file of such a version must have nothing that the schemas do not name.
--as-recorded=false leaves the recordings out. They were made on Linux, and are
left out elsewhere unless --as-recorded is given.

What fails only because its time was over is played again at the end, alone and
with three times the time, and only that counts: a busy machine accuses no CLI.

How long the CLI took to reply to each request is in the reports, beside the time
of the last run on the same version. A reply that comes much later is a note, not
a failure. The times of CLIs on disk are kept in the user's folder for caches, or
in --times FILE.

It prints a table, or the report as JSON with --json. The report can also be
written to files: --json FILE, --junit FILE, --html FILE.`,
		Example: `  protogen conform
  protogen conform --list --run permission
  protogen conform cli --bin ~/.local/bin/claude --run permission --run 'hook/*'
  protogen conform cli --npm 2.1.200,latest --html report.html`,
		Annotations: conformExits,
		Args:        f.args,
		RunE:        func(cmd *cobra.Command, args []string) error { return runConform(cmd, &f) },
	}
	addConformFlags(cmd, &f)
	cli := &cobra.Command{
		Use:         "cli",
		Short:       "Judge a CLI (what conform does by itself)",
		Long:        "Cli is what conform does when it is given nothing else to judge.",
		Example:     `  protogen conform cli --npm latest`,
		Annotations: conformExits,
		Args:        f.args,
		RunE:        func(cmd *cobra.Command, args []string) error { return runConform(cmd, &f) },
	}
	addConformFlags(cli, &f)
	cmd.AddCommand(cli, newConformSDK())
	return cmd
}

func addConformFlags(cmd *cobra.Command, f *conformFlags) {
	addTargetFlags(cmd, &f.target)
	flags := cmd.Flags()
	flags.StringVar(&f.target.version, "cli-version", "", "play them against the simulated CLI as this `version` (default: the newest)")
	completeWith(cmd, "cli-version", release.Versions()...)
	flags.StringArrayVar(&f.run, "run", nil, "play only scenarios that match this `pattern` (area, name or area/name; may be repeated)")
	flags.StringArrayVar(&f.skip, "skip", nil, "leave out scenarios that match this `pattern` (may be repeated)")
	flags.BoolVar(&f.list, "list", false, "play nothing: list the scenarios that would be played, with what must hold")
	flags.BoolVar(&f.recorded, "as-recorded", runtime.GOOS == "linux", "fail a scenario whose session differs from the recording of the same version, if ccwire has one")
	flags.StringVar(&f.known, "known-failing", "", "the `@file` that lists the failures that are expected")
	flags.IntVar(&f.parallel, "parallel", 0, "how many sessions run at once (default: one more than there are processors, or eight for each with the simulated CLI)")
	flags.DurationVar(&f.timeout, "timeout", suite.DefaultTimeout, "how long a scenario may take that sets no time of its own")
	addReportFlags(cmd, f)
	flags.StringVar(&f.times, "times", "", "the `file` that keeps the times of the last run (default: ccwire/times.json in the user's folder for caches)")
	completeBy(cmd, "run", scenarioPatterns)
	completeBy(cmd, "skip", scenarioPatterns)
}

// addReportFlags adds the flags that say where reports go.
func addReportFlags(cmd *cobra.Command, f *conformFlags) {
	flags := cmd.Flags()
	flags.StringVar(&f.json, "json", "", "print the report as JSON in place of the table, or write it to this `file`")
	flags.Lookup("json").NoOptDefVal = stdoutName
	flags.StringVar(&f.junit, "junit", "", "write the report as JUnit XML to this `file`")
	flags.StringVar(&f.html, "html", "", "write the report as one HTML page to this `file`")
}

func runConform(cmd *cobra.Command, f *conformFlags) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	chosen, err := selectScenarios(cmd, f.run, f.skip)
	if err != nil {
		return err
	}
	last, err := readTimes(f.times, f.list || f.target.onDisk())
	if err != nil {
		return err
	}
	if f.list {
		return listScenarios(cmd, listed(chosen, last.book), f.json)
	}
	known, err := readKnown(f.known)
	if err != nil {
		return err
	}
	if !f.target.onDisk() && f.known == "" {
		if known, err = knownSimulated(f.target.version, f.recorded, chosen); err != nil {
			return err
		}
	}
	if !f.target.onDisk() {
		if chosen, err = simtarget.Varied(f.target.version, chosen); err != nil {
			return err
		}
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	targets, err := f.target.open(ctx, cmd)
	if err != nil {
		return unlessStopped(ctx, err)
	}
	tally := newTally(cmd.ErrOrStderr(), len(targets), len(chosen))
	options := suite.Options{
		Scenarios: chosen, Targets: targets, Parallel: f.parallel, Timeout: f.timeout, Known: known, Progress: tally.add,
		Expected: last.book.Took,
	}
	if f.recorded {
		options.Judge = capture.Judge
	}
	result, err := suite.Run(ctx, options)
	tally.progress.Clear()
	if err != nil {
		return tally.stopped("")
	}
	result.WantJudged()
	if f.recorded {
		for _, t := range targets {
			result.Notes = append(result.Notes, capture.Unrecorded(t, chosen)...)
		}
	}
	if err := last.take(cmd, result); err != nil {
		return err
	}
	if err := writeReports(cmd, f, result); err != nil {
		return err
	}
	if !result.OK() {
		return errFindings
	}
	return nil
}

// knownSimulated returns the known failures of the simulated CLI that are among the scenarios.
func knownSimulated(version string, recorded bool, chosen []*scenario.Scenario) (suite.Known, error) {
	known, err := simtarget.KnownOlder(version, recorded)
	return slices.DeleteFunc(known, func(e suite.KnownEntry) bool {
		return !slices.ContainsFunc(chosen, func(s *scenario.Scenario) bool { return e.Pattern.Match(s.Name) })
	}), err
}

func readKnown(name string) (suite.Known, error) {
	if name == "" {
		return nil, nil
	}
	name = strings.TrimPrefix(name, "@")
	text, err := os.ReadFile(name)
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return nil, fmt.Errorf("--known-failing %s: %w: give a file with one PATTERN # REASON in a line", name, path.Err)
	}
	if err != nil {
		return nil, err
	}
	known, err := suite.ParseKnown(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("--known-failing %s: %w", name, err)
	}
	return known, nil
}

// listScenarios prints what conform would play: a table, or JSON to where the flag --json says.
func listScenarios(cmd *cobra.Command, list []listedScenario, file string) error {
	out := cmd.OutOrStdout()
	if file == "" {
		return printScenarios(out, list, terminal.Width(out, os.Getenv))
	}
	return printListJSON(out, list, file)
}

// printListJSON prints a list as JSON, or writes it to a file.
func printListJSON(out io.Writer, list any, file string) error {
	if file == stdoutName {
		return printJSON(out, list)
	}
	var b bytes.Buffer
	if err := printJSON(&b, list); err != nil {
		return err
	}
	return writeFile("json", file, b.Bytes())
}

// writeReports prints the table and writes the files that the flags name.
func writeReports(cmd *cobra.Command, f *conformFlags, r *suite.Report) error {
	out := cmd.OutOrStdout()
	for _, file := range []struct {
		path   string
		format reports.Format
	}{{f.json, reports.JSON}, {f.junit, reports.JUnit}, {f.html, reports.HTML}} {
		if file.path == "" || file.path == stdoutName {
			continue
		}
		if err := reports.ToFile(file.path, r, file.format); err != nil {
			return err
		}
	}
	if f.json == stdoutName {
		return reports.JSON(out, r)
	}
	style, err := styleOf(cmd, out)
	if err != nil {
		return err
	}
	return reports.Table(out, r, reports.Style{Width: terminal.Width(out, os.Getenv), Bad: style.Red, Weak: style.Faint, Strong: style.Bold, Text: terminal.Printable})
}
