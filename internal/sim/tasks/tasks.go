// Package tasks owns what runs beside the conversation: subagents and shells. It tells the SDK how
// they go, and wakes the model when one in the background has ended.
package tasks

import (
	"errors"
	"slices"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/output"
	"github.com/ccwire/ccwire/internal/sim/queue"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

// Tasks are the tasks of a session. Its methods may be called at the same time.
type Tasks struct {
	out   *output.Session
	place *workspace.Workspace
	queue *queue.Queue

	mu      sync.Mutex // guards the fields below
	all     []*Task
	change  chan struct{} // closed when a task ends
	counts  map[string]int
	byType  object.Object
	deepest int
	noted   []string // the tools that the model has used, or that subagents were said to use
	home    string   // the session whose folder has the output; "" for the one that is
}

// New returns the tasks of a session.
func New(out *output.Session, place *workspace.Workspace, queue *queue.Queue) *Tasks {
	return &Tasks{out: out, place: place, queue: queue}
}

// Causes of the end of a task.
var (
	errStopped = errors.New("stopped by the user")
	errKilled  = errors.New("stopped with the turn")
)

// Add adds a task that runs.
func (ts *Tasks) Add(k *Task, background bool) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	k.status, k.background = "running", background
	k.moved = make(chan struct{})
	ts.all = append(ts.all, k)
}

// Find returns the task with an id, nil if there is none.
func (ts *Tasks) Find(id string) *Task {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if i := slices.IndexFunc(ts.all, func(k *Task) bool { return k.ID == id }); i >= 0 {
		return ts.all[i]
	}
	return nil
}

// Nested reports whether a task is a shell that a subagent in the background waits for.
func (ts *Tasks) Nested(k *Task) bool {
	if k.Agent != nil || k.Parent == "" {
		return false
	}
	parent := ts.Find(k.Parent)
	return parent != nil && parent.Background()
}

// Running returns the tasks that run: those in the background, or the others.
func (ts *Tasks) Running(background bool) (list []*Task) {
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

// Idle reports whether nothing runs in the background.
func (ts *Tasks) Idle() bool { return len(ts.Running(true)) == 0 }

// Changed returns a channel that is closed when a task ends.
func (ts *Tasks) Changed() <-chan struct{} {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.change == nil {
		ts.change = make(chan struct{})
	}
	return ts.change
}

func (ts *Tasks) note() {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.change != nil {
		close(ts.change)
		ts.change = nil
	}
}

// Count counts something that happens to subagents.
func (ts *Tasks) Count(names ...string) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.counts == nil {
		ts.counts = map[string]int{}
	}
	for _, n := range names {
		ts.counts[n]++
	}
}

// Spawned counts a subagent that starts. requested is what the model has asked for: "background",
// "foreground" or "unset".
func (ts *Tasks) Spawned(a *Subagent, requested string, background bool) {
	names := []string{"spawned", requested}
	if background {
		names = append(names, "started_in_background")
	}
	if a.Depth > 1 {
		names = append(names, "spawned_by_subagents")
	}
	ts.Count(names...)
	ts.mu.Lock()
	defer ts.mu.Unlock()
	n, _ := ts.byType.Number(a.Kind)
	ts.byType.Set(a.Kind, int(n)+1)
	ts.deepest = max(ts.deepest, a.Depth)
}

// Note notes tools that are used, and returns those of them that were not noted before.
func (ts *Tasks) Note(used []string) (fresh []string) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for _, name := range used {
		if !slices.Contains(ts.noted, name) {
			fresh = append(fresh, name)
		}
	}
	ts.noted = append(ts.noted, fresh...)
	return fresh
}

// Noted reports whether the use of a tool was noted before.
func (ts *Tasks) Noted(name string) bool {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return slices.Contains(ts.noted, name)
}

// Settle chooses the folder for output, once: that of the session in which it is first needed.
func (ts *Tasks) Settle() {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.home == "" {
		ts.home = ts.out.ID()
	}
}

// Clear forgets what was counted: a new conversation begins. Output stays where it is.
func (ts *Tasks) Clear() {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.counts, ts.byType, ts.deepest, ts.noted = nil, nil, 0, nil
}

// Stats is the member subagent_stats of a result.
func (ts *Tasks) Stats() object.Object {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	c := ts.counts
	byType := object.Object{}
	return object.Of("spawned", c["spawned"], "requested", object.Of("background", c["background"], "foreground", c["foreground"], "unset", c["unset"]),
		"started_in_background", c["started_in_background"], "max_depth", ts.deepest, "spawned_by_subagents", c["spawned_by_subagents"],
		"completed", c["completed"], "failed", c["failed"], "killed", object.Of("parent", c["parent"], "user", c["user"], "system", c["system"]),
		"refused", object.Of("depth_limit", 0, "concurrency_limit", 0, "budget", 0), "by_type", append(byType, ts.byType...))
}

// List is what runs in the background, for hooks.
func (ts *Tasks) List() []any {
	list := []any{}
	for _, k := range ts.Running(true) {
		o := object.Of("id", k.ID, "type", "shell", "status", "running", "description", k.Description, "command", object.If(k.Command != "", k.Command))
		if k.Agent != nil {
			o = object.Of("id", k.ID, "type", "subagent", "status", "running", "description", k.Description, "agent_type", k.Agent.Kind)
		}
		list = append(list, o)
	}
	return list
}

// Agents calls see with each subagent in the background, and how it goes.
func (ts *Tasks) Agents(see func(k *Task, status string)) {
	ts.mu.Lock()
	all := slices.Clone(ts.all)
	ts.mu.Unlock()
	for _, k := range all {
		k.mu.Lock()
		status, background := k.status, k.background
		k.mu.Unlock()
		if k.Kind == "local_agent" && background {
			see(k, status)
		}
	}
}
