package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/canonical"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/terminal"
)

func init() { register(newFmt) }

func newFmt() *cobra.Command {
	var maxLine int
	cmd := &cobra.Command{
		Use:   "fmt FILE|-",
		Short: "Print the lines in their canonical form",
		Long: `Fmt decodes each line and encodes it again, to the standard output: members in
the order of the schema, no insignificant space, legacy shapes in their modern
form. Opaque parts, such as a tool's input, stay as they are.

What is not a frame is copied byte for byte. A line that should be one and does
not decode, or is too long, is copied too and named on the standard error. Entries
of a recording keep their other members; the line in them is rewritten. The input
may be gzipped, the output is not. The speed is said on the standard error at the
end of a long input.`,
		Example: `  protogen fmt session.ndjson
  gzip -dc recording.ndjson.gz | protogen fmt -`,
		Annotations: exits(map[string]string{"1": "a line was copied that does not decode"}),
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
			problems, begin, count := 0, time.Now(), &counter{Reader: src}
			out := bufio.NewWriter(cmd.OutOrStdout())
			err = canonical.Format(out, count, maxLine, func(line int, err error) {
				problems++
				fmt.Fprintf(cmd.ErrOrStderr(), "%s:%d: copied as it is: %v\n", terminal.Printable(args[0]), line, terminal.Printable(err.Error()))
			})
			if err := errors.Join(err, out.Flush()); err != nil {
				return err
			}
			if text := throughput(count.bytes, time.Since(begin)); text != "" {
				fmt.Fprintln(cmd.ErrOrStderr(), text)
			}
			if problems > 0 {
				return errFindings
			}
			return nil
		},
	}
	addMaxLine(cmd, &maxLine)
	return cmd
}

// A counter counts the bytes that are read through it.
type counter struct {
	io.Reader
	bytes int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.bytes += int64(n)
	return n, err
}
