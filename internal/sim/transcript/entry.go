package transcript

import (
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/line"
)

// Prompt is a message of the user.
type Prompt struct {
	ID      string // of the turn that it is for
	UUID    string // "" for a random one
	Given   string // the uuid that the SDK gave it; "" for none
	Text    string
	Content any
	Mode    string        // of permissions
	Origin  object.Object // nil for what the SDK has sent

	turn int
}

// images numbers the images of the message.
func (p *Prompt) images() (list []any) {
	blocks, _ := p.Content.([]any)
	for _, v := range blocks {
		if b, _ := v.(object.Object); b.Text("type") == "image" {
			list = append(list, len(list)+1)
		}
	}
	return list
}

var prompted = line.Line[*Prompt]{
	{Name: "promptId", Value: func(p *Prompt) any { return p.ID }},
	{Name: "type", Value: line.Always[*Prompt]("user")},
	{Name: "message", Value: func(p *Prompt) any { return object.Of("role", "user", "content", p.Content) }},
	{Name: "uuid", Value: func(p *Prompt) any { return p.UUID }},
	{Name: "timestamp", Value: func(*Prompt) any { return ids.Now() }},
	{Name: "imagePasteIds", Value: func(p *Prompt) any { return p.images() }, When: func(p *Prompt) bool { return p.images() != nil }, Since: "2.1.290"},
	{Name: "permissionMode", Value: func(p *Prompt) any { return p.Mode }},
	{Name: "origin", Value: func(p *Prompt) any { return p.Origin }, When: func(p *Prompt) bool { return p.Origin != nil }},
	{Name: "promptSource", Value: func(p *Prompt) any {
		if p.Origin != nil {
			return "system"
		}
		return "sdk"
	}},
	{Name: "turnOrigin", Value: func(p *Prompt) any {
		if p.Origin != nil {
			return "task_notification"
		}
		return "sdk"
	}, Since: "2.1.290"},
	{Name: "turnPosition", Value: func(p *Prompt) any { return object.Of("promptIndex", 0, "turnIndex", p.turn) }, Since: "2.1.290"},
	{Name: "turnAttributionKey", Value: func(p *Prompt) any { return p.Given }, When: func(p *Prompt) bool { return p.Given != "" }, Since: "2.1.325"},
	{Name: "queueSkipAttachments", Value: line.Always[*Prompt](true), When: func(p *Prompt) bool { return p.Origin != nil }, Since: "2.1.325"},
}

// Queued keeps that a message has come, and that its turn begins.
func (th *Thread) Queued(content any) {
	operation := func(name string, content any) object.Object {
		return object.Of("type", "queue-operation", "operation", name, "timestamp", ids.Now(), "sessionId", th.t.out.ID(), "content", content)
	}
	text, ok := content.(string)
	th.keep(operation("enqueue", object.If(ok, text)), operation("dequeue", object.Absent))
}

// Prompt keeps a message of the user.
func (th *Thread) Prompt(p Prompt) {
	if th.t.Off {
		return
	}
	th.t.mu.Lock()
	defer th.t.mu.Unlock()
	if p.UUID == "" {
		p.UUID = ids.UUID()
	}
	if th.prompt != p.ID {
		th.t.turns++
	}
	th.prompt, th.skill = p.ID, ""
	if p.Origin == nil {
		th.t.prompt = p.Text
	}
	p.turn = th.t.turns
	th.keepLocked(th.entryLocked(p.UUID, prompted.Object(th.t.release(), &p)))
}

// Expanded keeps a command of the user, and the text that takes its place.
func (th *Thread) Expanded(p Prompt, text string) {
	if th.t.Off {
		return
	}
	th.t.mu.Lock()
	defer th.t.mu.Unlock()
	th.t.turns++
	th.prompt, th.skill, p.turn = p.ID, "", th.t.turns
	own := prompted.Object(th.t.release(), &p).Without("permissionMode", "promptSource")
	th.keepLocked(th.entryLocked(p.UUID, own))
	th.attachLocked(Aside(text))
}

// Meanwhile keeps a message that the model is told while it works. It reports false if the message
// must be kept as one of its own: it is an attachment, which only the mirror shows.
func (th *Thread) Meanwhile(id string, content any) bool {
	if !th.t.full() {
		return false
	}
	text, _ := content.(string)
	delivery, now := ids.UUID(), ids.Now()
	th.keep(object.Of("type", "queue-operation", "operation", "enqueue", "timestamp", now, "sessionId", th.t.out.ID(), "content", text),
		object.Of("type", "queue-operation", "operation", "remove", "timestamp", now, "sessionId", th.t.out.ID(), "content", text,
			"reason", "absorbed_mid_turn", "commandUuid", id, "deliveryId", delivery))
	th.Attach(Reminder("A message of the user that has come while the model works:\n"+text, "queued_command",
		"prompt", content, "source_uuid", id, "delivery_id", delivery, "commandMode", "prompt", "timestamp", now))
	return true
}

// Said is a line of the conversation, as the SDK sees it.
type Said struct {
	Kind    string // "user", "assistant"
	ID      string
	Message object.Object
	More    object.Object // the members that only some lines have

	th     *Thread
	asked  *Request
	index  int
	source any
}

// has reports whether the line has a member.
func (s *Said) has(name string) bool { return s.More.Has(name) }

// block is the first block of the message; nil for a text.
func (s *Said) block() object.Object {
	list, _ := s.Message.Get("content").([]any)
	if len(list) == 0 {
		return nil
	}
	b, _ := list[0].(object.Object)
	return b
}

// the returns a member of the line; Absent if it has none.
func the(name string) func(*Said) any {
	return func(s *Said) any { return object.If(s.More.Has(name), s.More.Get(name)) }
}

// meta is the member of tool_result_meta with a name.
func (s *Said) meta(name string) any {
	list := s.More.List("tool_result_meta")
	if len(list) == 0 {
		return nil
	}
	return list[0].(object.Object).Get(name)
}

// called are the server and the tool of it whose result the line is, "" if it is not one.
func (s *Said) called() (server, tool string) {
	b := s.block()
	text, _ := b.Get("content").(string)
	name, ok := strings.CutPrefix(s.th.servers[b.Text("tool_use_id")], "mcp__")
	if !ok || s.meta("non_execution_kind") != nil || strings.HasPrefix(text, "<tool_use_error>") {
		return "", ""
	}
	server, tool, _ = strings.Cut(name, "__")
	return server, tool
}

// words is a message of the user. A text that is the CLI's own is kept as one.
func (s *Said) words() object.Object {
	if s.More.Bool("isSynthetic") && !s.has("sourceToolUseID") {
		return s.Message.With("content", s.block().Text("text"))
	}
	return s.Message
}

// answered is an entry of the model's answer.
var answered = line.Line[*Said]{
	{Name: "message", Value: func(s *Said) any { return kept(s.Message) }},
	{Name: "toolInputStreamMs", Value: line.Always[*Said](0), When: func(s *Said) bool { return s.block().Text("type") == "tool_use" }, Since: "2.1.325"},
	{Name: "thinkingDurationMs", Value: the("thinking_duration_ms"), Since: "2.1.325"},
	{Name: "thinkingDisplay", Value: the("thinking_display"), Since: "2.1.325"},
	{Name: "serverClassifierRequest", Value: func(*Said) any { return ids.UUID() }, When: func(s *Said) bool { return s.asked.Checked }, Since: told},
	{Name: "apiBlockIndex", Value: func(s *Said) any { return s.index }, Since: told},
	{Name: "requestId", Value: the("request_id")},
	{Name: "requestRef", Value: func(s *Said) any { return s.asked.ref }, Since: "2.1.325"},
	{Name: "requestedModel", Value: func(s *Said) any { return s.asked.Model }, Since: "2.1.325"},
	{Name: "promptCacheRequested", Value: line.Always[*Said]("5m"), Since: "2.1.325"},
	{Name: "attributionAgent", Value: func(s *Said) any { return s.asked.Agent }, When: func(s *Said) bool { return s.asked.Agent != "" }, Since: told},
	{Name: "attributionMcpServer", Value: func(s *Said) any { return s.asked.server }, When: func(s *Said) bool { return s.asked.server != "" }, Since: told},
	{Name: "attributionMcpTool", Value: func(s *Said) any { return s.asked.tool }, When: func(s *Said) bool { return s.asked.server != "" }, Since: told},
	{Name: "attributionSkill", Value: func(s *Said) any { return s.th.skill }, When: func(s *Said) bool { return s.th.skill != "" }, Since: told},
	{Name: "type", Value: line.Always[*Said]("assistant")},
	{Name: "uuid", Value: func(s *Said) any { return s.ID }},
	{Name: "timestamp", Value: func(*Said) any { return ids.Now() }},
	{Name: "effort", Value: func(s *Said) any { return s.asked.Effort }, When: func(s *Said) bool { return s.asked.Effort != "" }, Since: "2.1.250"},
	{Name: "perTurnEffort", Value: func(s *Said) any { return s.asked.perTurn() }, Since: told},
	{Name: "madeBy", Value: line.Always[*Said]("model"), Since: "2.1.325"},
}

// kept is a message of the model as it is kept.
func kept(m object.Object) object.Object {
	m = m.Without("context_management", "stop_details")
	return append(m, object.Member{Name: "stop_details"})
}

// placed is an entry of a message that the CLI puts in the place of an answer.
var placed = line.Line[*Said]{
	{Name: "type", Value: line.Always[*Said]("assistant")},
	{Name: "uuid", Value: func(s *Said) any { return s.ID }},
	{Name: "timestamp", Value: func(*Said) any { return ids.Now() }},
	{Name: "message", Value: func(s *Said) any { return s.Message }},
	{Name: "requestId", Value: the("request_id")},
	{Name: "apiErrorIsTransient", Value: line.Always[*Said](false), When: func(s *Said) bool { return s.More.Get("api_error_status") == 429 }, Since: "2.1.325"},
	{Name: "error", Value: the("error")},
	{Name: "errorDetails", Value: the("errorDetails")},
	{Name: "isApiErrorMessage", Value: the("is_api_error_message")},
	{Name: "healsDistinctCarrier", Value: line.Always[*Said](true), When: func(s *Said) bool { return s.More.Get("api_error_status") == 413 }, Since: "2.1.325"},
	{Name: "apiErrorStatus", Value: the("api_error_status")},
	{Name: "apiError", Value: the("api_error")},
	{Name: "apiErrorType", Value: the("api_error_type")},
	{Name: "apiErrorParams", Value: the("api_error_params")},
	{Name: "refusedMessageId", Value: the("refused_message_id")},
	{Name: "refusingModel", Value: the("refusingModel")},
	{Name: "perTurnEffort", Value: func(s *Said) any { return s.asked.perTurn() }, When: func(s *Said) bool { return s.has("api_error_status") }, Since: told},
	{Name: "failedResponseHadNoToolCall", Value: line.Always[*Said](true), When: func(s *Said) bool { return s.has("api_error_status") }, Since: "2.1.325"},
	{Name: "madeBy", Value: line.Always[*Said]("model"), Since: "2.1.325"},
}

// heard is an entry of what the model is told in the course of a turn: results of tools, and words
// of the CLI.
var heard = line.Line[*Said]{
	{Name: "promptId", Value: func(s *Said) any { return s.th.prompt }},
	{Name: "type", Value: line.Always[*Said]("user")},
	{Name: "message", Value: func(s *Said) any { return s.words() }},
	{Name: "isMeta", Value: the("isSynthetic")},
	{Name: "turnCompanion", Value: the("isSynthetic"), When: func(s *Said) bool { return !s.has("alone") }, Since: told},
	{Name: "uuid", Value: func(s *Said) any { return s.ID }},
	{Name: "timestamp", Value: func(*Said) any { return ids.Now() }},
	{Name: "toolUseResult", Value: the("tool_use_result")},
	{Name: "sandboxed", Value: line.Always[*Said](false), When: func(s *Said) bool {
		return s.th.shells[s.block().Text("tool_use_id")] && s.meta("non_execution_kind") == nil
	}, Since: "2.1.325"},
	{Name: "mcpCallNotReadOnly", Value: line.Always[*Said]("no_hint"), When: func(s *Said) bool { server, _ := s.called(); return server != "" }, Since: "2.1.325"},
	{Name: "toolDenialKind", Value: func(s *Said) any { return s.meta("non_execution_kind") },
		When: func(s *Said) bool { return s.meta("non_execution_kind") != nil }, Since: told},
	{Name: "toolEndsTurn", Value: the("toolEndsTurn")},
	{Name: "sourceToolAssistantUUID", Value: func(s *Said) any { return s.source }, When: func(s *Said) bool { return s.source != nil }},
	{Name: "permissionDecision", Value: func(s *Said) any { return decision(s.meta("permission_decision").(object.Object)) },
		When: func(s *Said) bool { return s.meta("permission_decision") != nil }, Since: "2.1.325"},
	{Name: "sourceToolUseID", Value: the("sourceToolUseID")},
	{Name: "refusedMessageId", Value: the("refused_message_id")},
}

// decision is the decision on the use of a tool as it is kept.
func decision(d object.Object) object.Object {
	once := d.Text("source") == "user_temporary" && d.Text("decision") == "accept"
	o := object.Of("decision", d.Get("decision"), "source", d.Get("source"), "reasonType", object.If(d.Has("reason_type"), d.Get("reason_type")),
		"grantScope", object.If(once, "once"), "reasonCode", object.If(once, "unknown"))
	if d.Text("reason_type") == "classifier" {
		o.Set("reasonCode", "classifier:auto-mode:unavailable")
	}
	return o
}

// Say keeps a line of the conversation.
func (th *Thread) Say(s Said) {
	if th.t.Off {
		return
	}
	th.t.mu.Lock()
	defer th.t.mu.Unlock()
	s.th, s.asked = th, th.asked
	if s.asked == nil {
		s.asked = &th.before
	}
	r := th.t.release()
	switch {
	case s.Kind == "user":
		parent := th.last
		if s.source = any(nil); th.uses[s.block().Text("tool_use_id")] != "" {
			s.source = th.uses[s.block().Text("tool_use_id")]
			parent = s.source
		}
		th.last = s.ID
		if server, tool := s.called(); server != "" {
			th.server, th.tool = server, tool
		}
		th.keepLocked(th.framedLocked(parent, heard.Object(r, &s)))
	case s.Message.Text("model") == "<synthetic>":
		th.keepLocked(th.entryLocked(s.ID, placed.Object(r, &s)))
	default:
		s.index = s.asked.blocks
		s.asked.blocks++
		th.noteUse(s.ID, s.block())
		th.keepLocked(th.entryLocked(s.ID, answered.Object(r, &s)))
	}
}

// noteUse notes the use of a tool.
func (th *Thread) noteUse(id string, b object.Object) {
	if b.Text("type") != "tool_use" {
		return
	}
	if th.uses == nil {
		th.uses, th.shells, th.servers = map[string]string{}, map[string]bool{}, map[string]string{}
	}
	name := b.Text("name")
	th.uses[b.Text("id")] = id
	th.shells[b.Text("id")] = name == "Bash"
	if strings.HasPrefix(name, "mcp__") {
		th.servers[b.Text("id")] = name
	}
	if name == "Task" {
		name = "Agent"
	}
	if th.agent == "" && th.t.full() && !slices.Contains(th.t.used, name) && th.t.Has(name) {
		th.t.used = append(th.t.used, name)
		th.keepLocked(object.Of("type", "tools-used", "tools", slices.Clone(th.t.used), "sessionId", th.t.out.ID()))
	}
}

// LastPrompt keeps what the session is about, at the end of its first turn and at its own end.
func (t *Transcript) LastPrompt(end bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !end && t.turns > 1 {
		return
	}
	if t.main.last != nil && t.prompt != "" {
		t.main.keepLocked(object.Of("type", "last-prompt", "lastPrompt", t.prompt, "leafUuid", t.main.last, "sessionId", t.out.ID()))
	}
}

// Cost keeps what the session has cost, and how many lines of files it has changed, at its end, if
// anything was kept of it.
func (t *Transcript) Cost(start time.Time, dollars float64, added, removed int, byModel object.Object) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.main.file != nil {
		t.main.keepLocked(object.Of("type", "cost-state", "sessionId", t.out.ID(), "totalCostUSD", dollars, "totalAPIDuration", 0, "totalAPIDurationWithoutRetries", 0,
			"totalToolDuration", 0, "totalLinesAdded", added, "totalLinesRemoved", removed, "totalDuration", time.Since(start).Milliseconds(),
			"startTime", start.UnixMilli(), "modelUsage", byModel, "hasUnknownModelCost", false))
	}
}

// Titled keeps the name that the user gave the session, if anything was kept of it.
func (t *Transcript) Titled(title string) {
	t.mu.Lock()
	t.title = title
	kept := t.main.file != nil
	t.mu.Unlock()
	if kept {
		t.Named(title)
	}
}

// Named keeps the name that the session was started with.
func (t *Transcript) Named(title string) {
	t.mu.Lock()
	t.title = title
	t.mu.Unlock()
	t.main.keep(object.Of("type", "custom-title", "customTitle", title, "sessionId", t.out.ID()))
	t.main.keep(object.Of("type", "agent-name", "agentName", title, "sessionId", t.out.ID()))
}

// Title is the name of the session, "" if it has none.
func (t *Transcript) Title() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.title
}
