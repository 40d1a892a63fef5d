package sim

import (
	"strings"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/conversation"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/ledger"
)

// agent is a conversation with the model: the session's own, or a subagent's.
type agent struct {
	session *Session
	id      string // "" for the session's own
	kind    string // the type of a subagent
	task    string // the description of a subagent's task
	parent  string // the tool use that started a subagent
	depth   int    // 0 for the session's own
	model   string // "" for the session's

	background bool // a subagent that nobody waits for

	used, last     ledger.Usage    // of all requests, and of the last one
	tools          []string        // that were used
	added, removed int             // lines of files
	learned        map[string]bool // files with instructions

	talk   conversation.Conversation
	system []string // what the model is told beside the messages
}

// ask returns the conversation as the model is asked.
func (a *agent) ask(model string) *fakeapi.Ask {
	q := &fakeapi.Ask{Model: model, Agent: a.id, Tools: 20}
	for _, text := range a.system {
		q.System += text + "\n"
	}
	q.System += a.session.systemPrompt()
	conversation.Ask(q, a.talk.Messages())
	return q
}

// members are those of a line that tell whose it is: after the message, and at the end.
func (a *agent) members() (head, tail object.Object) {
	if a.id == "" {
		return object.Of("parent_tool_use_id", nil), nil
	}
	return object.Of("parent_tool_use_id", a.parent, "agent_id", a.id),
		object.Of("subagent_type", a.kind, "task_description", a.task)
}

// line writes a line of the conversation. more are its members after the time.
func (a *agent) line(kind string, message object.Object, more ...any) {
	head, tail := a.members()
	o := object.Of("type", kind, "message", message)
	o = append(o, head...)
	id := ids.UUID()
	if kind == "assistant" {
		a.talk.Spoke(id)
	}
	o = append(o, object.Of("session_id", a.session.out.ID(), "uuid", id, "timestamp", ids.Now())...)
	rest := object.Of(more...)
	o = append(o, rest...)
	a.session.out.Line(append(o, tail...))
	if a.id == "" {
		a.session.transcript.Line(kind, id, message, rest)
	}
}

// systemPrompt is what the model is told beside the conversation.
func (s *Session) systemPrompt() string {
	instead, after := s.host.SystemPrompt()
	return strings.Join([]string{instead, after, s.flags.Value("system-prompt"), s.flags.Value("append-system-prompt"), s.ext.Memory()}, "\n")
}
