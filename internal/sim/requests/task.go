package requests

import (
	"context"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/control"
)

// running serves the requests about tasks.
type running struct{ *Parts }

func (s running) handlers() handlers {
	return handlers{
		"stop_task": {Serve: func(_ context.Context, r object.Object) (control.Reply, error) {
			id, ok := r.Get("task_id").(string)
			if !ok {
				return control.Reply{}, &control.Error{Text: "stop_task: task_id must be a string"}
			}
			if k := s.Tasks.Find(id); k != nil {
				s.Tasks.Stop(k)
			}
			return control.Reply{Body: object.Object{}}, nil
		}},
		"background_tasks": {Serve: func(_ context.Context, r object.Object) (control.Reply, error) {
			id, found := r.Text("tool_use_id"), false
			for _, k := range s.Tasks.Running(false) {
				if (id == "" || id == k.Use) && !s.Tasks.Nested(k) {
					s.Tasks.ToBackground(k)
					found = true
				}
			}
			return control.Reply{Body: object.Of("backgrounded", object.If(id != "", found))}, nil
		}},
		"get_task_output": {Serve: func(_ context.Context, r object.Object) (control.Reply, error) {
			k := s.Tasks.Find(r.Text("task_id"))
			if k == nil || k.Agent != nil {
				return control.Reply{}, &control.Error{Text: "get_task_output: no shell or Monitor task with that task_id in this session"}
			}
			output := k.Output()
			return control.Reply{Body: object.Of("output", output, "total_bytes", len(output), "truncated", false)}, nil
		}},
	}
}
