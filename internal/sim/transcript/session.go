package transcript

import (
	"fmt"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/object"
)

// About is what the model is told of the session at the beginning of a conversation.
type About struct {
	Dir        string   // where the session works
	Repository bool     // that is in one
	Worktree   bool     // a folder that the session has made for itself
	Folders    []string // other folders that it may change
	System     string   // the operating system and its version
	Model      Model
	Deferred   []string // the tools that the model must search for
	Connected  bool     // the servers are known
	Agents     []Listed // the types of subagents
	BuiltIn    []string // those that are built in
	Skills     []Listed
	Files      []object.Object // with instructions
	Tools      []string        // that the model knows at once
}

// Model is the model that is asked, as it is told.
type Model struct {
	ID, Title, Cutoff string
	Turns             bool // it takes words of the system between those of the user
}

// Listed is an element of a list that the model is told.
type Listed struct {
	Name, About string
	Tools       string // that a subagent has
}

func names(list []Listed) (out []string) {
	for _, l := range list {
		out = append(out, l.Name)
	}
	return out
}

// environment is where the session works.
func (s *About) environment() Attachment {
	return Reminder(fmt.Sprintf("The session works in %s on linux, with bash as its shell. %s", s.Dir, s.System), "environment",
		"snapshot", object.Of("workingDirectory", s.Dir, "isWorktree", s.Worktree, "isGitRepo", s.Repository,
			"additionalWorkingDirectories", list(s.Folders), "platform", "linux", "shell", "bash", "osVersion", s.System))
}

// model is which model is asked.
func (s *About) model() Attachment {
	m := s.Model
	text := fmt.Sprintf("The name of this model is %s. It is asked for as %s.", m.Title, m.ID)
	if m.Cutoff != "" {
		text += " It knows the world up to " + m.Cutoff + "."
	}
	return Reminder(text, "model", "identity", object.Of("modelId", m.ID, "marketingName", orNull(m.Title), "knowledgeCutoff", orNull(m.Cutoff)), "text", text)
}

// lists are the tools, the subagents and the skills, as far as there are any.
func (s *About) lists(first bool) (all []Attachment) {
	if len(s.Deferred) > 0 {
		servers := any(object.Absent)
		if first && s.Connected {
			servers = []any{}
		}
		all = append(all, Reminder("These tools can be found with ToolSearch, and used after that:\n"+strings.Join(s.Deferred, "\n"), "deferred_tools_delta",
			"addedNames", list(s.Deferred), "addedLines", list(s.Deferred), "removedNames", []any{}, "wireHiddenNames", []any{}, "readdedNames", []any{},
			"pendingMcpServers", servers, "needsAuthMcpServers", servers, "failedMcpServers", servers))
	}
	if len(s.Agents) > 0 {
		lines := []string{}
		for _, a := range s.Agents {
			lines = append(lines, fmt.Sprintf("- %s: %s (Tools: %s)", a.Name, a.About, a.Tools))
		}
		all = append(all, Reminder("These types of subagents can be used:\n"+strings.Join(lines, "\n"), "agent_listing_delta",
			"addedTypes", list(names(s.Agents)), "addedLines", list(lines), "builtInTypes", list(s.BuiltIn), "builtInPluginTypes", []any{}, "removedTypes", []any{},
			"isInitial", true, "showConcurrencyNote", true))
	}
	if len(s.Skills) > 0 {
		lines := []string{}
		for _, k := range s.Skills {
			lines = append(lines, "- "+k.Name+": "+k.About)
		}
		text := strings.Join(lines, "\n")
		all = append(all, Reminder("These skills can be used:\n\n"+text, "skill_listing",
			"content", text, "skillCount", len(s.Skills), "isInitial", true, "names", list(names(s.Skills))))
	}
	return all
}

// last is what the model is told at the end, before it is asked for the first time.
func (s *About) last() []Attachment {
	var all []Attachment
	if len(s.Files) > 0 {
		text := "What the user and the project want of the model:"
		for _, f := range s.Files {
			text += "\n\n" + f.Text("path") + ":\n" + f.Text("content")
		}
		a := Reminder(text, "instructions", "files", list(s.Files))
		a.Role = "user"
		all = append(all, a)
	}
	date := time.Now().Format(time.DateOnly)
	commit := "Co-Authored-By: Claude " + s.Model.Title + " <noreply@anthropic.com>"
	const request = "🤖 Generated with [Claude Code](https://claude.com/claude-code)"
	credit := Reminder("Commits end with: "+commit+"\nPull requests end with: "+request, "remote_session_change", "url", nil, "commit", commit, "pr", request,
		"sendUserFileHint", false, "managedCommit", false, "managedPr", false)
	credit.Role, credit.Beside = "user", true
	return append(all, Note("session_context", "context", object.Object{}), Reminder("The date of this day is "+date+".", "date", "date", date), credit, s.snapshot(false))
}

// snapshot is what a request has beside the conversation: all of it is known when the model has
// answered. The words of the CLI are not there.
func (s *About) snapshot(whole bool) Attachment {
	if !whole {
		return Note("prompt_snapshot", "systemPrompt", []any{prose}, "reminderFold", false, "echoWireToolInputs", false, "contextRendering", "announced")
	}
	tools := []any{}
	for _, name := range s.Tools {
		tools = append(tools, object.Of("name", name, "description", prose,
			"schema", object.Of("name", name, "description", prose, "input_schema", object.Of("type", "object"))))
	}
	turns := func(value bool) any { return object.If(s.Model.Turns, value) }
	return Note("prompt_snapshot", "systemPrompt", []any{prose}, "tools", tools, "cliPrefix", prose, "reminderFold", false,
		"systemTurns", turns(true), "toolChangeHeader", turns(true), "inlineTools", turns(false), "keptReminders", turns(false),
		"echoWireToolInputs", false, "contextRendering", "announced")
}

// prose stands for words of the CLI.
const prose = "[prose]"

// orNull is a text, or null for none.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func list[T any](values []T) []any {
	out := []any{}
	for _, v := range values {
		out = append(out, v)
	}
	return out
}

// Introduce keeps what the model is told beside a prompt: of the session, if it does not know that
// yet, and what else is attached.
func (th *Thread) Introduce(about func() *About, attached ...Attachment) {
	if !th.t.full() {
		return
	}
	var s *About
	th.t.mu.Lock()
	begun, again := th.begun, th.again
	th.t.mu.Unlock()
	if !begun || again {
		s = about()
	}
	th.t.mu.Lock()
	defer th.t.mu.Unlock()
	if !begun {
		th.attachLocked(append([]Attachment{s.environment(), s.model()}, s.lists(th.agent == "")...)...)
	}
	th.attachLocked(attached...)
	if th.agent == "" && !begun {
		th.keepLocked(object.Of("type", "atis-latch", "atis", "", "sessionId", th.t.out.ID()))
	}
	if s != nil {
		th.attachLocked(s.last()...)
		th.about = s
	}
	th.begun, th.again = true, false
}

// Sent keeps what the first request of a conversation had beside it, when it was answered.
func (th *Thread) Sent() {
	if !th.t.full() {
		return
	}
	th.t.mu.Lock()
	defer th.t.mu.Unlock()
	if th.about != nil && th.answered {
		th.attachLocked(th.about.snapshot(true))
		th.about = nil
	}
}
