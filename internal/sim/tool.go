package sim

import (
	"context"
	"slices"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/tools"
)

// toolUse is one use of a tool by the model.
type toolUse struct {
	turn  *turn
	agent *agent
	id    string
	name  string
	input object.Object

	said     object.Object // the input as the model wrote it
	response any           // what the model is told of it
	changed  bool          // the user has changed the input
}

// toolResult is what came of a tool use.
type toolResult struct {
	block  object.Object // the tool_result
	result any           // the member tool_use_result; nil for none
	meta   object.Object // the element of tool_result_meta; nil for none
	more   object.Object // other members of the line

	told []string // what the model is told beside it
	said []string // what the user is told before it

	saidAfter []string // and after it
	end       *outcome // the turn ends with it
	after     func()   // what is written after the line
}

// okResult is the result of a tool that has run.
func okResult(u *toolUse, content, result any) toolResult {
	return toolResult{block: object.Of("tool_use_id", u.id, "type", "tool_result", "content", content), result: result}
}

// badResult is the result of a tool that has not run, or failed.
func badResult(u *toolUse, content, result any) toolResult {
	return toolResult{block: object.Of("type", "tool_result", "content", content, "is_error", true, "tool_use_id", u.id), result: result}
}

// toolUses returns the tools that the model wants to use.
func (m *answer) toolUses(t *turn, a *agent) (list []*toolUse) {
	for _, b := range m.content {
		if o, ok := b.(object.Object); ok && o.Text("type") == "tool_use" {
			list = append(list, &toolUse{turn: t, agent: a, id: o.Text("id"), name: o.Text("name"), input: o.Object("input"), said: o.Object("input")})
		}
	}
	return list
}

// useTools uses tools: those that may run at once together, the others one by one. It reports true
// if the turn ends by it.
func (t *turn) useTools(a *agent, uses []*toolUse) (bool, outcome) {
	batch := uses
	for len(uses) > 0 {
		n := 1
		for t.session.concurrent(uses[0]) && n < len(uses) && t.session.concurrent(uses[n]) {
			n++
		}
		if done, o := t.useTogether(a, uses[:n]); done {
			return true, o
		}
		uses = uses[n:]
	}
	return t.batchDone(a, batch)
}

// together is how far apart tools may end to count as having ended at once.
const together = 2 * time.Millisecond

func (t *turn) useTogether(a *agent, uses []*toolUse) (bool, outcome) {
	results := make([]toolResult, len(uses))
	ended := make(chan int, len(uses))
	for i, u := range uses {
		if i > 0 {
			time.Sleep(together) // they begin in their order
		}
		go func() { // ends with the tool
			results[i] = t.session.useTool(t.ctx, u)
			ended <- i
		}()
	}
	var end *outcome
	for left := len(uses); left > 0; {
		// Results are told as they come, those that come at once in the order of their uses.
		batch := []int{<-ended}
		if left > 1 {
			time.Sleep(together)
		}
		for len(ended) > 0 {
			batch = append(batch, <-ended)
		}
		slices.Sort(batch)
		left -= len(batch)
		for _, i := range batch {
			if o := t.tellResult(a, uses[i], &results[i]); o != nil {
				end = o
			}
		}
	}
	if t.ctx.Err() != nil {
		return true, t.aborted(a, true)
	}
	if end != nil {
		return true, *end
	}
	return false, outcome{}
}

// tellResult writes the result of a tool. It returns how the turn ends, if it ends by it.
func (t *turn) tellResult(a *agent, u *toolUse, r *toolResult) *outcome {
	if t.ctx.Err() != nil {
		t.awaitReceipt()
	}
	if a.id == "" || t.ctx.Err() == nil || t.task.Background() {
		t.toolLine(a, u, r)
	}
	switch {
	case r.after == nil:
	case t.task != nil && !t.task.Background() && t.ctx.Err() != nil: // told after the result of the subagent itself
		t.after = append(t.after, r.after)
	default:
		r.after()
	}
	return r.end
}

// toolLine writes the result of a tool and puts it into the conversation.
func (t *turn) toolLine(a *agent, u *toolUse, r *toolResult) {
	t.session.hooks.Say(r.said)
	if r.block == nil { // it is for later
		return
	}
	u.response = r.block.Get("content")
	a.talk.Add("user", r.block)
	for _, text := range r.told {
		a.talk.Tell(text)
	}
	more := []any{}
	if r.result != nil && (a.id == "" || r.block.Bool("is_error")) {
		more = append(more, "tool_use_result", r.result)
	}
	if r.meta != nil && (a.id == "" || t.ctx.Err() == nil) {
		more = append(more, "tool_result_meta", []any{append(object.Of("id", u.id), r.meta...)})
	}
	for _, m := range r.more {
		more = append(more, m.Name, m.Value)
	}
	t.userLine(a, []any{r.block}, more...)
	t.session.hooks.Say(r.saidAfter)
}

// concurrent reports whether a tool may run at the same time as others.
func (s *Session) concurrent(u *toolUse) bool {
	switch u.name {
	case "Read", "Glob", "Grep":
		return true
	}
	t, ok := s.servers.Tool(u.name)
	return ok && t.ReadOnly
}

// runTool runs a tool that is allowed.
func (s *Session) runTool(ctx context.Context, u *toolUse) toolResult {
	if r, ok := s.Model.Script().Tools[u.name]; ok {
		return scriptResult(u, &r)
	}
	switch {
	case u.name == "Task" || u.name == "Agent":
		return s.runAgent(ctx, u)
	case u.name == "Skill":
		return s.runSkill(ctx, u)
	case u.name == "EnterWorktree":
		return s.enterWorktree(ctx, u)
	case u.name == "ExitWorktree":
		return s.exitWorktree(ctx, u)
	case u.name == "Monitor" && s.tools != nil:
		return s.runMonitor(u)
	case u.name == "Bash" && s.tools != nil:
		return s.runShell(ctx, u)
	case toolbox[u.name] != nil:
		return toolbox[u.name](s, ctx, u)
	case s.tools != nil && tools.Acts(u.name):
		s.checkpoints.Save(u.name, u.input)
		r := s.tools.Run(ctx, u.name, u.input)
		if ctx.Err() != nil {
			return rejected(u)
		}
		return toolResult{block: r.Block(u.id), result: r.Use}
	}
	if r, ok := s.servers.Use(ctx, u.id, u.name, u.input); ok {
		switch {
		case r.Interrupted:
			return rejected(u)
		case r.Failed:
			return badResult(u, r.Content, r.Result)
		}
		return okResult(u, r.Content, r.Result)
	}
	return badResult(u, "<tool_use_error>Error: No such tool available: "+u.name+"</tool_use_error>", "Error: No such tool available: "+u.name)
}
