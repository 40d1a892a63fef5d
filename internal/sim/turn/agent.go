package turn

import (
	"slices"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/conversation"
	"github.com/ccwire/ccwire/internal/sim/extensions"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/transcript"
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
	Alone      bool // a subagent whose lines are written at its end, and for which nobody is asked
	Unread     bool // what a subagent says is not told

	Type extensions.AgentType // what a subagent may do

	Talk   conversation.Conversation
	System []string     // what the model is told beside the conversation
	Last   ledger.Usage // of the last request
	Tools  []string     // that were used

	parts          *Parts
	added, removed int                     // lines of files
	learned        map[string]bool         // files with instructions
	found          []transcript.Attachment // those that it was told of since it was asked
	held           []object.Object         // lines of one that is alone
	opened         int                     // output, in tokens, that messages said when they began, for each block
	guess          int                     // output, in tokens, of the last message, by its first block
	refused        int                     // what of a refused answer can be left out when the API does not understand
}

// Ask returns the conversation as the model is asked.
func (a *Agent) Ask(model string) *fakeapi.Ask {
	q := &fakeapi.Ask{Model: model, Agent: a.ID, Tools: 20}
	if a.Alone { // to the API it is the session
		q.Agent = ""
	}
	for _, text := range a.System {
		q.System += text + "\n"
	}
	q.System += a.parts.systemPrompt()
	conversation.Ask(q, a.Talk.Messages())
	return q
}

// line writes a line of the conversation, and keeps it. more are its members after the time.
func (a *Agent) line(kind string, message object.Object, more ...any) {
	id := ids.UUID()
	a.keep(id, kind, message, nil, more...)
	a.tell(id, kind, message, more...)
}

// keep keeps a line of the conversation in the transcript. own are the members that only its entry
// there has.
func (a *Agent) keep(id, kind string, message, own object.Object, more ...any) {
	a.parts.Transcript.Agent(a.ID).Say(transcript.Said{Kind: kind, ID: id, Message: message, More: append(object.Of(more...), own...)})
}

// tell writes a line of the conversation.
func (a *Agent) tell(id, kind string, message object.Object, more ...any) {
	if kind == "assistant" {
		a.Talk.Spoke(id)
	}
	if message.Text("model") != "<synthetic>" {
		a.Talk.Line(id, message.Text("id"))
	}
	var parent any
	sub := a.ID != ""
	if sub {
		parent = a.Parent
	}
	pairs := append([]any{
		"type", kind, "message", message, "parent_tool_use_id", parent, "agent_id", object.If(sub, a.ID),
		"session_id", a.parts.Out.ID(), "uuid", id, "timestamp", ids.Now(),
	}, more...)
	pairs = append(pairs, "subagent_type", object.If(sub, a.Kind), "task_description", object.If(sub, a.Task))
	if a.Alone {
		a.held = append(a.held, object.Of(pairs...))
		return
	}
	if a.Unread {
		return
	}
	a.parts.Out.Line(object.Of(pairs...))
}

// Stats counts the tools that an agent has used, Absent if it has only started others.
func (a *Agent) Stats() any {
	n := map[string]int{}
	for _, name := range a.Tools {
		switch name {
		case "Task", "Agent":
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
	if !slices.ContainsFunc(a.Tools, func(name string) bool { return name != "Task" && name != "Agent" }) {
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

// Remind tells an agent of a file with instructions. file is what the transcript has of it.
func (a *Agent) Remind(path, text string, file object.Object) {
	said := "Contents of " + path + ":\n\n" + text
	a.Talk.Tell(said)
	shown := path
	if rel, inside := a.parts.Place.Inside(path); inside {
		shown = rel
	}
	reminder := transcript.Reminder(said, "nested_memory", "path", path, "content", file, "displayPath", shown)
	reminder.Role = "user"
	a.found = append(a.found, reminder)
}

// ModelOf is the model that an agent asks.
func (p *Parts) ModelOf(a *Agent) string {
	if a.Model != "" {
		return a.Model
	}
	return p.Chosen.Get()
}
