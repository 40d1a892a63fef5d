// Protogen is the command of ccwire: it generates and vendors the types of the Claude Code CLI's
// stream-json protocol, and checks and formats its lines.
//
// Run "protogen help" for its verbs.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
