package tooluse

import (
	"context"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/permission"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// Pace returns when a use is told of that is over at once, false for another: one that is denied
// before anything is looked at on the disk, and one that needs nothing but what the session knows.
func (b *Box) Pace(u *turn.Use) (turn.Pace, bool) {
	if r, _ := b.Refused(u); r != nil || len(b.Hooks.Match("PreToolUse", u.Name)) > 0 {
		return turn.Pace{}, false
	}
	asked := *u
	asked.Input = tools.Coerce(u.Name, u.Input)
	switch kind := asked.Input.Text("subagent_type"); {
	case u.Name == "ToolSearch", startsAgent(u) && kind != "" && !slices.Contains(b.Ext.AgentNames(), any(kind)):
		return turn.Pace{Used: 2, Told: 2}, true
	}
	d, denied := b.Gate.Denies(b.permitted(context.Background(), &asked, tools.Observed(u.Name, asked.Input, b.Place.Cwd())))
	if !denied || !d.Refused && b.checkTool(&asked) != nil {
		return turn.Pace{}, false
	}
	unasked, rule := d.Behavior == permission.Ask, d.Behavior == permission.Deny && d.Reason != "mode"
	switch {
	case d.Refused && u.Name == "Read":
		return turn.Pace{Used: 2, Told: 2}, true
	case d.Refused && (u.Name == "Write" || u.Name == "Edit"):
		return turn.Pace{Used: 1, Told: 1}, true
	case u.Name == "Bash" && !rule:
		return b.paceOfShell(asked.Input.Text("command"), unasked), true
	case u.Name == "Bash", u.Name == "WebFetch":
		return turn.Pace{Used: 2, Told: 3}, true
	case strings.HasPrefix(u.Name, "mcp__") && unasked:
		return turn.Pace{Used: 1, Told: 3}, true
	case strings.HasPrefix(u.Name, "mcp__"), (u.Name == "Read" || u.Name == "WebSearch") && unasked:
		return turn.Pace{Used: 1, Told: 2}, true
	case u.Name == "Read", u.Name == "WebSearch":
		return turn.Pace{Used: 0, Told: 2}, true
	}
	return turn.Pace{}, false
}

// paceOfShell is Pace for a command line that no rule denies. One that cannot be read takes longer,
// as does one for which the user would be asked if it has pipes, or where no events are written.
func (b *Box) paceOfShell(line string, unasked bool) turn.Pace {
	pace := turn.Pace{Used: 2, Told: 3}
	read, pipes := permission.Structure(line)
	if unasked && (pipes || !read) {
		pace.Used++
	}
	if !read || unasked && (pipes || !b.Flags.Has("include-partial-messages")) {
		pace.Told++
	}
	return pace
}
