package main

import (
	"io"

	"github.com/spf13/cobra"
)

// verbs make the commands below the root. A verb is one file, whose init calls register.
var verbs []func() *cobra.Command

func register(verb func() *cobra.Command) { verbs = append(verbs, verb) }

const rootLong = `protogen is the command of ccwire, the specification of the Claude Code CLI's
bidirectional stream-json protocol.

Colour and progress are shown on a terminal only; NO_COLOR turns colour off.`

// newRoot returns the whole command line.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "protogen",
		Short: "Work with the Claude Code CLI's stream-json protocol",
		Long:  rootLong,
		Example: `  protogen validate session.ndjson
  protogen vendor --out internal/wire`,
		Annotations:   exits(map[string]string{"1": "there are findings"}),
		Args:          wantVerb,
		RunE:          func(cmd *cobra.Command, args []string) error { return cmd.Help() },
		SilenceErrors: true,
		SilenceUsage:  true,

		SuggestionsMinimumDistance: 2,
	}
	root.PersistentFlags().String("color", "auto", "colour the output: auto, always or never")
	completeWith(root, "color", "auto", "always", "never")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return &usageError{cmd, err} })
	for _, verb := range verbs {
		root.AddCommand(verb())
	}
	addHelp(root)
	addCompletion(root)
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
	return report(stderr, root.Execute())
}

// completeWith gives the shell the values of a flag.
func completeWith(cmd *cobra.Command, flag string, values ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag does not exist
	}
}
