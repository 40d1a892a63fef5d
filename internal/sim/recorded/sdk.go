package recorded

import (
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// fromSDK takes a line that the SDK wrote.
func (s *Session) fromSDK(line object.Object, at float64) {
	switch line.Text("type") {
	case "user":
		s.last = at
		if s.Prompt == "" {
			s.Prompt = textOf(line.Object("message").Get("content"))
		}
	case "control_request":
		for _, name := range line.Object("request").List("sdkMcpServers") {
			if text, ok := name.(string); ok {
				s.local[text] = true
			}
		}
	case "control_response":
		s.last = at
		response := line.Object("response")
		if id := s.asked[response.Text("request_id")]; id != "" {
			s.decided(id, response.Object("response"))
		}
	}
}

// decided takes what the SDK said of a tool use: to a request for a permission, or to a hook.
func (s *Session) decided(id string, body object.Object) {
	specific := body.Object("hookSpecificOutput")
	if body.Has("updatedInput") || specific.Has("updatedInput") {
		input, ok := body.Get("updatedInput").(object.Object)
		u := s.uses[id]
		if !ok || u == nil || object.Text(input) != object.Text(u.input) {
			s.changed[id] = true
		}
	}
	if body.Text("behavior") == "deny" || specific.Text("permissionDecision") == "deny" || body.Text("decision") == "block" {
		s.denied[id] = true
	}
}

// textOf returns the text of a message's content.
func textOf(content any) string {
	if text, ok := content.(string); ok {
		return text
	}
	list, _ := content.([]any)
	var parts []string
	for _, b := range objects(list) {
		if b.Text("type") == "text" {
			parts = append(parts, b.Text("text"))
		}
	}
	return strings.Join(parts, "\n")
}

// starting are the tools that start subagents.
var starting = []string{"Agent", "Task"}

// acting are the tools that act again when a script is played: those that are about the session
// itself, and ask the SDK or start subagents.
var acting = []string{
	"Agent", "Task", "Skill", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "EnterWorktree", "ExitWorktree", "ListAgents",
	"StructuredOutput", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "TaskStop", "TodoWrite", "ToolSearch", "KillShell", "KillBash",
}

// acts reports whether a tool acts again when the script is played, with a result of its own.
func (s *Session) acts(u *use) bool {
	if slices.Contains(acting, u.name) || u.input.Bool("run_in_background") {
		return true
	}
	rest, isMCP := strings.CutPrefix(u.name, "mcp__")
	server, _, _ := strings.Cut(rest, "__")
	return isMCP && s.local[server]
}
