package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/terminal"
)

// verbs make the commands below the root. A verb is one file, whose init calls register.
var verbs []func() *cobra.Command

func register(verb func() *cobra.Command) { verbs = append(verbs, verb) }

const rootLong = `protogen is the command of ccwire, the specification of the Claude Code CLI's
bidirectional stream-json protocol.

Colour is for terminals only; NO_COLOR turns it off. Tables are as wide as COLUMNS
says, or the terminal, or 80 columns. Progress goes to the standard error.`

// newRoot returns the whole command line.
func newRoot() *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:   "protogen",
		Short: "Work with the Claude Code CLI's stream-json protocol",
		Long:  rootLong,
		Example: `  protogen validate session.ndjson
  protogen vendor --out internal/wire`,
		Annotations: exits(map[string]string{"1": "there are findings"}),
		Args:        wantVerb,
		RunE: func(cmd *cobra.Command, args []string) error {
			if version {
				return printVersion(cmd.OutOrStdout(), false)
			}
			return cmd.Help()
		},
		SilenceErrors: true,
		SilenceUsage:  true,

		SuggestionsMinimumDistance: 2,
	}
	root.PersistentFlags().String("color", "auto", "colour the output: auto, always or never")
	completeWith(root, "color", "auto", "always", "never")
	root.Flags().BoolVarP(&version, "version", "v", false, "print what the verb version prints")
	root.SetFlagErrorFunc(wrongFlag)
	for _, verb := range verbs {
		root.AddCommand(verb())
	}
	addHelp(root)
	addCompletion(root)
	addGroups(root)
	documentExits(root)
	return root
}

// run runs one command line and returns its exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			code = reportPanic(stderr, r)
		}
	}()
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	fitHelp(root, terminal.Width(stdout, os.Getenv))
	return report(stderr, root.Execute())
}
