package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/buildinfo"
)

func init() { register(newVersion) }

func newVersion() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, the schema revision, the newest CLI verified",
		Long: `Version prints the version of protogen, the revision of the schemas in it, and
the newest version of the Claude Code CLI that they were verified against.`,
		Example: `  protogen version
  protogen version --json
  protogen --version`,
		Args: wantNothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			return printVersion(cmd.OutOrStdout(), asJSON)
		},
	}
	addJSON(cmd, &asJSON)
	return cmd
}

func printVersion(w io.Writer, asJSON bool) error {
	info := buildinfo.Read()
	if asJSON {
		return printJSON(w, info)
	}
	_, err := fmt.Fprintf(w, "protogen %s\nschema revision %s\nverified up to CLI %s\n%s\n",
		info.Version, info.SchemaRevision, info.NewestCLI, info.Go)
	return err
}
