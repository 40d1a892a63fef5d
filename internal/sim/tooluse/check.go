package tooluse

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// Refused returns the result of a use that is refused for what the model wrote alone, nil if it is
// not, and whether that is because the session has no such tool.
func (b *Box) Refused(u *turn.Use) (r *turn.Result, missing bool) {
	refusal, missing := b.missing(u.Agent, u.Name), true
	if refusal == nil && !b.scripted(u) && b.Tools != nil {
		asked := *u
		asked.Input = tools.Coerce(u.Name, u.Input)
		refusal, missing = tools.Validate(u.Name, asked.Input), false
		if refusal == nil && quick[u.Name] {
			refusal = b.checkTool(&asked)
		}
	}
	if refusal == nil {
		return nil, false
	}
	result := refusal.Result()
	return &turn.Result{Block: result.Block(u.ID), Detail: result.Use}, missing
}

// quick are the tools that are checked without a look at the disk.
var quick = map[string]bool{"ExitPlanMode": true, "TaskStop": true, "KillShell": true, "KillBash": true, "Skill": true, "NotebookEdit": true}

// checkTool returns why a tool is not even asked for.
func (b *Box) checkTool(u *turn.Use) *tools.Refusal {
	if r := b.missing(u.Agent, u.Name); r != nil {
		return r
	}
	if b.scripted(u) || b.Tools == nil {
		return nil
	}
	r := b.Tools.Check(u.Name, u.Input)
	if r != nil && r.Invalid {
		return b.explain(u.Name, r)
	}
	switch u.Name {
	case "ExitPlanMode":
		if b.Policy.Mode() != "plan" {
			return tools.Refuse("The session is not in plan mode. EnterPlanMode begins it; a plan that was approved is simply carried out.")
		}
	case "TaskStop", "KillShell", "KillBash":
		switch id := taskID(u.Input); {
		case id == "":
			return tools.Refuse("Missing required parameter: task_id")
		case b.Tasks.Find(id) == nil:
			return tools.Refuse("No task found with ID: " + id)
		}
	case "ExitWorktree":
		if b.Place.Entered() == nil {
			return noWorktree
		}
	case "Skill":
		switch name := u.Input.Text("skill"); {
		case strings.TrimSpace(name) == "":
			return tools.Refuse("Invalid skill format: " + name)
		case b.Ext.Command(name) == nil:
			return tools.Refuse("Unknown skill: " + name)
		case b.Ext.Command(name).ByHand:
			return tools.Refuse(fmt.Sprintf("Skill %s has disable-model-invocation: only the user can run /%[1]s, and it is not to be done in another way.", name))
		}
	case "WebSearch":
		if len(u.Input.List("allowed_domains")) > 0 && len(u.Input.List("blocked_domains")) > 0 {
			return tools.Refuse("Error: Cannot specify both allowed_domains and blocked_domains in the same request")
		}
	}
	return r
}

// explain tells the model what the input of a tool is that it has not searched for.
func (b *Box) explain(name string, r *tools.Refusal) *tools.Refusal {
	b.mu.Lock()
	found := b.found[name]
	b.mu.Unlock()
	if found || !slices.Contains(tools.Deferred(), name) {
		return r
	}
	return &tools.Refusal{Use: r.Use, Invalid: true, Text: r.Text + "\n\nThe model has used the tool without having searched for it, and does not know its input. " +
		"ToolSearch with the query \"select:" + name + "\" tells what it is; the tool can be used once more after that."}
}
