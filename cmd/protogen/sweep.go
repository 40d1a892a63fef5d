package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/sweep"
	"github.com/ccwire/ccwire/internal/terminal"
)

func init() { register(newSweep) }

// sweepFlags are the flags of sweep.
type sweepFlags struct {
	bin, npm      string
	toggles, with []string
	group         int
	parallel      int
	json, network bool
}

func newSweep() *cobra.Command {
	var f sweepFlags
	cmd := &cobra.Command{
		Use:   "sweep --npm VERSION|--bin PATH",
		Short: "Find what a CLI says under its environment variables and flags",
		Long: `Sweep finds the names of environment variables and flags in the package of a CLI,
and plays one rich session under each, offline, against the fake API. It lists
what the CLI writes then, on stdout and into its transcript, and the schemas do
not name, with the variables and flags that show it.

Variables are tried many at once, and fewer at a time where that shows something
or the session does not come to its end; what only several show together is
said so. They are set to 1, or to a few values where the names of those are
known. Those whose name says that they want an address, a path, a time, a number
or a secret are left out. Flags are tried alone and get no value. With --with,
everything is tried beside further variables or flags: so pairs are tried.

All toggles of a release take about ten minutes on two processors. Findings do
not make it fail.`,
		Example: `  protogen sweep --npm ` + npm.Pinned() + `
  protogen sweep --npm latest --with CLAUDE_CODE_REMOTE=true
  protogen sweep --bin ~/.local/bin/claude --toggle CLAUDE_CODE_ENTRYPOINT=claude-vscode --toggle=--brief`,
		Annotations: exits(map[string]string{"130": "stopped by a signal"}),
		Args:        wantNothing,
		RunE:        func(cmd *cobra.Command, args []string) error { return runSweep(cmd, &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.bin, "bin", "", "sweep the CLI at this `path`")
	flags.StringVar(&f.npm, "npm", "", "sweep this `version` of the CLI from npm, or latest; it is installed once and kept")
	flags.StringArrayVar(&f.toggles, "toggle", nil, "try only this `NAME=value` or --flag (may be repeated)")
	flags.StringArrayVar(&f.with, "with", nil, "set this `NAME=value` or --flag in every session (may be repeated)")
	flags.IntVar(&f.group, "group", 24, "how many variables are tried at once at first")
	flags.IntVar(&f.parallel, "parallel", 0, "how many sessions are played at once (default: one for each processor)")
	flags.BoolVar(&f.network, "shared-network", false, "do not give the CLI a network of its own, where the system would allow it")
	addJSON(cmd, &f.json)
	completeBy(cmd, "npm", npmWords)
	return cmd
}

func runSweep(cmd *cobra.Command, f *sweepFlags) error {
	o := sweep.Options{Group: f.group, Parallel: f.parallel}
	target := targetFlags{network: f.network}
	switch {
	case f.bin == "" && f.npm == "":
		return &usageError{cmd, errors.New("give the CLI to sweep: --bin PATH or --npm VERSION")}
	case f.bin != "" && f.npm != "":
		return &usageError{cmd, errors.New("--bin and --npm exclude each other")}
	case f.group < 1:
		return &usageError{cmd, fmt.Errorf("--group %d: want at least 1", f.group)}
	case f.bin != "":
		target.bin = []string{f.bin}
	default:
		target.npm = []string{f.npm}
	}
	if err := wantPositive(cmd, "parallel", f.parallel); err != nil {
		return err
	}
	for _, list := range []struct {
		texts []string
		into  *[]sweep.Toggle
	}{{f.toggles, &o.Toggles}, {f.with, &o.With}} {
		for _, text := range list.texts {
			t, err := sweep.ParseToggle(text)
			if err != nil {
				return &usageError{cmd, err}
			}
			*list.into = append(*list.into, t)
		}
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	targets, err := target.open(ctx, cmd)
	if err != nil {
		return unlessStopped(ctx, err)
	}
	report, err := sweepTarget(ctx, cmd, targets[0], o)
	if err != nil {
		return err
	}
	if f.json {
		return printJSON(cmd.OutOrStdout(), report)
	}
	return report.Text(cmd.OutOrStdout())
}

// sweepTarget sweeps a CLI and shows how far it is.
func sweepTarget(ctx context.Context, cmd *cobra.Command, t suite.Target, o sweep.Options) (*sweep.Report, error) {
	status := terminal.NewStatus(cmd.ErrOrStderr())
	defer status.Clear()
	status.Show("sweep: the names in the package")
	at := "before the first session"
	o.Progress = func(sessions, known, all int) {
		at = fmt.Sprintf("after %s, %d of %d toggles known", terminal.Count(sessions, "session"), known, all)
		status.Show("sweep: " + strings.TrimPrefix(at, "after "))
	}
	report, err := sweep.Run(ctx, t, o)
	if err != nil && ctx.Err() != nil {
		return nil, &stoppedError{at}
	}
	return report, err
}
