package tasks

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/queue"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

// File is the file that holds the output of a task.
func (ts *Tasks) File(k *Task) string {
	ts.Settle()
	return filepath.Join(ts.Folder("tasks"), k.ID+".output")
}

// Folder is a folder for temporary files of the session.
func (ts *Tasks) Folder(name string) string {
	ts.mu.Lock()
	session := cmp.Or(ts.home, ts.out.ID())
	ts.mu.Unlock()
	return filepath.Join(ts.place.TmpDir(), "claude-"+strconv.Itoa(os.Getuid()), workspace.Flat(ts.place.Dir()), session, name)
}

// TellBackground writes what runs in the background.
func (ts *Tasks) TellBackground() {
	list := []any{}
	for _, k := range ts.Running(true) {
		list = append(list, object.Of("task_id", k.ID, "run_id", k.Run, "task_type", k.Kind,
			"subagent_type", k.subagent(), "description", k.Description))
	}
	ts.out.Tell("type", "system", "subtype", "background_tasks_changed", "tasks", list)
}

// Started writes that a task runs.
func (ts *Tasks) Started(k *Task) {
	k.mu.Lock()
	background := k.background
	k.shown = true
	k.mu.Unlock()
	if background {
		ts.TellBackground()
	}
	started.Tell(ts.out, &event{Task: k, background: background})
}

// Progress writes what a subagent does.
func (ts *Tasks) Progress(k *Task, description, tool string, usage object.Object) {
	progress.Tell(ts.out, &event{Task: k, text: description, tool: tool, usage: usage})
}

// updated writes a change of a task.
func (ts *Tasks) updated(k *Task, patch object.Object) {
	update.Tell(ts.out, &event{Task: k, patch: patch})
}

// Finish notes that a task has ended. It reports false if that was known.
func (ts *Tasks) Finish(k *Task, status, failure string) bool {
	k.mu.Lock()
	if k.status != "running" {
		k.mu.Unlock()
		return false
	}
	k.status = status
	shown := k.shown
	background := k.background
	k.mu.Unlock()
	if shown && !k.Ambient && (background || k.Agent != nil) {
		ts.updated(k, object.Of("status", status, "end_time", time.Now().UnixMilli(), "error", object.If(failure != "", failure)))
	}
	return true
}

// Notify writes how a task has ended. usage is what a subagent has used, nil for none.
func (ts *Tasks) Notify(k *Task, status, summary string, usage object.Object) {
	file := ""
	switch {
	case k.Agent != nil && !k.Background() && ts.out.Release().Before("2.1.200"): // these tell what it was about
		summary = k.Description
	case k.Background() || k.Agent != nil:
		file = ts.File(k)
	}
	notification.Tell(ts.out, &event{Task: k, status: status, file: file, text: summary, usage: usage})
}

// End tells of a task in the background that has ended, and gives the model a turn for it, which
// waits when the SDK reads of the end. It reports false if the end was known. failure is why it has
// failed, "" if it has not or if that is not told.
func (ts *Tasks) End(k *Task, status, failure, summary string, usage object.Object) bool {
	defer ts.out.Hold()()
	if !ts.Finish(k, status, failure) {
		return false
	}
	if k.Agent != nil {
		ts.Count(status)
	}
	ts.Notify(k, status, summary, usage)
	ts.TellBackground()
	text := fmt.Sprintf("<task-notification>\n<task-id>%s</task-id>\n<tool-use-id>%s</tool-use-id>\n<output-file>%s</output-file>\n<status>%s</status>\n"+
		"<summary>%s</summary>\n</task-notification>\nThe task has ended. Read the output file for what it wrote. Nobody has said anything: this note is made by the session itself.",
		k.ID, k.Use, ts.File(k), status, summary)
	ts.queue.Add(&queue.Prompt{Content: text, Origin: object.Of("kind", "task-notification", "producer", "session-task", "runId", k.Run)})
	ts.note()
	return true
}

// ToBackground moves a task to the background.
func (ts *Tasks) ToBackground(k *Task) {
	k.mu.Lock()
	if k.background || k.status != "running" {
		k.mu.Unlock()
		return
	}
	k.background = true
	shown := k.shown
	k.mu.Unlock()
	if shown {
		ts.TellBackground()
		ts.updated(k, object.Of("is_backgrounded", true))
	} else {
		ts.Started(k)
	}
	close(k.moved)
}

// Stop ends a task that the user does not want any more.
func (ts *Tasks) Stop(k *Task) {
	background := k.Background()
	if !ts.Finish(k, "killed", "") {
		return
	}
	k.Cancel(errStopped)
	if k.Agent != nil {
		ts.Count("user")
	}
	if background {
		defer ts.TellBackground()
	}
	ts.Notify(k, "stopped", k.Description, nil)
	ts.note()
}

// KillAgents ends the subagents in the background, as an interrupt does. How they have ended is
// told at once if that is wanted, and otherwise by the function that it returns.
func (ts *Tasks) KillAgents(tell bool) (told func()) {
	var killed []*Task
	for _, k := range ts.Running(true) {
		if k.Agent != nil && ts.Finish(k, "killed", "") {
			ts.Count("system")
			k.Cancel(errKilled)
			killed = append(killed, k)
			if tell {
				ts.Notify(k, "stopped", k.Description, nil)
			}
		}
	}
	if killed != nil {
		ts.TellBackground()
	}
	if tell {
		ts.note()
		return func() {}
	}
	return func() {
		for _, k := range killed {
			ts.Notify(k, "stopped", k.Description, nil)
		}
		ts.note()
	}
}
