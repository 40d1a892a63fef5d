package tooluse

import (
	"context"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// runSkill runs the tool Skill: the model is told the skill's text.
func (b *Box) runSkill(ctx context.Context, u *turn.Use) turn.Result {
	x := b.Ext.Command(u.Input.Text("skill"))
	if x == nil {
		text := "Unknown skill: " + u.Input.Text("skill")
		return badResult(u, "<tool_use_error>"+text+"</tool_use_error>", "Error: "+text)
	}
	r := turn.Result{Block: object.Of("type", "tool_result", "tool_use_id", u.ID, "content", "Launching skill: "+x.Name)}
	r.Detail = object.Of("success", true, "commandName", x.Name)
	block := object.Of("type", "text", "text", x.Expand(u.Input.Text("args"), b.Inline(ctx)))
	r.After = func() {
		u.Agent.Talk.Add("user", block)
		u.Turn.UserLine(u.Agent, []any{block}, "isSynthetic", true)
	}
	return r
}

// Inline returns what runs the commands in the text of an extension, nil if nothing does.
func (b *Box) Inline(ctx context.Context) func(string) string {
	if b.Tools == nil {
		return nil
	}
	return func(command string) string {
		out, _ := b.Tools.Run(ctx, "Bash", object.Of("command", command)).Content.(string)
		return out
	}
}
