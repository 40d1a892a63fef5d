package main

import (
	"bytes"
	"os"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/conformance/compat"
	"github.com/ccwire/ccwire/conformance/inventory"
	"github.com/ccwire/ccwire/conformance/recordings"
)

func init() { register(newCompatibility) }

func newCompatibility() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "compatibility",
		Short: "Print which version of the CLI supports what",
		Long: `Compatibility prints a Markdown document with a table of features and versions, made
from the recordings that ccwire brings along.`,
		Example: `  protogen compatibility --out docs/compatibility.md`,
		Args:    wantNothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			versions, err := recordings.Versions()
			if err != nil {
				return err
			}
			var all []*inventory.Inventory
			for _, v := range versions {
				inv, err := readInventory(v.String())
				if err != nil {
					return err
				}
				all = append(all, inv)
			}
			var b bytes.Buffer
			if err := compat.Markdown(&b, all); err != nil {
				return err
			}
			if out != "" {
				return os.WriteFile(out, b.Bytes(), 0o644)
			}
			_, err = cmd.OutOrStdout().Write(b.Bytes())
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "the `file` to write to (default: the standard output)")
	return cmd
}
