package tooluse

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/permission"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// runSkill runs the tool Skill: the model is told the skill's text.
func (b *Box) runSkill(ctx context.Context, u *turn.Use) turn.Result {
	x := b.Ext.Command(u.Input.Text("skill"))
	if x == nil {
		text := "Unknown skill: " + u.Input.Text("skill")
		return badResult(u, "<tool_use_error>"+text+"</tool_use_error>", "Error: "+text)
	}
	u.Turn.Bring(x)
	if x.Fork && !b.Out.Release().Before("2.1.325") {
		if f := u.Turn.Fork(ctx, x, u.Input.Text("args"), u); f != nil {
			return turn.Result{
				Block:  object.Of("type", "tool_result", "tool_use_id", u.ID, "content", fmt.Sprintf("Skill %q has run on its own. It says:\n%s", x.Name, f.Text)),
				Detail: object.Of("success", true, "commandName", x.Name, "status", "forked", "agentId", f.Agent.ID, "result", f.Text),
			}
		}
	}
	text, err := x.Expand(u.Input.Text("args"), b.Inline(ctx))
	if err != nil {
		return badResult(u, err.Error(), "Error: "+err.Error())
	}
	r := turn.Result{Block: object.Of("type", "tool_result", "tool_use_id", u.ID, "content", "Launching skill: "+x.Name)}
	model := any(object.Absent)
	if x.Model != "" && x.Model != "inherit" {
		model = b.Chosen.Resolve(x.Model)
	}
	r.Detail = object.Of("success", true, "commandName", x.Name, "allowedTools", object.If(len(x.Allowed) > 0, x.Allowed), "model", model)
	block := object.Of("type", "text", "text", text)
	r.After = func() {
		u.Agent.Talk.Add("user", block)
		u.Turn.Skill(u, x, block)
	}
	return r
}

// Inline returns what runs the commands in the text of an extension, nil if nothing does. A command
// for which the user would have to be asked is not run.
func (b *Box) Inline(ctx context.Context) func(string) (string, error) {
	if b.Tools == nil {
		return nil
	}
	return func(command string) (string, error) {
		input := object.Of("command", command)
		if d := b.Policy.Decide(permission.Request{Tool: "Bash", Input: input, Now: b.Tools.Now(), Fresh: b.Tools.Fresh()}); d.Behavior != permission.Allow {
			return "", fmt.Errorf("the command !`%s` may not run: %s", command, d.Message)
		}
		r := b.Tools.Run(ctx, "Bash", input)
		out, _ := r.Content.(string)
		if !r.Failed {
			return out, nil
		}
		text := fmt.Sprintf("the command !`%s` has failed:", command)
		if _, said, ok := strings.Cut(out, "\n"); ok {
			text += " [stderr]\n" + said
		}
		return "", errors.New(text)
	}
}
