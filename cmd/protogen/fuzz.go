package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/framing"
	"github.com/ccwire/ccwire/internal/framing/protocol"
	"github.com/ccwire/ccwire/internal/terminal"
	"github.com/ccwire/ccwire/schema"
)

func init() { register(newFuzz) }

func newFuzz() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fuzz",
		Short: "Fuzz a parser of NDJSON, in any language",
		Long: `Fuzz looks for bugs in parsers of the stream: "fuzz framing" runs one and feeds it
streams that break parsers, "fuzz corpus" writes inputs for other fuzzers.`,
		Example: `  protogen fuzz framing -- python3 parser.py
  protogen fuzz corpus --out corpus`,
		Args: wantVerb,
		RunE: func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newFuzzFraming(), newFuzzCorpus())
	return cmd
}

func newFuzzFraming() *cobra.Command {
	var o framing.Options
	var noMemory bool
	var to framingOutputs
	var replay, frames, direction, key string
	cmd := &cobra.Command{
		Use:   "framing [flags] -- COMMAND [ARG...]",
		Short: "Find where a parser loses or invents frames, hangs or grows",
		Long: `Framing runs COMMAND again and again and feeds it streams that break parsers:
lines in pieces, long lines, carriage returns, blank lines, byte-order marks,
U+2028, invalid UTF-8, NUL bytes, deep nesting, duplicate members, noise, a last
line without its LF, hundreds of megabytes without a LF.

The contract: COMMAND reads its standard input to the end, writes each JSON object
that is a line of it to its standard output, as one line of JSON, in order, and
exits with 0. A line that is not a JSON object gives nothing.

With --persistent COMMAND is started once and gets one stream after the other, which
is many times faster. A stream comes in pieces: a line with a number, then that many
bytes; the number 0 ends the stream. COMMAND reads it to the end, writes the objects,
and then the line "#end", or "#error" and a text if the parser failed. What goes
wrong is fed to a fresh process, too.

With --frames protocol the streams have frames of the protocol, for a parser that
takes no others. It may write each in a form of its own, as a JSON object on a line
that has the id: uuid or request_id, or what --key names. Frames are compared by it.

Each cause is one finding, with the smallest stream that shows it. --out keeps these
streams as files, each with the frames in it, with a script for sh that writes it,
and in the pieces in which it was written; --replay plays such a file again. A
stream that is too long for a file is kept as a script only. The hand-made streams come first and are
always the same, the random ones after them depend on --seed only.`,
		Example: `  protogen fuzz framing -- python3 parser.py
  protogen fuzz framing --persistent -- python3 harness.py
  protogen fuzz framing --frames protocol --key id -- node typed-parser.js
  protogen fuzz framing --seed 7 --time 5m --json -- node parser.js --quiet`,
		Annotations: exits(map[string]string{
			"1":   "there are findings",
			"3":   "no findings, but hand-made streams were never played: the time was too short",
			"2":   "COMMAND does not start or does not keep the contract for a plain stream, or wrong usage",
			"130": "stopped by a signal; the report is of what was done so far",
		}),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{cmd, errors.New("give the parser's command after --")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if noMemory {
				o.Growth = -1
			}
			var err error
			if o.Frames, err = framesFor(cmd, frames, direction, key); err != nil {
				return err
			}
			return fuzzFraming(cmd, args, o, replay, to)
		},
	}
	cmd.Flags().Uint64Var(&o.Seed, "seed", 1, "of the random streams")
	cmd.Flags().DurationVar(&o.Time, "time", 30*time.Second, "how long to look; a parser that runs at the end is killed")
	cmd.Flags().DurationVar(&o.Deadline, "deadline", 10*time.Second, "how long COMMAND may take for one stream, at most a third of --time; large ones get more")
	cmd.Flags().IntVar(&o.Findings, "findings", 0, "how many findings end the run; 0 for no limit")
	cmd.Flags().BoolVar(&noMemory, "no-memory", false, "leave out the streams of 256 MiB that show unbounded growth")
	cmd.Flags().BoolVar(&o.Persistent, "persistent", false, "COMMAND reads many streams, each in pieces (see above)")
	cmd.Flags().StringVar(&to.save, "out", "", "write the streams of the findings to this folder")
	cmd.Flags().StringVar(&to.junit, "junit", "", "write the report as JUnit XML to this `file`")
	cmd.Flags().StringVar(&to.sarif, "sarif", "", "write the findings as SARIF to this `file`")
	cmd.Flags().StringVar(&replay, "replay", "", "play only the stream in this `file`, which --out has written")
	cmd.Flags().StringVar(&frames, "frames", "plain", "what the streams have: plain objects, or frames of the protocol")
	cmd.Flags().StringVar(&direction, "direction", "from-cli", "whose frames, with --frames protocol: from-cli or from-sdk")
	cmd.Flags().StringVar(&key, "key", "", "the member of COMMAND's output that has the id of a frame, such as message.uuid")
	completeWith(cmd, "frames", "plain", "protocol")
	completeWith(cmd, "direction", "from-cli", "from-sdk")
	addJSON(cmd, &to.json)
	return cmd
}

// framingOutputs are where the report goes.
type framingOutputs struct {
	save, junit, sarif string
	json               bool
}

// check rejects files that cannot be written.
func (to *framingOutputs) check() error {
	return errors.Join(checkFolder("out", to.save), checkFile("junit", to.junit), checkFile("sarif", to.sarif))
}

// write writes the report everywhere.
func (to *framingOutputs) write(w io.Writer, r *framing.Report) error {
	var err error
	if to.save != "" {
		err = r.Save(to.save)
	}
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{{to.junit, r.WriteJUnit}, {to.sarif, r.WriteSARIF}} {
		if f.name != "" {
			err = errors.Join(err, writeReport(f.name, f.write))
		}
	}
	if to.json {
		return errors.Join(err, printJSON(w, r))
	}
	return errors.Join(err, r.WriteText(w))
}

// writeReport writes a report to a file.
func writeReport(name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o666)
}

// framesFor returns the frames that the streams have, nil for plain ones.
func framesFor(cmd *cobra.Command, frames, direction, key string) (*framing.Vocabulary, error) {
	dir, ok := directions[direction]
	switch {
	case frames != "plain" && frames != "protocol":
		return nil, &usageError{cmd, fmt.Errorf("unknown --frames %q: use plain or protocol", frames)}
	case !ok || dir == schema.Either:
		return nil, &usageError{cmd, fmt.Errorf("unknown --direction %q: use from-cli or from-sdk", direction)}
	case frames == "plain" && (key != "" || cmd.Flags().Changed("direction")):
		return nil, &usageError{cmd, errors.New("--key and --direction are for --frames protocol")}
	case frames == "plain":
		return nil, nil
	case key == "":
		return protocol.Vocabulary(dir), nil
	}
	return protocol.Vocabulary(dir, key), nil
}

func fuzzFraming(cmd *cobra.Command, argv []string, o framing.Options, replay string, to framingOutputs) error {
	err := errors.Join(wantPositive(cmd, "time", o.Time), wantPositive(cmd, "deadline", o.Deadline), wantPositive(cmd, "findings", o.Findings), to.check())
	if err != nil {
		return err
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	status := terminal.NewStatus(cmd.ErrOrStderr())
	o.Progress = func(p framing.Progress) { status.Show(progressText(p)) }
	o.Estimate = func(e framing.Estimate) { warnOfTime(cmd, e, o.Time) }
	run := func() (*framing.Report, error) { return framing.Run(ctx, argv, o) }
	if replay != "" {
		s, err := framing.ReadStream(replay)
		if err != nil {
			return fmt.Errorf("--replay %w", err)
		}
		run = func() (*framing.Report, error) { return framing.Replay(ctx, argv, s, o) }
	}
	report, err := run()
	status.Clear()
	stopped := ctx.Err() != nil
	if err != nil && !stopped {
		return framingError(argv[0], err)
	}
	if report == nil {
		return &stoppedError{"before the end of the stream"}
	}
	switch err := to.write(cmd.OutOrStdout(), report); {
	case err != nil:
		return err
	case stopped:
		return &stoppedError{"after " + terminal.Count(report.Runs, "run")}
	case len(report.Findings) > 0:
		return errFindings
	case report.Missed > 0:
		return errIncomplete
	}
	return nil
}

// progressText says how far the run is.
func progressText(p framing.Progress) string {
	done := ""
	if p.Stage == framing.HandMade {
		done = fmt.Sprintf(" %d of %d", p.Done, p.Streams)
	}
	return fmt.Sprintf("%s%s, %s, %d found, %.0f of %.0f s", p.Stage, done, terminal.Count(p.Runs, "run"), p.Findings, p.Elapsed.Seconds(), p.Time.Seconds())
}

// warnOfTime says beforehand that the time is too short for the hand-made streams.
func warnOfTime(cmd *cobra.Command, e framing.Estimate, limit time.Duration) {
	if e.Time <= limit {
		return
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "protogen: COMMAND takes %v for a plain stream: %v is not enough for the %d hand-made streams, --time %v is\n",
		e.Run.Round(time.Millisecond), limit, e.Streams, e.Enough)
}

// framingError says of a command that does not start what to give instead.
func framingError(name string, err error) error {
	path, program := (*fs.PathError)(nil), (*exec.Error)(nil)
	if errors.As(err, &path) {
		err = path.Err
	} else if errors.As(err, &program) {
		err = program.Err
	} else {
		return err
	}
	return fmt.Errorf("%s does not start: %w: give a program after --, with its interpreter if it is a script", name, err)
}
