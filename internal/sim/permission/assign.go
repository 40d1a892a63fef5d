package permission

import (
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/shell"
)

const (
	tilde  = "A value with ~ can't be checked before it is set"
	alters = " decides how the commands after it are found and read, which can't be checked"
	pipes  = "The parts of a pipe that only set a variable can't be checked one by one"
)

// altering are the variables that change what later commands are or read; those whose names begin
// with a prefix of alteringPrefixes do, too.
var (
	altering         = strings.Fields("PATH path FPATH fpath CDPATH MAILPATH HOME SHELL ENV BASH_ENV IFS LANG LANGUAGE HISTFILE GLOBIGNORE")
	alteringPrefixes = []string{"LC_", "LD_", "DYLD_"}
)

// inherited are the variables that every command is given, whatever the session.
var inherited = []string{"PWD", "OLDPWD", "TMPDIR"}

// assigned decides on variables that a line sets for what comes after them, where no rule could
// allow that.
func assigned(line *shell.Line) (Decision, bool) {
	for _, s := range line.Sets {
		switch {
		case strings.Contains(s.Value, "~"):
			return other(tilde), true
		case slices.Contains(altering, s.Name) || slices.ContainsFunc(alteringPrefixes, func(p string) bool { return strings.HasPrefix(s.Name, p) }):
			return other(s.Name + alters), true
		case slices.Contains(inherited, s.Name):
			return other(assigns), true
		}
	}
	if slices.ContainsFunc(line.Segments, func(s shell.Segment) bool { return s.Start == s.End }) {
		return other(pipes), true
	}
	return Decision{}, false
}

// fresh is the decision on a line before any command has run, given that of its commands: a
// variable that it sets may be one that other programs read.
func fresh(d Decision, line *shell.Line) Decision {
	open := slices.ContainsFunc(line.Sets, func(s shell.Set) bool { return !harmlessVariable(s.Name + "=" + s.Value) })
	switch {
	case !open || d.BlockedPath != "":
		return d
	case len(line.Parts) == 0:
		return other(assigns)
	case len(line.Parts) == 1:
		return Decision{Behavior: Ask, Reason: "other", Text: needsApproval, Message: needsApproval}
	}
	d = Decision{Behavior: Ask, Reason: "subcommandResults", Message: needsApproval}
	if len(line.Segments) > 0 {
		d.Suggestions = []any{}
	}
	return d
}
