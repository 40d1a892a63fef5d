package turn

import (
	"strings"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/conversation"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/ledger"
)

// Agent is a partner of the model: the session itself, or a subagent.
type Agent struct {
	ID     string // "" for the session itself
	Kind   string // the type of a subagent
	Task   string // the description of a subagent's task
	Parent string // the tool use that started a subagent
	Depth  int    // 0 for the session itself
	Model  string // "" for the session's

	Background bool // a subagent that nobody waits for

	Talk   conversation.Conversation
	System []string     // what the model is told beside the conversation
	Last   ledger.Usage // of the last request
	Tools  []string     // that were used

	stage          *Stage
	added, removed int             // lines of files
	learned        map[string]bool // files with instructions
}

// Adopt gives a subagent its id. It asks the model and writes its lines here.
func (s *Stage) Adopt(a *Agent) {
	a.ID, a.stage = ids.Agent(), s
}

// Ask returns the conversation as the model is asked.
func (a *Agent) Ask(model string) *fakeapi.Ask {
	q := &fakeapi.Ask{Model: model, Agent: a.ID, Tools: 20}
	for _, text := range a.System {
		q.System += text + "\n"
	}
	q.System += a.stage.SystemPrompt()
	conversation.Ask(q, a.Talk.Messages())
	return q
}

// line writes a line of the conversation. more are its members after the time.
func (a *Agent) line(kind string, message object.Object, more ...any) {
	id := ids.UUID()
	if kind == "assistant" {
		a.Talk.Spoke(id)
	}
	var parent any
	sub := a.ID != ""
	if sub {
		parent = a.Parent
	}
	pairs := append([]any{
		"type", kind, "message", message, "parent_tool_use_id", parent, "agent_id", object.If(sub, a.ID),
		"session_id", a.stage.Out.ID(), "uuid", id, "timestamp", ids.Now(),
	}, more...)
	pairs = append(pairs, "subagent_type", object.If(sub, a.Kind), "task_description", object.If(sub, a.Task))
	a.stage.Out.Line(object.Of(pairs...))
	if !sub {
		a.stage.Transcript.Line(kind, id, message, object.Of(more...))
	}
}

// SystemPrompt is what the model is told beside every conversation.
func (s *Stage) SystemPrompt() string {
	instead, after := s.Host.SystemPrompt()
	return strings.Join([]string{instead, after, s.Flags.Value("system-prompt"), s.Flags.Value("append-system-prompt"), s.Ext.Memory()}, "\n")
}
