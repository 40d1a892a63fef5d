package sim

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/queue"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

// task is a subagent or a shell that runs beside the conversation.
type task struct {
	id, run     string
	use         string // the tool use that started it
	kind        string // "local_agent" or "local_bash"
	description string
	command     string // of a shell
	agent       *agent // of a subagent
	prompt      string // of a subagent
	parent      string // the task of the subagent that started it
	cancel      context.CancelCauseFunc
	moved       chan struct{} // closed when it goes to the background

	mu         sync.Mutex // guards the fields below
	background bool
	status     string // "running", "completed", "failed", "killed"
	output     string
	shown      bool     // task_started was written
	after      []func() // what its own tools have left to tell
}

// taskState are the tasks of a session.
type taskState struct {
	mu      sync.Mutex // guards the fields below
	all     []*task
	change  chan struct{} // closed when a task ends
	counts  map[string]int
	byType  object.Object
	deepest int
}

// Causes of the end of a task.
var (
	errStopped = fmt.Errorf("stopped by the user")
	errKilled  = fmt.Errorf("stopped with the turn")
)

// add adds a task that runs.
func (ts *taskState) add(k *task) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	k.status = "running"
	k.moved = make(chan struct{})
	ts.all = append(ts.all, k)
}

// find returns the task with an id, nil if there is none.
func (ts *taskState) find(id string) *task {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if i := slices.IndexFunc(ts.all, func(k *task) bool { return k.id == id }); i >= 0 {
		return ts.all[i]
	}
	return nil
}

// running returns the tasks that run: those in the background, or the others.
func (ts *taskState) running(background bool) (list []*task) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for _, k := range ts.all {
		k.mu.Lock()
		if k.status == "running" && k.background == background {
			list = append(list, k)
		}
		k.mu.Unlock()
	}
	return list
}

// idle reports whether nothing runs in the background.
func (ts *taskState) idle() bool { return len(ts.running(true)) == 0 }

// changed returns a channel that is closed when a task ends.
func (ts *taskState) changed() <-chan struct{} {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.change == nil {
		ts.change = make(chan struct{})
	}
	return ts.change
}

func (ts *taskState) note() {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.change != nil {
		close(ts.change)
		ts.change = nil
	}
}

// count counts what happens to subagents.
func (ts *taskState) count(names ...string) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.counts == nil {
		ts.counts = map[string]int{}
	}
	for _, n := range names {
		ts.counts[n]++
	}
}

// spawned counts a subagent that starts.
func (ts *taskState) spawned(kind, requested string, background bool, depth int) {
	names := []string{"spawned", requested}
	if background {
		names = append(names, "started_in_background")
	}
	if depth > 1 {
		names = append(names, "spawned_by_subagents")
	}
	ts.count(names...)
	ts.mu.Lock()
	defer ts.mu.Unlock()
	n, _ := ts.byType.Number(kind)
	ts.byType.Set(kind, int(n)+1)
	ts.deepest = max(ts.deepest, depth)
}

// stats is the member subagent_stats of a result.
func (ts *taskState) stats() object.Object {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	c := ts.counts
	byType := object.Object{}
	return object.Of("spawned", c["spawned"], "requested", object.Of("background", c["background"], "foreground", c["foreground"], "unset", c["unset"]),
		"started_in_background", c["started_in_background"], "max_depth", ts.deepest, "spawned_by_subagents", c["spawned_by_subagents"],
		"completed", c["completed"], "failed", c["failed"], "killed", object.Of("parent", c["parent"], "user", c["user"], "system", c["system"]),
		"refused", object.Of("depth_limit", 0, "concurrency_limit", 0, "budget", 0), "by_type", append(byType, ts.byType...))
}

// taskOutput is the file that holds the output of a task.
func (s *Session) taskOutput(k *task) string {
	return filepath.Join(s.place.TmpDir(), "claude-"+strconv.Itoa(os.Getuid()), workspace.Flat(s.place.Dir()), s.out.ID(), "tasks", k.id+".output")
}

// backgroundChanged writes what runs in the background.
func (s *Session) backgroundChanged() {
	tasks := []any{}
	for _, k := range s.tasks.running(true) {
		tasks = append(tasks, object.Of("task_id", k.id, "run_id", k.run, "task_type", k.kind,
			"subagent_type", k.subagent(), "description", k.description))
	}
	s.out.Tell("type", "system", "subtype", "background_tasks_changed", "tasks", tasks)
}

func (k *task) subagent() any {
	if k.agent == nil {
		return object.Absent
	}
	return k.agent.kind
}

// taskStarted writes that a task runs.
func (s *Session) taskStarted(k *task) {
	k.mu.Lock()
	background := k.background
	k.shown = true
	k.mu.Unlock()
	if background {
		s.backgroundChanged()
	}
	depth, prompt := object.Absent, object.Absent
	if k.agent != nil {
		depth, prompt = k.agent.depth, k.prompt
	}
	s.out.Tell("type", "system", "subtype", "task_started", "task_id", k.id, "run_id", k.run, "tool_use_id", k.use, "description", k.description,
		"subagent_type", k.subagent(), "is_backgrounded", background, "spawn_depth", depth, "parent_task_id", object.If(k.parent != "", k.parent),
		"task_type", k.kind, "prompt", prompt)
}

// taskUpdated writes a change of a task.
func (s *Session) taskUpdated(k *task, patch object.Object) {
	s.out.Tell("type", "system", "subtype", "task_updated", "task_id", k.id, "run_id", k.run, "patch", patch)
}

// finish notes that a task has ended. It reports false if that was known.
func (s *Session) finish(k *task, status, failure string) bool {
	k.mu.Lock()
	if k.status != "running" {
		k.mu.Unlock()
		return false
	}
	k.status = status
	shown := k.shown
	background := k.background
	k.mu.Unlock()
	if shown && (background || k.agent != nil) {
		s.taskUpdated(k, object.Of("status", status, "end_time", time.Now().UnixMilli(), "error", object.If(failure != "", failure)))
	}
	return true
}

// notify writes how a task has ended.
func (s *Session) notify(k *task, status, summary string, more ...any) {
	k.mu.Lock()
	file := ""
	if k.background || k.agent != nil {
		file = s.taskOutput(k)
	}
	k.mu.Unlock()
	s.out.Tell(append([]any{"type", "system", "subtype", "task_notification", "task_id", k.id, "run_id", k.run, "tool_use_id", k.use, "status", status,
		"output_file", file, "summary", summary}, more...)...)
}

// wakeFor gives the model a turn for a task in the background that has ended.
func (s *Session) wakeFor(k *task, status, summary string) {
	text := fmt.Sprintf("<task-notification>\n<task-id>%s</task-id>\n<tool-use-id>%s</tool-use-id>\n<output-file>%s</output-file>\n<status>%s</status>\n"+
		"<summary>%s</summary>\n</task-notification>\nThe task has ended. Read the output file for what it wrote. Nobody has said anything: this note is made by the session itself.",
		k.id, k.use, s.taskOutput(k), status, summary)
	s.queue.Add(&queue.Prompt{Content: text, Origin: object.Of("kind", "task-notification", "producer", "session-task", "runId", k.run)})
}

// toBackground moves a task to the background.
func (s *Session) toBackground(k *task) {
	k.mu.Lock()
	if k.background || k.status != "running" {
		k.mu.Unlock()
		return
	}
	k.background = true
	k.mu.Unlock()
	s.backgroundChanged()
	s.taskUpdated(k, object.Of("is_backgrounded", true))
	close(k.moved)
}

// stopTask ends a task that the user does not want any more.
func (s *Session) stopTask(k *task, cause error) {
	k.mu.Lock()
	background := k.background
	k.mu.Unlock()
	if !s.finish(k, "killed", "") {
		return
	}
	k.cancel(cause)
	if k.agent != nil {
		s.tasks.count("user")
	}
	if background {
		defer s.backgroundChanged()
	}
	s.notify(k, "stopped", k.description)
	s.tasks.note()
}

// killAgents ends the subagents in the background, as an interrupt does. The function that it
// returns tells how they have ended.
func (s *Session) killAgents() (told func()) {
	var killed []*task
	if s.host.StopsTasks() {
		return func() {}
	}
	for _, k := range s.tasks.running(true) {
		if k.agent != nil && s.finish(k, "killed", "") {
			s.tasks.count("system")
			k.cancel(errKilled)
			killed = append(killed, k)
		}
	}
	if killed != nil {
		s.backgroundChanged()
	}
	return func() {
		for _, k := range killed {
			s.notify(k, "stopped", k.description)
		}
		s.tasks.note()
	}
}

func init() {
	controls["stop_task"] = control{serve: func(s *Session, _ context.Context, r object.Object) (reply, error) {
		k := s.tasks.find(r.Text("task_id"))
		if k != nil {
			s.stopTask(k, errStopped)
		}
		return reply{body: object.Object{}}, nil
	}}
	controls["background_tasks"] = control{serve: func(s *Session, _ context.Context, r object.Object) (reply, error) {
		id, found := r.Text("tool_use_id"), false
		for _, k := range s.tasks.running(false) {
			if id == "" || id == k.use {
				s.toBackground(k)
				found = true
			}
		}
		return reply{body: object.Of("backgrounded", object.If(id != "", found))}, nil
	}}
	controls["get_task_output"] = control{serve: func(s *Session, _ context.Context, r object.Object) (reply, error) {
		k := s.tasks.find(r.Text("task_id"))
		if k == nil {
			return reply{}, &controlError{text: "get_task_output: no shell or Monitor task with that task_id in this session"}
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		return reply{body: object.Of("output", k.output, "total_bytes", len(k.output), "truncated", false)}, nil
	}}
}
