package tooluse

import (
	"context"
	"fmt"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

func (b *Box) killTask(_ context.Context, u *turn.Use) turn.Result {
	k := b.Tasks.Find(taskID(u.Input))
	b.Tasks.Stop(k)
	result := object.Of("message", fmt.Sprintf("Successfully stopped task: %s (%s)", k.ID, k.Description), "task_id", k.ID, "task_type", k.Kind,
		"command", object.If(k.Command != "", k.Command))
	return okResult(u, object.Text(result), result)
}

func taskID(in object.Object) string {
	for _, name := range []string{"task_id", "shell_id", "bash_id"} {
		if id := in.Text(name); id != "" {
			return id
		}
	}
	return ""
}
