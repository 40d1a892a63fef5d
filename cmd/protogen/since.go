package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/history"
	"github.com/ccwire/ccwire/schema"
)

func init() { register(newSince) }

func newSince() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "since [NAME]",
		Short: "Say which releases of the CLI have a request, event or flag",
		Long: `Since prints the first release of the CLI that has what is named, and the last if
it is gone: a control request, a type of line on stdin, a hook event, a permission
mode, a flag, a message. Without a NAME it prints all of them.

Names that a CLI can be asked for were sent to releases from npm. Such a release
is exact if the release before it on npm refuses the name; otherwise the two
nearest releases that were asked are printed. What only the CLI writes is known
from the recordings, and is between two of those.`,
		Example: `  protogen since can_use_tool
  protogen since --json -- --agents
  protogen since`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &usageError{cmd, fmt.Errorf("give one name, got %d", len(args))}
			}
			return nil
		},
		ValidArgsFunction: completeFirst(sinceNames),
		RunE:              func(cmd *cobra.Command, args []string) error { return since(cmd, args, asJSON) },
	}
	addJSON(cmd, &asJSON)
	return cmd
}

func since(cmd *cobra.Command, args []string, asJSON bool) error {
	h, err := history.Load()
	if err != nil {
		return err
	}
	list := h.All(schema.Default())
	if len(args) > 0 {
		found := history.Named(list, args[0])
		if len(found) == 0 {
			return &usageError{cmd, suggest(fmt.Errorf("nothing is named %q", args[0]), args[0], sinceNames())}
		}
		list = found
	}
	if asJSON {
		return printJSON(cmd.OutOrStdout(), map[string]any{"asked": h.Date, "names": list})
	}
	for _, s := range list {
		if _, err := fmt.Fprintln(cmd.OutOrStdout(), s); err != nil {
			return err
		}
	}
	return nil
}

// sinceNames returns the names that since knows.
func sinceNames() (names []string) {
	h, err := history.Load()
	if err != nil {
		return nil
	}
	for _, s := range h.All(schema.Default()) {
		names = append(names, s.Name)
	}
	return names
}
