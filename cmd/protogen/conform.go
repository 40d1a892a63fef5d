package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/conformance"
	"github.com/ccwire/ccwire/conformance/reports"
	"github.com/ccwire/ccwire/conformance/scenarios"
	"github.com/ccwire/ccwire/internal/terminal"
)

func init() { register(newConform) }

// conformFlags are the flags of conform.
type conformFlags struct {
	target   targetFlags
	run      []string
	skip     []string
	known    string
	parallel int
	timeout  time.Duration
	json     string
	junit    string
	html     string
}

func newConform() *cobra.Command {
	var f conformFlags
	cmd := &cobra.Command{
		Use:   "conform",
		Short: "Judge a CLI by playing scenarios against it",
		Long: `Conform plays the scenarios of ccwire: it is the SDK, and a fake Messages API on
loopback is the model, so no key and no network is needed. Without --bin or --npm
it plays them against the simulated CLI that ccwire brings along.

The exit code is 0 if nothing unexpected happened, 1 if a scenario fails that is
not in the list of known failures, 2 if the run is not possible.`,
		Example: `  protogen conform
  protogen conform cli --bin ~/.local/bin/claude --run permission --run 'hook/*'
  protogen conform cli --npm 2.1.200,latest --html report.html`,
		Args: wantNothing,
		RunE: func(cmd *cobra.Command, args []string) error { return runConform(cmd, &f) },
	}
	addConformFlags(cmd, &f)
	cli := &cobra.Command{
		Use:     "cli",
		Short:   "Judge a CLI (what conform does by itself)",
		Long:    "Cli is what conform does when it is given nothing else to judge.",
		Example: `  protogen conform cli --npm latest`,
		Args:    wantNothing,
		RunE:    func(cmd *cobra.Command, args []string) error { return runConform(cmd, &f) },
	}
	addConformFlags(cli, &f)
	cmd.AddCommand(cli)
	return cmd
}

func addConformFlags(cmd *cobra.Command, f *conformFlags) {
	addTargetFlags(cmd, &f.target)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.run, "run", nil, "play only scenarios that match this `pattern` (area, name or area/name; may be repeated)")
	flags.StringArrayVar(&f.skip, "skip", nil, "leave out scenarios that match this `pattern` (may be repeated)")
	flags.StringVar(&f.known, "known-failing", "", "the `@file` that lists the failures that are expected")
	flags.IntVar(&f.parallel, "parallel", 0, "how many sessions run at once (default: one for each processor)")
	flags.DurationVar(&f.timeout, "timeout", conformance.DefaultTimeout, "how long a scenario may take that sets no time of its own")
	flags.StringVar(&f.json, "json", "", "write the report as JSON to this `file` (- for the standard output, in place of the table)")
	flags.StringVar(&f.junit, "junit", "", "write the report as JUnit XML to this `file`")
	flags.StringVar(&f.html, "html", "", "write the report as one HTML page to this `file`")
}

// interruptible returns a context that ends when the user wants to stop.
func interruptible(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	ctx := cmd.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
}

func runConform(cmd *cobra.Command, f *conformFlags) error {
	ctx, stop := interruptible(cmd)
	defer stop()
	o := conformance.Options{Parallel: f.parallel, Timeout: f.timeout}
	all, err := scenarios.All()
	if err != nil {
		return err
	}
	if o.Scenarios, err = conformance.Select(all, globs(f.run), globs(f.skip)); err != nil {
		return &usageError{cmd, err}
	}
	if o.Known, err = readKnown(f.known); err != nil {
		return &usageError{cmd, err}
	}
	targets, err := f.target.open(ctx, cmd)
	if err != nil {
		return err
	}
	o.Targets = targets
	progress := terminal.NewProgress(cmd.ErrOrStderr(), "scenarios")
	o.Progress = func(int, int, *conformance.Result) { progress.Tick() }
	result, err := conformance.Run(ctx, o)
	progress.Clear()
	if err != nil {
		return errors.New("stopped before the end; nothing is left running")
	}
	if err := writeReports(cmd, f, result); err != nil {
		return err
	}
	if !result.OK() {
		return errFindings
	}
	return nil
}

func globs(patterns []string) (list []conformance.Glob) {
	for _, p := range patterns {
		list = append(list, conformance.Glob(p))
	}
	return list
}

func readKnown(name string) (conformance.Known, error) {
	if name == "" {
		return nil, nil
	}
	file, err := os.Open(strings.TrimPrefix(name, "@"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	known, err := conformance.ParseKnown(file)
	if err != nil {
		return nil, &os.PathError{Op: "read", Path: file.Name(), Err: err}
	}
	return known, nil
}

// writeReports prints the table and writes the files that the flags name.
func writeReports(cmd *cobra.Command, f *conformFlags, r *conformance.Report) error {
	out := cmd.OutOrStdout()
	for _, file := range []struct {
		path   string
		format reports.Format
	}{{f.json, reports.JSON}, {f.junit, reports.JUnit}, {f.html, reports.HTML}} {
		if file.path == "" || file.path == "-" {
			continue
		}
		if err := reports.ToFile(file.path, r, file.format); err != nil {
			return err
		}
	}
	if f.json == "-" {
		return reports.JSON(out, r)
	}
	style, err := styleOf(cmd, out)
	if err != nil {
		return err
	}
	return reports.Table(out, r, reports.Style{Bad: style.Red, Weak: style.Faint, Strong: style.Bold, Text: terminal.Printable})
}
