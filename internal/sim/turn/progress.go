package turn

import (
	"path/filepath"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// progress tells what a subagent does.
func (t *Turn) progress(a *Agent, u *Use) {
	if t.task.Ambient {
		return
	}
	// The output is that of all messages as they began, and an estimate of the input of the tool.
	tokens := a.Last.All() - a.Last.Output + a.Opened + len(object.Text(u.Input))/4
	t.stage.Tasks.Progress(t.task, activity(u), u.Name,
		object.Of("total_tokens", tokens, "tool_uses", len(a.Tools), "duration_ms", t.Took().Milliseconds()))
}

// activity is what people are told that a tool does.
func activity(u *Use) string {
	file := filepath.Base(u.Input.Text("file_path"))
	switch u.Name {
	case "Read":
		return "Reading " + file
	case "Write":
		return "Writing " + file
	case "Edit":
		return "Editing " + file
	case "NotebookEdit":
		return "Editing notebook " + filepath.Base(u.Input.Text("notebook_path"))
	case "Bash":
		if d := u.Input.Text("description"); d != "" {
			return "Running " + d
		}
		return "Running " + u.Input.Text("command")
	case "Grep", "Glob":
		return "Searching for " + u.Input.Text("pattern")
	}
	if d := u.Input.Text("description"); d != "" {
		return d
	}
	return u.Name
}

// count counts the lines of files that a tool would change.
func (a *Agent) count(u *Use) {
	lines := func(name string) int {
		text := u.Input.Text(name)
		if text == "" {
			return 0
		}
		return 1 + strings.Count(text, "\n")
	}
	switch u.Name {
	case "Write":
		a.added += lines("content")
	case "NotebookEdit":
		a.added += lines("new_source")
	case "Edit":
		a.added += lines("new_string")
		a.removed += lines("old_string")
	}
}
