package sim

import (
	"context"

	"github.com/ccwire/ccwire/internal/object"
)

func init() {
	controls["stop_task"] = control{serve: func(s *Session, _ context.Context, r object.Object) (reply, error) {
		if k := s.tasks.Find(r.Text("task_id")); k != nil {
			s.tasks.Stop(k)
		}
		return reply{body: object.Object{}}, nil
	}}
	controls["background_tasks"] = control{serve: func(s *Session, _ context.Context, r object.Object) (reply, error) {
		id, found := r.Text("tool_use_id"), false
		for _, k := range s.tasks.Running(false) {
			if id == "" || id == k.Use {
				s.tasks.ToBackground(k)
				found = true
			}
		}
		return reply{body: object.Of("backgrounded", object.If(id != "", found))}, nil
	}}
	controls["get_task_output"] = control{serve: func(s *Session, _ context.Context, r object.Object) (reply, error) {
		k := s.tasks.Find(r.Text("task_id"))
		if k == nil {
			return reply{}, &controlError{text: "get_task_output: no shell or Monitor task with that task_id in this session"}
		}
		output := k.Output()
		return reply{body: object.Of("output", output, "total_bytes", len(output), "truncated", false)}, nil
	}}
}
