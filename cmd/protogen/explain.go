package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/manual"
	"github.com/ccwire/ccwire/internal/manual/plain"
	"github.com/ccwire/ccwire/internal/manual/reading"
	"github.com/ccwire/ccwire/internal/terminal"
	"github.com/ccwire/ccwire/schema"
)

func init() { register(newExplain) }

// explainFlags are the flags of explain.
type explainFlags struct {
	direction  string
	transcript bool
}

func newExplain() *cobra.Command {
	var flags explainFlags
	cmd := &cobra.Command{
		Use:   "explain NAME|-",
		Short: "Print a page of the manual, or say what a line is",
		Long: `Explain prints a page of the manual. NAME is a request, a hook event, a message, a
content block, a tool, a Go type or a member: can_use_tool, hook/PreToolUse,
system.init, text_delta, Bash, CanUseToolRequest, permission_suggestions. The names
are those of "protogen show schema".

With - it reads a line of the protocol from the standard input and says what it
is: member by member, what is unknown or wrong in it, and what answer it wants.
The line may be an entry of a recording, or of a transcript file. What follows it is
not read.`,
		Example: `  protogen explain can_use_tool
  protogen explain permission_suggestions
  head -n 1 session.ndjson | protogen explain -`,
		Annotations: exits(map[string]string{"1": "there is something unknown or wrong in the line"}),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{cmd, fmt.Errorf("give one name, or - for a line, got %d", len(args))}
			}
			return nil
		},
		ValidArgsFunction: completeFirst(schemaNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			return explain(cmd, flags, args[0])
		},
	}
	cmd.Flags().StringVar(&flags.direction, "direction", "either", "who wrote the line: from-cli, from-sdk or either")
	cmd.Flags().BoolVar(&flags.transcript, "transcript", false, "the line is an entry of a transcript file")
	completeWith(cmd, "direction", "either", "from-cli", "from-sdk")
	return cmd
}

func explain(cmd *cobra.Command, flags explainFlags, word string) error {
	direction, ok := directions[flags.direction]
	if !ok {
		return &usageError{cmd, fmt.Errorf("unknown --direction %q: use from-cli, from-sdk or either", flags.direction)}
	}
	m, err := manual.Load()
	if err != nil {
		return err
	}
	style, err := styleOf(cmd, cmd.OutOrStdout())
	if err != nil {
		return err
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	p := &plain.Printer{W: out, Width: terminal.Width(cmd.OutOrStdout(), os.Getenv), Style: style}
	if word == linestream.Stdin {
		err = explainLine(cmd, p, m, direction, flags.transcript)
	} else {
		err = explainName(cmd, p, m, word)
	}
	return errors.Join(out.Flush(), err)
}

// explainName prints the page of a name.
func explainName(cmd *cobra.Command, p *plain.Printer, m *manual.Manual, word string) error {
	topic, others := m.Topic(word)
	places := m.Members(word)
	switch {
	case topic != nil:
		p.Topic(topic)
		for _, t := range others {
			fmt.Fprintf(cmd.ErrOrStderr(), "protogen: there is %s, too\n", t.ID())
		}
		return nil
	case len(places) > 0:
		p.Members(word, places)
		return nil
	}
	return &usageError{cmd, suggest(fmt.Errorf("the manual has nothing named %q", word), strings.ToLower(word), m.Words())}
}

// explainLine prints what the first line of the input is.
func explainLine(cmd *cobra.Command, p *plain.Printer, m *manual.Manual, dir schema.Direction, transcript bool) error {
	in, err := linestream.Open(linestream.Stdin, cmd.InOrStdin())
	if err != nil {
		return err
	}
	defer in.Close()
	lines := linestream.NewReader(in, linestream.Options{Direction: dir})
	for {
		l, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF):
			return errors.New("the standard input has no line")
		case err != nil:
			return err
		case l.Err != nil:
			return l.Err
		}
		for _, part := range l.Parts {
			if part.Kind == codec.BlankLine {
				continue
			}
			r := reading.Read(m, part.Direction, part.Line)
			// A line that only a transcript has is one of those, said or not.
			if transcript || dir == schema.Either && !r.Clean() {
				if e := reading.ReadEntry(m, part.Line); transcript || e.Clean() && len(e.What) > 0 {
					r = e
				}
			}
			p.Reading(r)
			if !r.Clean() {
				return errFindings
			}
			return nil
		}
	}
}
