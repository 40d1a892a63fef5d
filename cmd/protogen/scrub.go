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
	var keep bool
	cmd := &cobra.Command{
		Use:   "scrub FILE|-",
		Short: "Print a recording or lines with stand-ins for what is private",
		Long: `Scrub prints a recording, or plain NDJSON, so that it can be attached to an issue. All
texts are replaced by numbered stand-ins: prompts, answers, file contents, inputs and
outputs of tools, paths, ids, keys, addresses, stderr, arguments of the CLI. Equal
texts have equal stand-ins, so requests and answers still belong together, and each
line is valid, or is not, for the same reason as before.

What stays: true, false and null; single digits, and numbers at members that have
numbers by the schemas; names of members and words that the schemas list; versions of
the CLI. Names that the schemas do not know are replaced, too. With --keep-names those
stay that look like a programmer's, which a report on what is new needs: of members, of
types and subtypes. Those that hold the name of the user or the host, or one that
--private gives, do not.

The input may be gzipped, the output is not. Read the output before you publish it.`,
		Example: `  protogen scrub session.ndjson > report.ndjson
  gzip -dc recording.ndjson.gz | protogen scrub --keep-names --private acme -`,
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
			s := scrub.New(names...)
			s.KeepNames = keep
			err = scrub.File(out, src, s, maxLine, func(line int) {
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
	cmd.Flags().BoolVar(&keep, "keep-names", false, "keep names that the schemas do not know, if they look like a programmer's")
	cmd.Flags().StringSliceVar(&names, "private", nil, "with --keep-names: further names that none of them may hold")
	return cmd
}
