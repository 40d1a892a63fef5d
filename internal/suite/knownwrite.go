package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/transport/cli"
)

// A KnownChange is what [RewriteKnown] did to a list of known failures.
type KnownChange struct {
	Added   []string // scenarios
	Dropped []string // lines, without their reasons, and why
	Kept    int      // lines
}

func (c *KnownChange) String() string {
	var b strings.Builder
	for _, name := range c.Added {
		fmt.Fprintf(&b, "+ %s\n", name)
	}
	for _, line := range c.Dropped {
		fmt.Fprintf(&b, "- %s\n", line)
	}
	fmt.Fprintf(&b, "%d added, %d dropped, %d kept\n", len(c.Added), len(c.Dropped), c.Kept)
	return b.String()
}

// RewriteKnown returns a list of known failures as it should be after a run of one target that is
// not a CLI, of a version that may be anything. The report is that of a run with the list; all are
// the names of all scenarios, played or not.
//
// Comments stay, and so do lines for what still fails, for what fails sometimes and for what was
// not played. A line that is for what passes, does not apply or does not exist is dropped; of a
// pattern, the scenarios remain that still fail. What else fails is added, with the reason that the
// run has found.
func RewriteKnown(text string, r *Report, version string, all []string) (string, *KnownChange, error) {
	known, err := ParseKnown(strings.NewReader(text))
	if err != nil {
		return "", nil, err
	}
	v, _ := cli.ParseVersion(version) // as for Apply
	change := &KnownChange{}
	var lines []string
	next := 0 // the first entry that no line was found for
	for number, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if next == len(known) || known[next].Line != number+1 {
			lines = append(lines, line)
			continue
		}
		kept := known.rewrite(next, line, r, v, all, change)
		lines = append(lines, kept...)
		change.Kept += len(kept)
		next++
	}
	for i := range r.Results {
		if res := &r.Results[i]; res.Status == Fail {
			lines = append(lines, res.Scenario+"  # "+shortReason(cmp.Or(res.Cause, res.Reason)))
			change.Added = append(change.Added, res.Scenario)
		}
	}
	if len(lines) > 0 && lines[0] == "" {
		lines = lines[1:] // there was no text
	}
	return strings.Join(append(lines, ""), "\n"), change, nil
}

// rewrite returns what becomes of the line of an entry.
func (k Known) rewrite(i int, line string, r *Report, v cli.Version, all []string, change *KnownChange) []string {
	e := &k[i]
	drop := func(what, why string) {
		change.Dropped = append(change.Dropped, what+": "+why)
	}
	named := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !e.Pattern.Match(name) })
	if len(named) == 0 {
		drop(string(e.Pattern), "there is no such scenario")
		return nil
	}
	if !e.Versions.Contains(v) {
		drop(string(e.Pattern), "it is for other versions")
		return nil
	}
	if e.Sometimes {
		return []string{line}
	}
	var stay, gone []string
	for _, name := range named {
		n := slices.IndexFunc(r.Results, func(res Result) bool { return res.Scenario == name })
		switch {
		case k.find(name, v) != i: // another line has it
		case n >= 0 && r.Results[n].Status == Pass:
			gone = append(gone, name)
			drop(name, "it passes")
		case n >= 0 && r.Results[n].Status == NotApplicable:
			gone = append(gone, name)
			drop(name, "it does not apply")
		default:
			stay = append(stay, name)
		}
	}
	switch {
	case len(stay) == 0 && len(gone) == 0:
		drop(string(e.Pattern), "a line before it has what it is for")
		return nil
	case len(gone) == 0:
		return []string{line}
	}
	after := strings.TrimPrefix(strings.TrimSpace(line), string(e.Pattern))
	for n := range stay {
		stay[n] += after
	}
	return stay
}

// maxReason is how many characters of a reason go into a list.
const maxReason = 150

// shortReason returns the start of a reason, on one line.
func shortReason(reason string) string {
	reason = strings.Join(strings.Fields(reason), " ")
	if runes := []rune(reason); len(runes) > maxReason {
		reason = string(runes[:maxReason-1]) + "…"
	}
	if reason == "" {
		return "it fails"
	}
	return reason
}
