package tooluse

import (
	"context"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

func (b *Box) createTodo(ctx context.Context, u *turn.Use) turn.Result {
	r := b.Tools.Run(ctx, u.Name, u.Input)
	use, _ := r.Use.(object.Object)
	id := use.Object("task").Text("id")
	if no := b.todoHook(ctx, u, "TaskCreated", id); no != nil {
		b.Tools.Run(ctx, "TaskUpdate", object.Of("taskId", id, "status", "deleted"))
		return *no
	}
	return turn.Result{Block: r.Block(u.ID), Detail: r.Use}
}

func (b *Box) updateTodo(ctx context.Context, u *turn.Use) turn.Result {
	if u.Input.Text("status") == "completed" {
		if no := b.todoHook(ctx, u, "TaskCompleted", u.Input.Text("taskId")); no != nil {
			return *no
		}
	}
	r := b.Tools.Run(ctx, u.Name, u.Input)
	return turn.Result{Block: r.Block(u.ID), Detail: r.Use}
}

// todoHook calls the hooks of a change of the model's list. It returns a result if they forbid it.
func (b *Box) todoHook(ctx context.Context, u *turn.Use, event, id string) *turn.Result {
	subject, description, ok := b.Tools.Todo(id)
	if !ok {
		return nil
	}
	v := b.Hooks.Call(ctx, event, u.Turn.When(u.Agent, ""), "task_id", id, "task_subject", subject, "task_description", description)
	if v.Decision != "deny" {
		return nil
	}
	text := event + " hook feedback:\n" + v.Reason
	r := badResult(u, text, "Error: "+text)
	return &r
}
