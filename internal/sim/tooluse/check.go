package tooluse

import (
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// checkTool returns why a tool is not even asked for.
func (b *Box) checkTool(u *turn.Use) *tools.Refusal {
	if r := b.missing(u.Name); r != nil {
		return r
	}
	if b.scripted(u) || b.Tools == nil {
		return nil
	}
	switch u.Name {
	case "ExitPlanMode":
		if b.Policy.Mode() != "plan" {
			return tools.Refuse("The session is not in plan mode. EnterPlanMode begins it; a plan that was approved is simply carried out.")
		}
	case "TaskStop", "KillShell", "KillBash":
		if id := taskID(u.Input); b.Tasks.Find(id) == nil {
			return tools.Refuse("No task found with ID: " + id)
		}
	case "ExitWorktree":
		if b.Place.Entered() == nil {
			return noWorktree
		}
	case "Skill":
		if b.Ext.Command(u.Input.Text("skill")) == nil {
			return tools.Refuse("Unknown skill: " + u.Input.Text("skill"))
		}
	}
	return b.Tools.Check(u.Name, u.Input)
}
