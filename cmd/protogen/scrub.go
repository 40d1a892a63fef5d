package main

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/scrub"
	"github.com/ccwire/ccwire/internal/terminal"
)

func init() { register(newScrub) }

func newScrub() *cobra.Command {
	var maxLine int
	var names []string
	cmd := &cobra.Command{
		Use:   "scrub FILE|-",
		Short: "Print a recording or lines with stand-ins for what is private",
		Long: `Scrub prints a recording, or plain NDJSON, so that it can be attached to an issue. All
texts are replaced by numbered stand-ins: prompts, answers, file contents, inputs and
outputs of tools, paths, ids, keys, addresses, stderr, arguments of the CLI. Equal
texts have equal stand-ins, so requests and answers still belong together, and each
line is valid, or is not, for the same reason as before.

What stays: numbers, true, false and null; the names of members that the schemas know
or that look like a programmer's; words that the schemas list for a member; versions
of the CLI; an unknown type or subtype of a line. The names of the user and the host,
and those that --private gives, are replaced also in names of members.

The input may be gzipped, the output is not. Read the output before you publish it.`,
		Example: `  protogen scrub session.ndjson > report.ndjson
  gzip -dc recording.ndjson.gz | protogen scrub --private acme -`,
		Annotations: exits(map[string]string{"1": "a line was left out because it is too long"}),
		Args:        wantFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkMaxLine(cmd, maxLine); err != nil {
				return err
			}
			src, err := linestream.Open(args[0], cmd.InOrStdin())
			if err != nil {
				return err
			}
			defer src.Close()
			left := 0
			out := bufio.NewWriter(cmd.OutOrStdout())
			err = scrub.File(out, src, scrub.New(names...), maxLine, func(line int) {
				left++
				fmt.Fprintf(cmd.ErrOrStderr(), "%s:%d: left out: the line is too long\n", terminal.Printable(args[0]), line)
			})
			if err := errors.Join(err, out.Flush()); err != nil {
				return err
			}
			if left > 0 {
				return errFindings
			}
			return nil
		},
	}
	addMaxLine(cmd, &maxLine)
	cmd.Flags().StringSliceVar(&names, "private", nil, "further names that no member's name may hold")
	return cmd
}
