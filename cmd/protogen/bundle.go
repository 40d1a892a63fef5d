package main

import (
	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/schema"
)

func init() { register(newBundle) }

func newBundle() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "bundle",
		Short: "Print the schemas as one JSON Schema document",
		Long: `Bundle prints one JSON Schema document (draft 2020-12) that holds the whole
protocol and needs no other file. Its root is a line of either direction; its
$defs hold every other definition.`,
		Example: `  protogen bundle > ccwire.schema.json
  protogen bundle --out ccwire.schema.json`,
		Args: wantNothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := schema.Default().Bundle()
			if err != nil {
				return err
			}
			if out != "" {
				return writeFile("out", out, text)
			}
			_, err = cmd.OutOrStdout().Write(text)
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "the file to write to (default: the standard output)")
	return cmd
}
