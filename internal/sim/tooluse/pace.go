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
		return turn.Pace{Used: 9, Told: 10}, true
	}
	use := b.permitted(context.Background(), &asked, tools.Observed(u.Name, asked.Input, b.Place.Cwd()))
	d, denied := b.Gate.Denies(use)
	switch unchecked := b.Gate.Unchecked(use); {
	case !denied && !unchecked, !d.Refused && b.checkTool(&asked) != nil:
		return turn.Pace{}, false
	case unchecked:
		return turn.Pace{Checked: true}, true
	}
	unasked := d.Behavior == permission.Ask
	switch {
	case d.Refused && u.Name == "Read":
		return turn.Pace{Used: 10, Told: 11}, true
	case d.Refused && (u.Name == "Write" || u.Name == "Edit"):
		return turn.Pace{Used: 5, Told: 6}, true
	case u.Name == "Bash" && b.Policy.Denies("Bash"):
		return turn.Pace{Used: 10, Told: 14}, true
	case u.Name == "Bash":
		return paceOfShell(asked.Input.Text("command"), d, b.Out.Release().Before("2.1.327")), true
	case u.Name == "WebFetch" && unasked:
		return turn.Pace{Used: 18, Told: 21}, true
	case u.Name == "WebFetch":
		return turn.Pace{Used: 18, Told: 19}, true
	case strings.HasPrefix(u.Name, "mcp__") && unasked:
		return turn.Pace{Used: 14, Told: 19}, true
	case strings.HasPrefix(u.Name, "mcp__"), u.Name == "Read" && unasked:
		return turn.Pace{Used: 10, Told: 14}, true
	case u.Name == "WebSearch" && unasked:
		return turn.Pace{Used: 10, Told: 11}, true
	case u.Name == "Read", u.Name == "WebSearch":
		return turn.Pace{Used: 6, Told: 11}, true
	}
	return turn.Pace{}, false
}

// paceOfShell is Pace for a command line. Early is for versions before 2.1.327.
func paceOfShell(line string, d permission.Decision, early bool) turn.Pace {
	effort, short := permission.EffortOf(line, d, early)
	switch {
	case d.Behavior == permission.Ask:
		return [...]turn.Pace{permission.Little: {Used: 22, Told: 23}, permission.Some: {Used: 22, Told: 25}, permission.Much: {Used: 26, Told: 27}}[effort]
	case effort == permission.Much && (short || d.Reason != "mode"):
		return turn.Pace{Used: 22, Told: 25}
	case effort == permission.Much:
		return turn.Pace{Used: 24, Told: 25}
	case effort == permission.Some && d.Reason == "mode":
		return turn.Pace{Used: 22, Told: 23}
	}
	return turn.Pace{Used: 18, Told: 19}
}
