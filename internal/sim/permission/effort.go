package permission

import (
	"regexp"
	"slices"

	"github.com/ccwire/ccwire/internal/sim/shell"
)

// Effort is how much there is to look at in a command line before it is decided on.
type Effort int

// From a command alone to what is between pipes.
const (
	Little Effort = iota
	Some          // several commands, variables that are set, a script
	Much          // pipes, and what cannot be looked into
)

// script finds a word that is a file with a script, or a shell.
var script = regexp.MustCompile(`(?:^|[\s"'=(;&|])(?:\./[\w/-]+|[\w-][\w./-]*\.(?:sh|bash|zsh|py|rb|pl|js|mjs|cjs|ts|php|lua|go|ps1)|` +
	`\./[\w./-]*\.(?:sh|bash|zsh|py|rb|pl|js|mjs|cjs|ts|php|lua|go|ps1)|(?:ba|z|da|k)?sh)(?:$|[\s"';&|)])`)

// declares are the commands that set variables.
var declares = []string{"export", "unset", "declare", "readonly", "local", "typeset"}

// EffortOf returns how much there is to look at in a command line that is decided on as given, and
// whether that ends with its first commands: they change nothing, or cannot be read.
func EffortOf(text string, d Decision) (effort Effort, short bool) {
	l, err := shell.Parse(text)
	switch {
	case err != nil:
		return Much, true
	case len(l.Segments) > 0:
		return Much, ReadOnly(l.Segments[0].Text)
	case d.Text == evaluates, l.Exports && d.Reason == "subcommandResults":
		return Much, false
	case d.Reason == "subcommandResults", l.Nested, l.Subshell, l.Compound, l.Construct != "", script.MatchString(text):
		return Some, false
	}
	if len(l.Sets) > 0 || slices.ContainsFunc(l.Parts, func(p shell.Part) bool {
		return len(p.Assigns) > 0 || len(p.Words) > 0 && (slices.Contains(declares, p.Words[0]) || p.Words[0] == "cd" && len(l.Parts) > 1)
	}) {
		return Some, false
	}
	return Little, false
}
