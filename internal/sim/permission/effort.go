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
// whether that ends with its first commands: they change nothing, or cannot be read. Versions
// before 2.1.327 are early: they look at it in another way.
func EffortOf(text string, d Decision, early bool) (effort Effort, short bool) {
	now := func(before, since Effort) Effort {
		if early {
			return before
		}
		return since
	}
	l, err := shell.Parse(text)
	switch {
	case err != nil:
		return Much, true
	case len(l.Segments) > 0:
		return Much, !early || ReadOnly(l.Segments[0].Text)
	case l.Exports && d.Reason == "subcommandResults":
		return Much, false
	case d.Text == evaluates:
		return now(Much, Some), false
	case script.MatchString(text):
		return now(Some, Much), false
	case l.Nested, l.Construct != "", begins(l, declares...):
		return Some, false
	case d.Reason == "subcommandResults", l.Subshell, l.Compound, setsOrMoves(l):
		return now(Some, Little), false
	}
	return Little, false
}

// setsOrMoves reports whether a line sets variables, or the working directory of further commands.
func setsOrMoves(l *shell.Line) bool {
	return len(l.Sets) > 0 || len(l.Parts) > 1 && begins(l, "cd") ||
		slices.ContainsFunc(l.Parts, func(p shell.Part) bool { return len(p.Assigns) > 0 })
}

// begins reports whether a command of a line begins with one of the words.
func begins(l *shell.Line, words ...string) bool {
	return slices.ContainsFunc(l.Parts, func(p shell.Part) bool { return len(p.Words) > 0 && slices.Contains(words, p.Words[0]) })
}
