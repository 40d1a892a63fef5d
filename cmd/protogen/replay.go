package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/shell"

	"github.com/ccwire/ccwire/internal/diff"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/playback"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/tap"
	"github.com/ccwire/ccwire/internal/terminal"
	"github.com/ccwire/ccwire/internal/view"
	"github.com/ccwire/ccwire/transport/cli"
)

func init() { register(newReplay) }

// replayFlags are the flags of replay.
type replayFlags struct {
	to, half, record    string
	json, noArgs, stdio bool
	patience            time.Duration

	command []string // of --to
}

func newReplay() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay FILE --to COMMAND",
		Short: "Play one half of a recording to a CLI or an SDK",
		Long: `Replay plays what the SDK wrote in a recording to a CLI, the COMMAND, and says how that
differs from the recording, as "protogen diff" does. The lines are sent as they are in
the file, so an edited one tries something out. Each waits until the CLI is as far as it
was in the recording: an answer for its request, any other line for as many of the lines
before it. Ids that the CLI makes up are put in the place of those of the recording.

The command is run without a shell; quotes and variables in it are those of one. It gets
the arguments that the recording was started with; --no-args leaves them out. A real CLI
talks to the model: "protogen api" is there to keep it from that.

With --half cli it is the other way round: the COMMAND is a program with an SDK, and
what the CLI wrote is played to it by a claude that is first in its PATH, and in the
environment variable ` + cli.EnvVar + `. With --stdio replay is that claude itself, on its
own input and output.

Requests to the model are not compared. What could not be sent is on the standard error.`,
		Example: `  protogen sim record session.ndjson > script.json
  protogen replay session.ndjson --to 'protogen sim --script script.json'
  protogen replay --half cli session.ndjson --to 'python3 agent.py'`,
		Annotations: exits(map[string]string{
			"1": "it differs from the recording", "130": "stopped by a signal",
		}),
		Args: func(cmd *cobra.Command, args []string) error {
			if f.stdio && len(args) > 1 {
				args = args[:1] // the others are those of an SDK
			}
			return wantFiles(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runReplay(cmd, &f, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.to, "to", "", "the `command` to play to")
	flags.StringVar(&f.half, "half", "sdk", "whose lines are played: sdk or cli")
	flags.StringVar(&f.record, "record", "", "keep the recording of what was played in this `file`")
	flags.DurationVar(&f.patience, "patience", 5*time.Second, "how long the other side may be quiet before the recording goes on without it")
	flags.BoolVar(&f.noArgs, "no-args", false, "do not give the command the arguments of the recording")
	flags.BoolVar(&f.stdio, "stdio", false, "play the CLI on the standard input and output, for an SDK that starts this as its claude")
	addJSON(cmd, &f.json)
	completeWith(cmd, "half", "sdk", "cli")
	return cmd
}

func (f *replayFlags) check(cmd *cobra.Command) error {
	switch {
	case f.half != "sdk" && f.half != "cli":
		return &usageError{cmd, fmt.Errorf("unknown --half %q: use sdk or cli", f.half)}
	case f.to == "" && !f.stdio:
		return &usageError{cmd, errors.New("give --to, the command to play to")}
	case f.stdio && (f.to != "" || f.json || f.record != ""):
		return &usageError{cmd, errors.New("--stdio is for an SDK: leave out --to, --json and --record")}
	case f.patience <= 0:
		return &usageError{cmd, fmt.Errorf("--patience must be positive, got %v", f.patience)}
	}
	command, err := shell.Fields(f.to, os.Getenv)
	if err != nil || len(command) == 0 && !f.stdio {
		return &usageError{cmd, fmt.Errorf("--to %q: want a program and its arguments (%v)", f.to, err)}
	}
	f.command = command
	return checkFile("record", f.record)
}

func runReplay(cmd *cobra.Command, f *replayFlags, name string) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	src, err := linestream.Open(name, cmd.InOrStdin())
	if err != nil {
		return err
	}
	defer src.Close()
	text, err := io.ReadAll(src)
	if err != nil {
		return err
	}
	entries, err := playback.Read(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("%s: %w", terminal.Printable(name), err)
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	p := &playback.Player{Half: recording.ToSDK, Patience: f.patience, Note: func(note string) {
		printError(cmd.ErrOrStderr(), errors.New("replay: "+terminal.Printable(note)))
	}}
	if f.stdio {
		if err := p.Play(ctx, entries, cmd.InOrStdin(), nopCloser{cmd.OutOrStdout()}); err != nil {
			return err
		}
		return exitAs(playback.ExitCode(entries))
	}
	var played []byte
	if f.half == "cli" {
		played, err = f.toSDK(ctx, cmd, text)
	} else {
		var args []string
		if !f.noArgs {
			args = playback.Args(entries)
		}
		var list []recording.Entry
		if list, err = p.ToCLI(ctx, entries, f.command, args); err == nil {
			var b bytes.Buffer
			err = recording.Write(&b, list)
			played = b.Bytes()
		}
	}
	if err != nil {
		return unlessStopped(ctx, err)
	}
	return f.report(cmd, name, text, played)
}

// exitAs ends a verb with an exit code of another program.
func exitAs(code int) error {
	if code == 0 {
		return nil
	}
	return otherExit(code)
}

// toSDK runs the command with a claude that plays the recording, behind a tap, and returns what
// that has recorded of the first session.
func (f *replayFlags) toSDK(ctx context.Context, cmd *cobra.Command, text []byte) ([]byte, error) {
	self, err := exec.LookPath(os.Args[0])
	if err == nil {
		self, err = filepath.Abs(self)
	}
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "protogen-replay-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "recording.ndjson")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	// The arguments that the SDK gives to its CLI are after those of replay.
	w := tap.Wrapper{Protogen: self, Args: []string{"replay", file, "--stdio", "--patience", f.patience.String()}, CLI: "claude"}
	path, err := w.Install(filepath.Join(dir, "cli"), runtime.GOOS == "windows")
	if err != nil {
		return nil, err
	}
	p := tap.Program{
		Command: f.command, CLI: path, Protogen: self, Variable: cli.EnvVar,
		Stdin: bytes.NewReader(nil), Stdout: cmd.ErrOrStderr(), Stderr: cmd.ErrOrStderr(),
	}
	files, failed := p.Record(ctx, dir)
	if len(files) == 0 {
		return nil, errors.Join(failed, errors.New("the program had no session: give its SDK the CLI at $"+cli.EnvVar+", or claude in PATH"))
	}
	if failed != nil {
		printError(cmd.ErrOrStderr(), failed) // what it did before can be compared
	}
	return os.ReadFile(files[0])
}

// report keeps the recording of what was played, and says how it differs.
func (f *replayFlags) report(cmd *cobra.Command, name string, text, played []byte) error {
	if f.record != "" {
		if err := os.WriteFile(f.record, played, 0o600); err != nil {
			return err
		}
	}
	without := []view.Lane{view.API}
	report, err := diff.Compare(
		diff.Input{Name: name, Src: bytes.NewReader(text), Without: without},
		diff.Input{Name: "played", Src: bytes.NewReader(played), Without: without})
	if err != nil {
		return err
	}
	form := diffFlags{json: f.json}
	if err := form.write(cmd, report); err != nil {
		return err
	}
	if len(report.Differences) > 0 {
		return errFindings
	}
	return nil
}
