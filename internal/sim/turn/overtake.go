package turn

import (
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/output"
	"github.com/ccwire/ccwire/internal/sim/script"
)

// overtaking says which lines of a tool come before the last events of the message that uses it:
// the CLI begins with a tool while the message still ends. It is nil for an event that no line
// overtakes. A message with several tools is complete before it goes on.
func (st *streaming) overtaking(e *script.Event) output.Rule {
	if e.Type != script.MessageDelta && e.Type != script.MessageStop || st.agent.ID != "" {
		return nil
	}
	uses := st.got.toolUses(st.turn, st.agent)
	if len(uses) != 1 || uses[0].told || uses[0].begun != nil || st.expected(uses[0].ID) {
		return nil
	}
	switch name := uses[0].Name; {
	case name == "Agent" || name == "Task":
		return beforeAgent
	case e.Type == script.MessageDelta:
		return nil
	case name == "Bash":
		return func(v object.Object) (int, bool) { return one(v.Text("subtype") != "permission_denied"), false }
	case name == "StructuredOutput":
		return func(v object.Object) (int, bool) { return one(v.Text("type") != "user"), false }
	}
	return nil
}

// beforeAgent is for the tool that starts a subagent: the line that tells of the start comes before
// the last two events, and what the subagent is asked, or why there is none, between them.
func beforeAgent(v object.Object) (before int, wait bool) {
	switch {
	case v.Text("subtype") == "task_started":
		return 0, true
	case v.Text("type") == "user":
		return 1, false
	}
	return 2, false
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
