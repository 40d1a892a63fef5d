package tasks

import (
	"context"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
)

// Task is a subagent or a shell that runs beside the conversation.
type Task struct {
	ID, Run     string
	Use         string // the tool use that started it
	Kind        string // "local_agent" or "local_bash"
	Description string
	Command     string    // of a shell
	Agent       *Subagent // nil for a shell
	Prompt      string    // of a subagent
	Parent      string    // the task of the subagent that started it
	Ambient     bool      // it belongs to a command, and is not shown as one of its own
	Cancel      context.CancelCauseFunc

	moved chan struct{} // closed when it goes to the background

	mu         sync.Mutex // guards the fields below
	background bool
	status     string // "running", "completed", "failed", "killed"
	output     string
	shown      bool // task_started was written
}

// Subagent is what a task tells of its subagent.
type Subagent struct {
	Kind  string
	Depth int // 1 for one that the session itself has started
}

// Moved is closed when the task goes to the background.
func (k *Task) Moved() <-chan struct{} { return k.moved }

// Background reports whether nobody waits for the task.
func (k *Task) Background() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.background
}

// Shown reports whether the SDK was told that the task runs.
func (k *Task) Shown() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.shown
}

// Output is what the task has written.
func (k *Task) Output() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.output
}

// SetOutput says what the task has written.
func (k *Task) SetOutput(text string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.output = text
}

// subagent is the type of the task's subagent, Absent for a shell.
func (k *Task) subagent() any {
	if k.Agent == nil {
		return object.Absent
	}
	return k.Agent.Kind
}
