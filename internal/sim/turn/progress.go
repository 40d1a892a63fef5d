package turn

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/object"
)

// progress tells what a subagent does.
func (t *Turn) progress(a *Agent, u *Use) {
	tokens := a.Last.Input + a.Last.CacheRead + a.Last.CacheWrite + (len(u.Name)+len(object.Text(u.Input))+1)/4
	t.stage.Tasks.Progress(t.task, activity(u), u.Name,
		object.Of("total_tokens", tokens, "tool_uses", len(a.Tools), "duration_ms", time.Since(t.began).Milliseconds()))
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
		text := strings.TrimSuffix(u.Input.Text(name), "\n")
		if text == "" {
			return 0
		}
		return 1 + strings.Count(text, "\n")
	}
	switch u.Name {
	case "Write":
		a.added += lines("content")
	case "Edit":
		a.added += lines("new_string")
		a.removed += lines("old_string")
	}
}

// Stats counts the tools that an agent has used.
func (a *Agent) Stats() any {
	n := map[string]int{}
	for _, name := range a.Tools {
		switch name {
		case "Read":
			n["read"]++
		case "Grep", "Glob":
			n["search"]++
		case "Bash":
			n["bash"]++
		case "Write", "Edit", "MultiEdit", "NotebookEdit":
			n["edit"]++
		default:
			n["other"]++
		}
	}
	if n["read"]+n["search"]+n["bash"]+n["edit"] == 0 {
		return object.Absent
	}
	return object.Of("readCount", n["read"], "searchCount", n["search"], "bashCount", n["bash"], "editFileCount", n["edit"],
		"linesAdded", a.added, "linesRemoved", a.removed, "otherToolCount", n["other"])
}

// Learn notes that an agent knows a file. It reports false if that is not new.
func (a *Agent) Learn(file string) bool {
	if a.learned[file] {
		return false
	}
	if a.learned == nil {
		a.learned = map[string]bool{}
	}
	a.learned[file] = true
	return true
}
