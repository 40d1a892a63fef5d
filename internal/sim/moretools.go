package sim

import (
	"context"
	"fmt"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/tasks"
)

// runSkill runs the tool Skill: the model is told the skill's text.
func (s *Session) runSkill(ctx context.Context, u *toolUse) toolResult {
	x := s.ext.Command(u.input.Text("skill"))
	if x == nil {
		text := "Unknown skill: " + u.input.Text("skill")
		return badResult(u, "<tool_use_error>"+text+"</tool_use_error>", "Error: "+text)
	}
	r := toolResult{block: object.Of("type", "tool_result", "tool_use_id", u.id, "content", "Launching skill: "+x.Name)}
	r.result = object.Of("success", true, "commandName", x.Name)
	block := object.Of("type", "text", "text", x.Expand(u.input.Text("args"), s.inline(ctx)))
	r.after = func() {
		u.agent.talk.Add("user", block)
		u.turn.userLine(u.agent, []any{block}, "isSynthetic", true)
	}
	return r
}

// inline returns what runs the commands in the text of an extension, nil if nothing does.
func (s *Session) inline(ctx context.Context) func(string) string {
	if s.tools == nil {
		return nil
	}
	return func(command string) string {
		out, _ := s.tools.Run(ctx, "Bash", object.Of("command", command)).Content.(string)
		return out
	}
}

// runMonitor runs the tool Monitor: a command in the background whose lines the model is told.
func (s *Session) runMonitor(u *toolUse) toolResult {
	k := &tasks.Task{ID: ids.Shell(), Run: ids.Run(), Use: u.id, Kind: "local_bash", Description: u.input.Text("description")}
	p, err := s.tools.Background(u.input)
	if err != nil {
		return badResult(u, err.Error(), "Error: "+err.Error())
	}
	k.Cancel = func(error) { p.Kill() }
	s.tasks.Add(k, true)
	s.tasks.Started(k)
	limit := 24 * time.Hour
	ms, _ := u.input.Number("timeout_ms")
	persistent := u.input.Bool("persistent")
	if ms > 0 && !persistent {
		limit = time.Duration(ms) * time.Millisecond
	}
	s.life.Go(func() {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		select {
		case <-p.Done():
		case <-timer.C:
			p.Kill()
			<-p.Done()
		case <-s.life.Context().Done():
			p.Kill()
			<-p.Done()
			return
		}
		k.SetOutput(p.Output())
		if !s.tasks.Finish(k, "completed", "") {
			return
		}
		summary := fmt.Sprintf("Monitor %q stream ended", k.Description)
		s.tasks.Ended(k, "completed", summary, nil)
	})
	text := fmt.Sprintf("The monitor runs in the background as task %s. Each line that its command writes comes into the conversation as a note of its own, and so does its end. "+
		"There is nothing to wait for and nothing to ask: go on with something else, or end the turn. It stops after %d ms, unless it is persistent; TaskStop stops it earlier. "+
		"What it has written so far is in its output file.", k.ID, int(ms))
	return okResult(u, text, object.Of("taskId", k.ID, "timeoutMs", ms, "persistent", persistent))
}

// structured reports whether the answer of the model must have a form of its own.
func (s *Session) structured() bool {
	return s.host.Structured() || s.flags.Has("json-schema")
}
