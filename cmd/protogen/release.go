package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
	"github.com/ccwire/ccwire/transport/cli"
)

// releaseOf returns what a version of the CLI writes. One that is not recorded counts as the newest
// recorded one before it, and the user is told so.
func releaseOf(cmd *cobra.Command, text string) (*schema.Release, error) {
	known := corpus.Versions()
	v, err := cli.ParseVersion(text)
	if err != nil {
		err := fmt.Errorf("--cli %q is not a version of the CLI: the recorded ones are %s", text, strings.Join(known, ", "))
		return nil, &usageError{cmd, suggest(err, text, known)}
	}
	version := corpus.NotNewer(v.String())
	switch version {
	case "":
		err := fmt.Errorf("--cli %s: nothing is recorded of a CLI that old; did you mean %s, the oldest?", v, known[0])
		return nil, &usageError{cmd, err}
	case v.String():
	default:
		fmt.Fprintf(cmd.ErrOrStderr(), "protogen: %s is not recorded: lines are held to what %s writes\n", v, version)
	}
	return schema.Default().Release(version)
}
