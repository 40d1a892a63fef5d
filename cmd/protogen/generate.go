package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/cmd/protogen/internal/regenerate"
)

func init() { register(newGenerate) }

func newGenerate() *cobra.Command {
	var check, asJSON bool
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Generate the Go types from the schemas",
		Long: `Generate brings a checkout of ccwire up to date: the lists of arms in the
schemas and what the recordings show of each definition, the types in gen/wire,
what is made from the table of the CLI's flags, and the packed recordings, which
are built into protogen. It runs in any folder of the checkout and prints the
files that it has changed.`,
		Example: `  protogen generate
  protogen generate --check   # exit 1 and name the files if any is stale`,
		Annotations: exits(map[string]string{"1": "with --check: a file is stale"}),
		Args:        wantNothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			root, err := regenerate.FindRoot(".")
			if err != nil {
				return err
			}
			work := regenerate.Write
			if check {
				work = regenerate.Stale
			}
			files, err := work(root)
			if err != nil {
				return err
			}
			if err := printFiles(cmd, files, check, asJSON); err != nil {
				return err
			}
			if check && len(files) > 0 {
				fmt.Fprintln(cmd.ErrOrStderr(), "stale: run protogen generate")
				return errFindings
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; exit 1 if a file is stale")
	addJSON(cmd, &asJSON)
	return cmd
}

// printFiles prints the names of files that are, or should be, changed.
func printFiles(cmd *cobra.Command, files []string, check, asJSON bool) error {
	if asJSON {
		name := "changed"
		if check {
			name = "stale"
		}
		if files == nil {
			files = []string{}
		}
		return printJSON(cmd.OutOrStdout(), map[string][]string{name: files})
	}
	for _, name := range files {
		if _, err := fmt.Fprintln(cmd.OutOrStdout(), name); err != nil {
			return err
		}
	}
	return nil
}
