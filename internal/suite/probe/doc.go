// Package probe finds out what a CLI recognises beyond the schemas, from the outside: it takes
// names from the strings of the CLI's package and from the schemas, sends each to the CLI, and
// compares what comes back with what comes back for names that nobody uses.
package probe
