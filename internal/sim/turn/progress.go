package turn

import (
	"path/filepath"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ledger"
)

// progress tells what a subagent does.
func (t *Turn) progress(a *Agent, u *Use) {
	if t.task.Ambient {
		return
	}
	t.stage.Tasks.Progress(t.task, activity(u), u.Name,
		object.Of("total_tokens", a.Estimate(), "tool_uses", len(a.Tools), "duration_ms", t.Took().Milliseconds()))
}

// estimate takes a block of a message of a subagent into account.
func (a *Agent) estimate(b, usage object.Object) {
	a.opened += ledger.Read(usage).Output
	if a.guess > 0 {
		return
	}
	text := b.Text("text") + b.Text("thinking")
	if b.Text("type") == "tool_use" {
		text = object.Text(b.Object("input"))
	}
	a.guess = len(text) / 4
}

// Estimate is how many tokens a subagent uses by now.
func (a *Agent) Estimate() int {
	tokens := a.Last.All() - a.Last.Output + a.guess
	if a.parts.Out.Release().Before("2.1.328") {
		tokens += a.opened
	}
	return tokens
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
