package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/terminal"
	"github.com/ccwire/ccwire/schema"
)

func init() { register(newValidate) }

var directions = map[string]schema.Direction{
	"either":   schema.Either,
	"from-cli": schema.FromCLI,
	"from-sdk": schema.FromSDK,
}

// validateFlags are the flags of validate.
type validateFlags struct {
	direction  string
	lint       bool
	open       bool
	transcript bool
	tools      bool
	cli        string
	format     string
	json       bool
	maxLine    int
	max        int
}

func newValidate() *cobra.Command {
	var flags validateFlags
	cmd := &cobra.Command{
		Use:   "validate FILE|-...",
		Short: "Check lines of the protocol against the schemas and the decoder",
		Long: `Validate checks every line against the closed form of the schemas and with the
strict decoder: what the schemas do not name is an error.

With --lint a line is valid if the tolerant decoder can read it, and what the
schemas do not name is listed: unknown members, tags and values, legacy shapes,
optional parts that do not decode.

With --open only wrong shapes are findings: a member of another type, a required
one that is missing, a line that is no JSON object. What the schemas do not name
passes, as a newer CLI may write it.

With --cli a line of the CLI is held to what that version writes, as the recordings
of ccwire show it: members and types that came with a newer version are unknown,
and members that the version always writes must be there. A version that is not
recorded counts as the newest recorded one before it. The lines of plain NDJSON
are then those of the CLI; lines of the SDK in a recording are judged as ever.

Files are plain NDJSON, or recordings with entries {"dir","line"}, whose dir
("cli->sdk" or "sdk->cli") gives the direction; both may be gzipped. Noise and
lines that are too long are findings and never end the run.

With --tools the inputs and results of built-in tools are judged, too, by what the
tools take and return. Lines carry both as any JSON.

The body of a control_response is judged by the request that it answers, if that
is in the same file: the newest with its id that is still open, in a recording one
from the other end. Replies whose request is missing, or more than 4096 open
requests back, are counted at the end and are no findings.

With --transcript the files are transcripts: the .jsonl files in which the CLI
keeps its sessions. Entries have no decoder; their schemas alone judge them. The
entries in a transcript_mirror line are judged so without the flag.

A finding is of the kind unknown-member, unknown-tag, unknown-value, legacy-shape,
invalid, malformed, noise or oversize. Past --max, one of the kind omitted counts
the rest of a file. With --json each is one JSON object on a line, and the last
line is {"summary": …}.`,
		Example: `  protogen validate session.ndjson
  protogen validate --cli 2.1.328 session.ndjson
  protogen validate --open session.ndjson
  protogen validate --lint --json recordings/*.ndjson.gz
  protogen validate --transcript --lint ~/.claude/projects/*/*.jsonl
  claude -p hi --output-format stream-json --verbose | protogen validate --direction from-cli -`,
		Annotations: exits(map[string]string{"1": "there are findings", "2": "a file could not be read to its end, or wrong usage"}),
		Args:        wantFiles(0),
		RunE: func(cmd *cobra.Command, args []string) error {
			return validate(cmd, flags, args)
		},
	}
	cmd.Flags().StringVar(&flags.direction, "direction", "either", "who wrote the lines of plain NDJSON: from-cli, from-sdk or either")
	cmd.Flags().BoolVar(&flags.lint, "lint", false, "judge tolerantly, and list what the schemas do not name")
	cmd.Flags().BoolVar(&flags.open, "open", false, "let pass what the schemas do not name, and fail wrong shapes")
	cmd.MarkFlagsMutuallyExclusive("lint", "open")
	cmd.Flags().StringVar(&flags.cli, "cli", "", "hold lines of the CLI to what this `version` of it writes")
	cmd.Flags().BoolVar(&flags.transcript, "transcript", false, "the files are transcripts, as the CLI keeps them below ~/.claude/projects")
	cmd.Flags().BoolVar(&flags.tools, "tools", false, "judge the inputs and results of built-in tools, too")
	cmd.Flags().StringVar(&flags.format, "format", "text", "how to print findings: text or json (as --json)")
	addJSON(cmd, &flags.json)
	addMaxLine(cmd, &flags.maxLine)
	cmd.Flags().IntVar(&flags.max, "max", 100, "how many findings of a file are listed; the rest is counted; 0 lists all")
	completeWith(cmd, "direction", "either", "from-cli", "from-sdk")
	completeWith(cmd, "format", "text", "json")
	completeWith(cmd, "cli", corpus.Versions()...)
	return cmd
}

// addMaxLine adds the flag --max-line.
func addMaxLine(cmd *cobra.Command, maxLine *int) {
	cmd.Flags().IntVar(maxLine, "max-line", codec.DefaultMaxLine, "the longest line that is looked at, in bytes")
}

// checkMaxLine rejects limits that nothing could hold to.
func checkMaxLine(cmd *cobra.Command, maxLine int) error {
	if maxLine < 1 || maxLine > codec.DefaultMaxLine {
		return &usageError{cmd, fmt.Errorf("--max-line must be between 1 and %d, got %d", codec.DefaultMaxLine, maxLine)}
	}
	return nil
}

// printer returns the printer that the flags ask for.
func (f *validateFlags) printer(cmd *cobra.Command, out io.Writer) (linecheck.Printer, error) {
	style, err := styleOf(cmd, cmd.OutOrStdout())
	if err != nil {
		return nil, err
	}
	format, err := formatOf(cmd, f.json, f.format)
	if err != nil {
		return nil, err
	}
	switch format {
	case "json":
		return linecheck.NewJSONPrinter(out), nil
	case "text":
		return linecheck.NewTextPrinter(out, cmd.ErrOrStderr(), style), nil
	}
	return nil, &usageError{cmd, fmt.Errorf("unknown --format %q: use text or json", f.format)}
}

// prettyHint says how to make lines of pretty-printed JSON.
func prettyHint(name string) string {
	if name == linestream.Stdin {
		return "protogen: the standard input looks like pretty-printed JSON; one object a line is expected: put jq -c . before it"
	}
	name = terminal.Printable(name)
	return fmt.Sprintf("protogen: %s: this looks like pretty-printed JSON; one object a line is expected: jq -c . %s", name, name)
}

// transcriptHint says which flag the file needs.
func transcriptHint(name string) string {
	if name == linestream.Stdin {
		return "protogen: the standard input looks like a transcript file; use --transcript"
	}
	return fmt.Sprintf("protogen: %s: this looks like a transcript file; use --transcript", terminal.Printable(name))
}

// checker returns the checker that the flags ask for.
func (f *validateFlags) checker() *linecheck.Checker {
	c := linecheck.New(f.lint)
	if f.transcript {
		c = linecheck.NewTranscript(f.lint)
	}
	if f.open {
		c = c.Open()
	}
	if f.tools {
		c = c.WithTools()
	}
	return c
}

func validate(cmd *cobra.Command, flags validateFlags, files []string) error {
	direction, ok := directions[flags.direction]
	if !ok {
		return &usageError{cmd, fmt.Errorf("unknown --direction %q: use from-cli, from-sdk or either", flags.direction)}
	}
	if flags.transcript && cmd.Flags().Changed("direction") {
		return &usageError{cmd, errors.New("--direction is for lines of the protocol; leave it out with --transcript")}
	}
	checker := flags.checker()
	if flags.cli != "" {
		if flags.transcript {
			return &usageError{cmd, errors.New("--cli is for lines of the protocol; leave it out with --transcript")}
		}
		if cmd.Flags().Changed("direction") && direction != schema.FromCLI {
			return &usageError{cmd, fmt.Errorf("--cli is about lines of the CLI: leave out --direction %s", flags.direction)}
		}
		direction = schema.FromCLI
		release, err := releaseOf(cmd, flags.cli)
		if err != nil {
			return err
		}
		checker = checker.At(release)
	}
	if err := checkMaxLine(cmd, flags.maxLine); err != nil {
		return err
	}
	if flags.max < 0 {
		return &usageError{cmd, fmt.Errorf("--max must be 0 or more, got %d", flags.max)}
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	printer, err := flags.printer(cmd, out)
	if err != nil {
		return err
	}
	ctx, cancel := interruptible(cmd)
	defer cancel()
	progress := terminal.NewProgress(cmd.ErrOrStderr(), "line")
	// The schemas are most of the heap: it need not double before the collector runs.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	begin, read := time.Now(), int64(0)
	run := linecheck.Run{
		Read:    func(bytes int64) { read += bytes },
		Checker: checker,
		Options: linestream.Options{Direction: direction, MaxLine: flags.maxLine},
		Stdin:   cmd.InOrStdin(),
		Stop:    ctx.Done(),
		Max:     flags.max,
		Tick:    progress.Tick,
		Idle:    out.Flush,
		Emit: func(f linecheck.Finding) error {
			progress.Clear()
			return printer.Finding(f)
		},
		Unreadable: func(err error) {
			progress.Clear()
			out.Flush() // its error comes again at the end
			printError(cmd.ErrOrStderr(), err)
		},
		Pretty: func(name string) {
			progress.Clear()
			out.Flush() // as above
			fmt.Fprintln(cmd.ErrOrStderr(), prettyHint(name))
		},
		Transcript: func(name string) {
			progress.Clear()
			out.Flush() // as above
			fmt.Fprintln(cmd.ErrOrStderr(), transcriptHint(name))
		},
	}
	sum, err := run.Files(files)
	progress.Clear()
	stopped := errors.Is(err, linecheck.ErrStopped)
	if err == nil || stopped {
		err = errors.Join(out.Flush(), printer.Summary(sum), out.Flush())
		if text := throughput(read, time.Since(begin)); text != "" {
			fmt.Fprintln(cmd.ErrOrStderr(), text)
		}
	}
	switch {
	case err != nil:
		return err
	case stopped:
		return &stoppedError{"after " + terminal.Count(sum.Lines, "line")}
	case sum.Unreadable > 0:
		return errReported
	case sum.Findings > 0:
		return errFindings
	}
	return nil
}

// throughput says how fast a long input was judged, "" for a short one.
func throughput(bytes int64, took time.Duration) string {
	const long = 16e6
	if bytes < long {
		return ""
	}
	return fmt.Sprintf("%d MB in %.1f s, %.0f MB/s", bytes/1e6, took.Seconds(), float64(bytes)/1e6/took.Seconds())
}
