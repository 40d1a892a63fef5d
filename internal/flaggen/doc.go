// Package flaggen turns the table of the CLI's flags, transport/cli/flags.json, into the type
// cli.Flags and into the page docs/flags.md.
package flaggen
