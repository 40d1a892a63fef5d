package hooks

import "github.com/ccwire/ccwire/internal/object"

// Session is what the inputs of all events tell of the session.
type Session struct {
	ID, Transcript, Dir string
	Prompt              string // prompt_id; "" outside of a turn
	Mode, Effort        string
	AgentID, AgentType  string // of a subagent
	Title               string // "" for none
}

// withMode are the events whose input has the permission mode, withEffort those with the effort,
// withTitle those with the title of the session.
var (
	withMode = map[string]bool{
		"PreToolUse": true, "PostToolUse": true, "PostToolUseFailure": true, "PostToolBatch": true, "PermissionRequest": true,
		"PermissionDenied": true, "Stop": true, "SubagentStop": true, "UserPromptSubmit": true, "UserPromptExpansion": true,
	}
	withEffort = map[string]bool{
		"PreToolUse": true, "PostToolUse": true, "PostToolUseFailure": true, "PostToolBatch": true, "PermissionRequest": true,
		"PermissionDenied": true, "Stop": true, "SubagentStop": true, "InstructionsLoaded": true, "StopFailure": true,
	}
	withTitle = map[string]bool{"UserPromptSubmit": true, "SessionStart": true}
)

// Input returns the input of an event; pairs are the members of its own.
func (s *Session) Input(event string, pairs ...any) object.Object {
	o := object.Of("session_id", s.ID, "transcript_path", s.Transcript, "cwd", s.Dir,
		"prompt_id", object.If(s.Prompt != "", s.Prompt),
		"permission_mode", object.If(withMode[event], s.Mode),
		"agent_id", object.If(s.AgentID != "", s.AgentID), "agent_type", object.If(s.AgentID != "", s.AgentType),
		"effort", object.If(withEffort[event] && s.Effort != "", object.Of("level", s.Effort)),
		"hook_event_name", event,
		"session_title", object.If(withTitle[event] && s.Title != "", s.Title))
	return append(o, object.Of(pairs...)...)
}
