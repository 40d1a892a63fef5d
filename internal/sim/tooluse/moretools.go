package tooluse

import (
	"context"
	"fmt"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/tasks"
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

// runMonitor runs the tool Monitor: a command in the background whose lines the model is told.
func (b *Box) runMonitor(u *turn.Use) turn.Result {
	k := &tasks.Task{ID: ids.Shell(), Run: ids.Run(), Use: u.ID, Kind: "local_bash", Description: u.Input.Text("description")}
	p, err := b.Tools.Background(u.Input)
	if err != nil {
		return badResult(u, err.Error(), "Error: "+err.Error())
	}
	k.Cancel = func(error) { p.Kill() }
	b.Tasks.Add(k, true)
	b.Tasks.Started(k)
	limit := 24 * time.Hour
	ms, _ := u.Input.Number("timeout_ms")
	persistent := u.Input.Bool("persistent")
	if ms > 0 && !persistent {
		limit = time.Duration(ms) * time.Millisecond
	}
	b.Life.Go(func() {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		select {
		case <-p.Done():
		case <-timer.C:
			p.Kill()
			<-p.Done()
		case <-b.Life.Context().Done():
			p.Kill()
			<-p.Done()
			return
		}
		k.SetOutput(p.Output())
		if !b.Tasks.Finish(k, "completed", "") {
			return
		}
		summary := fmt.Sprintf("Monitor %q stream ended", k.Description)
		b.Tasks.Ended(k, "completed", summary, nil)
	})
	text := fmt.Sprintf("The monitor runs in the background as task %s. Each line that its command writes comes into the conversation as a note of its own, and so does its end. "+
		"There is nothing to wait for and nothing to ask: go on with something else, or end the turn. It stops after %d ms, unless it is persistent; TaskStop stops it earlier. "+
		"What it has written so far is in its output file.", k.ID, int(ms))
	return okResult(u, text, object.Of("taskId", k.ID, "timeoutMs", ms, "persistent", persistent))
}

// Structured reports whether the answer of the model must have a form of its own.
func (b *Box) Structured() bool {
	return b.Host.Structured() || b.Flags.Has("json-schema")
}

// Crons are the jobs that the model has planned.
func (b *Box) Crons() []any {
	if b.Tools == nil {
		return []any{}
	}
	return b.Tools.Jobs()
}
