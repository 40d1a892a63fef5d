package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/recording/capture"
	"github.com/ccwire/ccwire/internal/recording/pack"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/terminal"
)

func init() { register(newRecord) }

// recordFlags are the flags of record.
type recordFlags struct {
	target   targetFlags
	scenario []string
	out      string
	entries  string
	parallel int
	timeout  time.Duration
	json     bool
}

func newRecord() *cobra.Command {
	var f recordFlags
	cmd := &cobra.Command{
		Use:   "record",
		Short: "Record what a CLI says in the scenarios",
		Long: `Record plays scenarios against a CLI and writes what both ends said, one file for
each scenario: DIR/VERSION/AREA/NAME.ndjson. Ids, times, costs, folders and long
texts are replaced by stand-ins, so that recording the same version twice gives
equal files, but for what the scenario says varies. What happened in a scenario
that does not hold is recorded as well; the header of the recording says why it
does not hold.

Packs in DIR/packed, which a checkout of ccwire has, are brought up to date as
well.

With --transcripts it also keeps entries of the transcript files that the CLI
wrote in these sessions, in one file for each version: FOLDER/VERSION.jsonl. Of
all entries it has those that show something that none before did. There may be
packs in FOLDER/packed too.`,
		Example: `  protogen record --npm ` + npm.Pinned() + ` --out conformance/recordings
  protogen record --bin ./claude --scenario 'hook/*' --out /tmp/recordings`,
		Annotations: exits(map[string]string{
			"1":   "a scenario does not hold",
			"130": "stopped by a signal; what was recorded so far is kept",
		}),
		Args: wantNothing,
		RunE: func(cmd *cobra.Command, args []string) error { return runRecord(cmd, &f) },
	}
	addTargetFlags(cmd, &f.target)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.scenario, "scenario", nil, "record only scenarios that match this `pattern` (area, name or area/name; may be repeated)")
	flags.StringVar(&f.out, "out", "", "the `folder` to write to")
	flags.StringVar(&f.entries, "transcripts", "", "also keep entries of the CLI's transcript files, in this `folder`")
	flags.IntVar(&f.parallel, "parallel", 0, "how many sessions run at once (default: one more than there are processors)")
	flags.DurationVar(&f.timeout, "timeout", suite.DefaultTimeout, "how long a scenario may take that sets no time of its own")
	completeBy(cmd, "scenario", scenarioPatterns)
	addJSON(cmd, &f.json)
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "run" { // as conform calls it
			name = "scenario"
		}
		return pflag.NormalizedName(name)
	})
	return cmd
}

func runRecord(cmd *cobra.Command, f *recordFlags) error {
	if f.out == "" {
		return &usageError{cmd, errors.New("--out is missing: the folder to write to")}
	}
	if !f.target.onDisk() {
		return &usageError{cmd, errors.New("give the CLI to record: --bin PATH or --npm VERSION")}
	}
	if err := errors.Join(wantPositive(cmd, "parallel", f.parallel), wantPositive(cmd, "timeout", f.timeout), checkFolder("out", f.out), checkFolder("transcripts", f.entries)); err != nil {
		return err
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	chosen, err := selectScenarios(cmd, f.scenario, nil)
	if err != nil {
		return err
	}
	targets, err := f.target.open(ctx, cmd)
	if err != nil {
		return unlessStopped(ctx, err)
	}
	session := recordSession{out: f.out, scenarios: chosen, targets: targets, parallel: f.parallel, timeout: f.timeout}
	result, err := session.run(ctx, cmd)
	if fault := repack(f.out); err == nil { // a run that was stopped has recorded something too
		err = fault
	}
	if err == nil && f.entries != "" {
		if err = session.transcripts.Write(f.entries); err == nil {
			err = repack(f.entries)
		}
	}
	if err != nil {
		return err
	}
	for i := range result.Results {
		if r := &result.Results[i]; r.Status == suite.Fail {
			fmt.Fprintf(cmd.ErrOrStderr(), "does not hold: %s on %s: %s\n", r.Scenario, r.Target, terminal.Printable(r.Reason))
		}
	}
	failed := result.Count(suite.Fail)
	if f.json {
		err = printJSON(cmd.OutOrStdout(), map[string]any{"written": len(session.written), "failed": failed, "out": f.out})
	} else {
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s written to %s\n", terminal.Count(len(session.written), "recording"), f.out)
	}
	if err == nil && failed > 0 {
		err = errFindings
	}
	return err
}

// repack brings the packs in a folder of recordings or of transcript entries up to date, if it has
// any.
func repack(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, pack.Folder)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	_, err := pack.Update(dir)
	return err
}

// A recordSession plays scenarios on CLIs and writes what they say.
type recordSession struct {
	out       string // the folder
	scenarios []*scenario.Scenario
	targets   []suite.Target
	parallel  int
	timeout   time.Duration

	transcripts capture.Transcripts

	mu      sync.Mutex         // guards the fields below
	written map[[2]string]bool // versions and scenarios; what is played twice is written twice
	fault   error
}

// run plays them, shows how far it is, and returns what came of it.
func (r *recordSession) run(ctx context.Context, cmd *cobra.Command) (*suite.Report, error) {
	tally := newTally(cmd.ErrOrStderr(), len(r.targets), len(r.scenarios))
	result, err := suite.Run(ctx, suite.Options{
		Scenarios: r.scenarios, Targets: r.targets, Parallel: r.parallel, Timeout: r.timeout,
		Progress: tally.add, Keep: r.keep,
	})
	tally.progress.Clear()
	if err != nil {
		return nil, tally.stopped(terminal.Count(len(r.written), "recording") + " written to " + r.out)
	}
	return result, r.fault
}

func (r *recordSession) keep(t suite.Target, s *scenario.Scenario, p *suite.Played) {
	err := capture.Write(r.out, s, t.Version().String(), p)
	if errors.Is(err, suite.ErrInterrupted) {
		return
	}
	r.transcripts.Add(s, t.Version().String(), p)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.written == nil {
		r.written = map[[2]string]bool{}
	}
	r.written[[2]string{t.Version().String(), s.Name}] = true
	r.fault = errors.Join(r.fault, err)
}
