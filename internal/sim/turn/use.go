package turn

import (
	"context"
	"slices"
	"time"

	"github.com/ccwire/ccwire/internal/object"
)

// Tools uses tools for a turn.
type Tools interface {
	// Use uses a tool, if that is allowed.
	Use(ctx context.Context, u *Use) Result
	// Concurrent reports whether a tool may run at the same time as others.
	Concurrent(name string) bool
	// Structured reports whether the answer of the model must have a form of its own.
	Structured() bool
	// Inline returns what runs the commands in the text of an extension, nil if nothing does.
	Inline(ctx context.Context) func(command string) string
	// Crons are the jobs that the model has planned.
	Crons() []any
}

// Use is one use of a tool by the model.
type Use struct {
	Turn  *Turn
	Agent *Agent
	ID    string
	Name  string
	Input object.Object

	Changed bool // the user has changed the input

	said     object.Object // the input as the model wrote it
	response any           // what the model is told of it
}

// Result is what came of a tool use.
type Result struct {
	Block  object.Object // the tool_result; nil if it is for later
	Detail any           // the member tool_use_result; nil for none
	Meta   object.Object // the element of tool_result_meta; nil for none

	Told []string // what the model is told beside it
	Said []string // what the user is told before it

	SaidAfter []string // and after it
	End       *Outcome // the turn ends with it
	After     func()   // what is written after the line
}

// toolUses returns the tools that the model wants to use.
func (m *answer) toolUses(t *Turn, a *Agent) (list []*Use) {
	for _, b := range m.content {
		if o, ok := b.(object.Object); ok && o.Text("type") == "tool_use" {
			list = append(list, &Use{Turn: t, Agent: a, ID: o.Text("id"), Name: o.Text("name"), Input: o.Object("input"), said: o.Object("input")})
		}
	}
	return list
}

// useTools uses tools: those that may run at once together, the others one by one. It reports true
// if the turn ends by it.
func (t *Turn) useTools(a *Agent, uses []*Use) (bool, Outcome) {
	batch := uses
	for len(uses) > 0 {
		n := 1
		for t.stage.Tools.Concurrent(uses[0].Name) && n < len(uses) && t.stage.Tools.Concurrent(uses[n].Name) {
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

func (t *Turn) useTogether(a *Agent, uses []*Use) (bool, Outcome) {
	results := make([]Result, len(uses))
	ended := make(chan int, len(uses))
	for i, u := range uses {
		if i > 0 {
			time.Sleep(together) // they begin in their order
		}
		go func() { // ends with the tool
			results[i] = t.stage.Tools.Use(t.ctx, u)
			ended <- i
		}()
	}
	var end *Outcome
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
	return false, Outcome{}
}

// tellResult writes the result of a tool. It returns how the turn ends, if it ends by it.
func (t *Turn) tellResult(a *Agent, u *Use, r *Result) *Outcome {
	if t.ctx.Err() != nil {
		t.AwaitReceipt()
	}
	if a.ID == "" || t.ctx.Err() == nil || t.task.Background() {
		t.toolLine(a, u, r)
	}
	switch {
	case r.After == nil:
	case t.task != nil && !t.task.Background() && t.ctx.Err() != nil: // told after the result of the subagent itself
		t.after = append(t.after, r.After)
	default:
		r.After()
	}
	return r.End
}

// toolLine writes the result of a tool and puts it into the conversation.
func (t *Turn) toolLine(a *Agent, u *Use, r *Result) {
	t.stage.Hooks.Say(r.Said)
	if r.Block == nil { // it is for later
		return
	}
	u.response = r.Block.Get("content")
	a.Talk.Add("user", r.Block)
	for _, text := range r.Told {
		a.Talk.Tell(text)
	}
	more := []any{}
	if r.Detail != nil && (a.ID == "" || r.Block.Bool("is_error")) {
		more = append(more, "tool_use_result", r.Detail)
	}
	if r.Meta != nil && (a.ID == "" || t.ctx.Err() == nil) {
		more = append(more, "tool_result_meta", []any{append(object.Of("id", u.ID), r.Meta...)})
	}
	t.UserLine(a, []any{r.Block}, more...)
	t.stage.Hooks.Say(r.SaidAfter)
}
