package transcript

import (
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
)

// Notice keeps an entry of the type system with an id. pairs are its members after the type.
func (th *Thread) Notice(id, subtype string, pairs ...any) {
	if !th.t.full() {
		return
	}
	th.t.mu.Lock()
	defer th.t.mu.Unlock()
	own := append(object.Of("type", "system", "subtype", subtype), object.Of(pairs...)...)
	th.keepLocked(th.entryLocked(id, append(own, object.Of("timestamp", ids.Now(), "uuid", id)...)))
}

// Command keeps a command that the CLI has served itself, and what it has said to it.
func (th *Thread) Command(prompt, id, said string, outcome any) {
	th.Notice(ids.UUID(), "local_command", "content", prompt, "level", "info", "isMeta", false)
	th.Notice(id, "local_command", "content", said, "level", "info", "isMeta", false, "commandOutcome", outcome)
}

// CommandText is how a command with arguments is told in a conversation.
func CommandText(name, args string) string {
	const indent = "\n            "
	return "<command-name>/" + name + "</command-name>" + indent + "<command-message>" + name + "</command-message>" + indent + "<command-args>" + args + "</command-args>"
}

// Words keeps a text of the user that the CLI has made, in the turn with an id.
func (th *Thread) Words(prompt, id, text string, meta bool) {
	if !th.t.full() {
		return
	}
	th.t.mu.Lock()
	defer th.t.mu.Unlock()
	th.prompt = prompt
	th.keepLocked(th.entryLocked(id, object.Of("promptId", prompt, "type", "user", "message", object.Of("role", "user", "content", text),
		"isMeta", object.If(meta, true), "uuid", id, "timestamp", ids.Now())))
}

// Started is a subagent that was started.
type Started struct {
	Kind, Task, Use, Model string
	BuiltIn, Background    bool
	Depth                  int
	Prompt, UUID, Text     string // the id of the turn, the uuid of what it is asked, and that
}

// Start keeps that a subagent was started, and what it is asked.
func (th *Thread) Start(s Started) {
	if !th.t.full() {
		return
	}
	th.t.mu.Lock()
	th.started = s
	th.t.mu.Unlock()
	th.metadata(false)
	th.Words(s.Prompt, s.UUID, s.Text, false)
}

// Finish keeps that a subagent has ended.
func (th *Thread) Finish() { th.metadata(true) }

func (th *Thread) metadata(finished bool) {
	if !th.t.full() {
		return
	}
	th.t.mu.Lock()
	defer th.t.mu.Unlock()
	s, shape := th.started, "foreground"
	if s.Background {
		shape = "background"
	}
	th.keepLocked(object.Of("type", "agent_metadata", "agentType", s.Kind, "isBuiltIn", object.If(s.BuiltIn, true), "description", s.Task, "toolUseId", s.Use,
		"finished", object.If(finished, true), "spawnDepth", s.Depth, "requestShape", shape, "requestNonInteractive", true, "pickedEffortModel", s.Model,
		"launchedWithDefaults", object.If(s.Background, true), "model", object.If(!th.t.out.Release().Before("2.1.327"), s.Model)))
}

// Compaction is what a compaction leaves of a conversation.
type Compaction struct {
	Prompt   string        // the id of the turn
	Boundary string        // the uuid of the line that tells of it
	Parent   string        // the entry before it
	Metadata object.Object // as the SDK is told it
	Summary  string
	Anchor   string // the uuid of the summary
}

// Compacted keeps that the conversation was compacted.
func (th *Thread) Compacted(c Compaction) {
	if !th.t.full() {
		return
	}
	th.t.mu.Lock()
	defer th.t.mu.Unlock()
	t := th.t
	t.compact = true
	if len(t.used) > 0 {
		th.keepLocked(object.Of("type", "tools-used", "tools", list(t.used), "sessionId", t.out.ID()))
	}
	metadata := camel(c.Metadata).(object.Object)
	if !t.out.Release().Before("2.1.328") {
		before := slices.IndexFunc(metadata, func(m object.Member) bool { return m.Name == "preTokens" })
		metadata = slices.Insert(metadata, before+1, object.Member{Name: "preCompactOrganizationsCoverStart", Value: false})
	}
	th.keepLocked(th.framedLocked(nil, object.Of("logicalParentUuid", c.Parent, "type", "system", "subtype", "compact_boundary",
		"content", "Conversation compacted", "isMeta", false, "timestamp", ids.Now(), "uuid", c.Boundary, "level", "info", "compactMetadata", metadata)))
	th.last = c.Boundary
	th.keepLocked(th.entryLocked(c.Anchor, object.Of("promptId", c.Prompt, "type", "user", "message", object.Of("role", "user", "content", c.Summary),
		"isVisibleInTranscriptOnly", true, "isCompactSummary", true, "uuid", c.Anchor, "timestamp", ids.Now(),
		"turnPosition", object.Of("promptIndex", 0, "turnIndex", t.turns))))
}

// Reintroduce keeps what the model is told again after a compaction. What else it was told of the
// session comes with the next prompt.
func (th *Thread) Reintroduce(about func() *About, attached ...Attachment) {
	if !th.t.full() {
		return
	}
	s := about()
	th.t.mu.Lock()
	defer th.t.mu.Unlock()
	th.attachLocked(append(attached, append(s.lists(false), s.environment(), s.model())...)...)
	th.begun, th.again, th.answered = true, true, false
}

// camel returns an object with the names of its members as the CLI has them inside.
func camel(v any) any {
	o, ok := v.(object.Object)
	if !ok {
		return v
	}
	out := object.Object{}
	for _, m := range o {
		parts := strings.Split(m.Name, "_")
		for i := range parts[1:] {
			parts[i+1] = strings.ToUpper(parts[i+1][:1]) + parts[i+1][1:]
		}
		out = append(out, object.Member{Name: strings.Join(parts, ""), Value: camel(m.Value)})
	}
	return out
}
