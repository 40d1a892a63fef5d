// Protogen is the command of ccwire: it generates and vendors the types of the Claude Code CLI's
// stream-json protocol, and checks and formats its lines.
//
// Run "protogen help" for its verbs.
package main

import (
	"os"

	simprogram "github.com/ccwire/ccwire/internal/sim/program"
	"github.com/ccwire/ccwire/internal/tap"
)

func main() {
	simprogram.RunConfigured() // what "sim install" has made
	args := asCLI(os.Args[0], os.Args[1:])
	if self, err := os.Executable(); err == nil {
		before, err := tap.Configured(self)
		if err != nil {
			printError(os.Stderr, err)
			os.Exit(exitTrouble)
		}
		if before != nil {
			args = append(before, os.Args[1:]...)
		}
	}
	os.Exit(run(args, os.Stdin, os.Stdout, os.Stderr))
}
