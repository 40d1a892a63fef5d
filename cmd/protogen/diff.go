package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/diff"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/view"
)

func init() { register(newDiff) }

// diffFlags are the flags of diff.
type diffFlags struct {
	out, web   string
	json, open bool
	maxLine    int
}

func newDiff() *cobra.Command {
	var f diffFlags
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare two recordings by the course of their sessions",
		Long: `Diff compares two recordings, of ccwire or of a tap, or two files of plain NDJSON.
Lines are aligned by what they are: lane by lane, those of the same kind and with the
same content first. Ids and times do not count, but an id that is in several places
must be in the same places of the other recording. The deltas of a text are one line.

A line that differs is marked with ~, one that only A has with -, one that only B has
with +, one that is elsewhere with >. Under it are the members that differ, as JSON
pointers. What many lines have is told once. With --json everything is told.

With --out the differences are written as a page, with --web they are served as one on
loopback until Ctrl-C. In the place of one file, - is the standard input.`,
		Example: `  protogen diff before.ndjson after.ndjson
  protogen diff --out diff.html before.ndjson after.ndjson`,
		Annotations: exits(map[string]string{"1": "the recordings differ"}),
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) != 2:
				return &usageError{cmd, fmt.Errorf("give two recordings, got %d arguments", len(args))}
			case args[0] == "-" && args[1] == "-":
				return &usageError{cmd, errors.New("one of both recordings can be the standard input")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runDiff(cmd, &f, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "write a page to this `file`, or to - for the standard output")
	flags.StringVar(&f.web, "web", "", "serve a page at this loopback `address`, such as 127.0.0.1:0")
	flags.BoolVar(&f.open, "open", false, "with --web: open the page in the browser")
	addJSON(cmd, &f.json)
	addMaxLine(cmd, &f.maxLine)
	return cmd
}

func (f *diffFlags) check(cmd *cobra.Command) error {
	forms := 0
	for _, given := range []bool{f.out != "", f.web != "", f.json} {
		if given {
			forms++
		}
	}
	switch {
	case forms > 1:
		return &usageError{cmd, errors.New("--out, --web and --json exclude each other")}
	case f.open && f.web == "":
		return &usageError{cmd, errors.New("--open is for --web")}
	}
	if f.out != stdoutName {
		if err := checkFile("out", f.out); err != nil {
			return err
		}
	}
	return checkMaxLine(cmd, f.maxLine)
}

func runDiff(cmd *cobra.Command, f *diffFlags, names []string) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	var sides [2]diff.Input
	for i, name := range names {
		src, err := linestream.Open(name, cmd.InOrStdin())
		if err != nil {
			return err
		}
		defer src.Close()
		sides[i] = diff.Input{Name: name, Src: src, Options: linestream.Options{Direction: directions["either"], MaxLine: f.maxLine}}
	}
	report, err := diff.Compare(sides[0], sides[1])
	if err != nil {
		return err
	}
	if err := f.write(cmd, report); err != nil {
		return err
	}
	if len(report.Differences) > 0 {
		return errFindings
	}
	return nil
}

// write writes a report in the form that the flags ask for.
func (f *diffFlags) write(cmd *cobra.Command, report *diff.Report) error {
	out := cmd.OutOrStdout()
	switch {
	case f.json:
		return printJSON(out, report)
	case f.out == stdoutName:
		return report.Page(out)
	case f.out != "":
		return writePage(f.out, report.Page)
	case f.web != "":
		var page bytes.Buffer
		if err := report.Page(&page); err != nil {
			return err
		}
		server, err := view.ServePage(f.web, diff.Policy, page.Bytes())
		if err != nil {
			return &usageError{cmd, fmt.Errorf("--web %w", err)}
		}
		return showUntilStopped(cmd, server, f.open)
	}
	style, err := styleOf(cmd, out)
	if err != nil {
		return err
	}
	return report.Text(out, style)
}

// writePage creates a file for a page.
func writePage(name string, write func(io.Writer) error) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}
