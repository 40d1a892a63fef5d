package turn

import (
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/script"
)

// answer is what the model has said to one request.
type answer struct {
	id         string
	model      string
	requestID  string
	content    []any
	stopReason any
	usage      ledger.Usage

	begun map[string]*Use    // uses that have begun while the message came, by their ids
	early map[string]*Result // what was told while the message came, by the id of the use
}

// text is the text of the last block, if that is one.
func (m *answer) text() string {
	if n := len(m.content); n > 0 {
		if o, ok := m.content[n-1].(object.Object); ok && o.Text("type") == "text" {
			return o.Text("text")
		}
	}
	return ""
}

// lastType is the type of the last block, "" if there is none.
func (m *answer) lastType() string {
	if n := len(m.content); n > 0 {
		o, _ := m.content[n-1].(object.Object)
		return o.Text("type")
	}
	return ""
}

// partial reports whether the SDK wants the events of messages.
func (s *Stage) partial() bool { return s.Flags.Has("include-partial-messages") }

// streaming writes the lines of one message of the model.
type streaming struct {
	turn    *Turn
	agent   *Agent
	reply   *script.Answer
	model   string        // that was asked
	message object.Object // as it was opened
	got     *answer
	began   time.Time

	head, tail []byte        // of the line of an event, without its id
	tokens     int           // estimated, of thinking
	open       object.Object // the block that is open; nil if none is
	index      int           // of that block
	begun      []byte        // what has come of its text
	texts      int           // characters of all texts that have come
	thoughts   int           // and of the thinking
	inputs     int           // and of the inputs of tools
	started    bool          // the message is open
	due        []*due        // the uses that are over at once
	time       int           // that has passed with lines
}

func newStreaming(t *Turn, a *Agent, model string, reply *script.Answer) *streaming {
	st := &streaming{turn: t, agent: a, model: model, reply: reply, message: reply.Message(), began: t.stage.Model.Clock().Now()}
	st.got = &answer{id: st.message.Text("id"), model: st.message.Text("model"), requestID: reply.RequestID()}
	return st
}

// used is what the answer has used, and costs.
func (st *streaming) used() ledger.Usage {
	return ledger.Read(st.reply.Usage()).Costing(st.reply.Cost())
}

// soFar is what an answer counts as that was interrupted: its last usage has not come, so the
// tokens of what has come are guessed at, by its length.
func (st *streaming) soFar() ledger.Usage {
	const ofText = 4 // characters of a token; of the input of a tool, 2.5
	opened := st.message.Object("usage")
	first, _ := opened.Number("output_tokens")
	guess := (st.thoughts + ofText - 1) / ofText
	if st.texts > 0 {
		guess += st.texts/ofText + 1
	}
	if st.inputs > 0 {
		guess += (2*st.inputs + 4) / 5
	}
	return ledger.Read(opened.With("output_tokens", first+float64(guess)))
}

// events reports whether the events of the message are written.
func (st *streaming) events() bool { return st.agent.ID == "" && st.turn.stage.partial() }

// event takes an event of the message.
func (st *streaming) event(e *script.Event) error {
	switch e.Type {
	case script.MessageStart:
		st.started = true
		st.agent.guess = 0
	case script.BlockStart:
		st.open, st.index, st.begun = e.Block, e.Index, st.begun[:0]
	case script.BlockDelta:
		if st.reply.Paced() {
			st.tellEnded()
		}
		if e.Delta == "thinking_delta" && st.agent.ID == "" {
			n := (len(e.Text) + 3) / 4
			st.tokens += n
			st.turn.stage.Out.Note("type", "system", "subtype", "thinking_tokens", "estimated_tokens", st.tokens, "estimated_tokens_delta", n)
		}
		switch e.Delta {
		case "text_delta":
			st.begun = append(st.begun, e.Text...)
			st.texts += len(e.Text)
		case "thinking_delta":
			st.thoughts += len(e.Text)
		case "input_json_delta":
			st.inputs += len(e.Text)
		}
	case script.BlockStop:
		st.open = nil
		st.block(e.Block, st.message)
		st.expect(e.Block)
		st.tellDue()
		st.tellEnded()
		st.refuse(e.Block, true)
	case script.MessageDelta:
		if st.cutShort() {
			return errBudget
		}
	case script.MessageStop:
		st.started = false
	}
	st.passEvent(e)
	if st.events() {
		st.write(e)
	}
	st.tellDue()
	if e.Type == script.BlockStop {
		st.refuse(e.Block, false)
		st.begin(e)
	}
	return nil
}

// write writes the line of an event.
func (st *streaming) write(e *script.Event) {
	var more []byte
	if e.Type == script.MessageStart {
		more = object.Append(append(more, `,"ttft_ms":`...), st.turn.stage.Model.Clock().Since(st.began).Milliseconds())
	}
	if e.Type == script.MessageStart || e.Delta == "thinking_delta" && e.Type == script.BlockDelta ||
		e.Type == script.BlockStart && e.Block.Text("type") == "thinking" {
		more = append(more, `,"thinking_display":`...)
		more = object.AppendText(more, st.turn.stage.thinking())
	}
	var last []byte
	if uuids := st.turn.userUUIDs(st.agent); uuids != nil && e.Type == script.MessageStart {
		for _, m := range object.Of(append(uuids, "owed_rows", []any{})...) {
			last = append(last, ',')
			last = append(object.AppendText(last, m.Name), ':')
			last = object.Append(last, m.Value)
		}
	}
	if rule := st.overtaking(e); rule != nil {
		st.turn.stage.Out.Late(rule, st.text(nil, e.Append, more, last))
		return
	}
	st.line(e.Append, more, last)
}

// line writes the line of an event, with members before and after the message's id.
func (st *streaming) line(event func([]byte) []byte, more, last []byte) {
	st.turn.stage.Out.Append(func(b []byte) []byte { return st.text(b, event, more, last) })
}

// text appends the line of an event.
func (st *streaming) text(b []byte, event func([]byte) []byte, more, last []byte) []byte {
	if st.tail == nil {
		st.tail = object.AppendText([]byte(`,"api_message_id":`), st.message.Text("id"))
		st.head = append(object.AppendText([]byte(`,"session_id":`), st.turn.stage.Out.ID()), `,"parent_tool_use_id":null,"uuid":"`...)
	}
	b = append(b, `{"type":"stream_event","event":`...)
	b = event(b)
	b = append(b, st.head...)
	b = append(b, ids.UUID()...)
	b = append(b, '"')
	b = append(b, more...)
	b = append(b, st.tail...)
	b = append(b, last...)
	return append(b, "}\n"...)
}

// block writes the line of a block that is complete.
func (st *streaming) block(b object.Object, message object.Object, last ...any) {
	if b.Text("type") == "text" && strings.TrimSpace(b.Text("text")) == "" {
		return // it is not told
	}
	st.pass(lineTime)
	st.got.content = append(st.got.content, b)
	written := b
	if b.Text("type") == "tool_use" && !st.lacks(b) {
		b = b.With("input", st.turn.stage.shown(b.Text("name"), b.Object("input")))
	}
	if b.Text("type") == "text" && st.agent.ID == "" {
		st.turn.display(b.Text("text"))
	}
	m := message.With("content", []any{b})
	if st.turn.stage.Out.Release().Before("2.1.90") { // these wait for the end of the message
		usage := m.Object("usage")
		m = m.With("stop_reason", st.reply.StopReason(), "usage", usage.With("output_tokens", st.reply.Usage().Get("output_tokens")))
	}
	m.Set("context_management", nil)
	thinking := b.Text("type") == "thinking"
	more := []any{
		"request_id", st.reply.RequestID(),
		"thinking_duration_ms", object.If(thinking, st.turn.stage.Model.Clock().Since(st.began).Milliseconds()),
		"thinking_display", object.If(thinking, st.turn.stage.thinking()),
	}
	more = append(more, st.turn.userUUIDs(st.agent)...)
	more = append(more, "tool_use_meta", st.turn.stage.Servers.Meta(b.Text("id"), b.Text("name"), !st.turn.stage.Policy.Disabled(b.Text("name"))))
	if st.agent.ID == "" && st.turn.supersedes != nil {
		more = append(more, "supersedes", st.turn.supersedes)
	}
	st.write1(written, m, append(more, last...))
}

// lacks reports whether a block uses a tool that a subagent does not have.
func (st *streaming) lacks(b object.Object) bool {
	if st.agent.ID == "" {
		return false
	}
	_, missing := st.turn.stage.Tools.Refused(newUse(st.turn, st.agent, b))
	return missing
}

// write1 writes the line of a block, which is given as the model has written it. Of a subagent in
// the foreground only the use of tools is told, unless the SDK wants all.
func (st *streaming) write1(b, m object.Object, more []any) {
	a, id := st.agent, ids.UUID()
	a.keep(id, "assistant", m, nil, more...)
	if a.ID == "" {
		a.tell(id, "assistant", m, more...)
		return
	}
	a.estimate(b, st.message.Object("usage"))
	if b.Text("type") != "tool_use" {
		if a.Background || a.parts.Flags.Has("forward-subagent-text") {
			a.tell(id, "assistant", m, more...)
		}
		return
	}
	u := &Use{ID: b.Text("id"), Name: b.Text("name"), Input: b.Object("input")}
	a.Tools = append(a.Tools, u.Name)
	a.count(u)
	a.Last = ledger.Read(st.message.Object("usage"))
	if a.Background {
		a.tell(id, "assistant", m, more...)
		st.turn.progress(a, u)
		return
	}
	st.turn.progress(a, u)
	if a.Depth == 1 || a.parts.Flags.Has("forward-subagent-text") {
		st.turn.hold(u.ID, func() { a.tell(id, "assistant", m, more...) })
	}
}

// close writes the events that end a message, of whose blocks only the first are kept. One that was
// interrupted has a message_delta too.
func (st *streaming) close(kept int, interrupted bool) {
	event := func(pairs ...any) func([]byte) []byte {
		return func(b []byte) []byte { return object.Append(b, object.Of(pairs...)) }
	}
	if st.open != nil && st.open.Text("type") != "tool_use" {
		st.line(event("type", "content_block_stop", "index", st.index), nil, nil)
	}
	if interrupted {
		u := st.message.Object("usage")
		st.line(event("type", "message_delta", "context_management", nil,
			"delta", object.Of("container", nil, "stop_details", nil, "stop_reason", nil, "stop_sequence", nil),
			"usage", object.Of("output_tokens_details", object.Of("thinking_tokens", 0),
				"cache_creation_input_tokens", u.Get("cache_creation_input_tokens"), "cache_read_input_tokens", u.Get("cache_read_input_tokens"),
				"input_tokens", u.Get("input_tokens"), "iterations", []any{}, "output_tokens", u.Get("output_tokens"),
				"server_tool_use", object.Of("web_search_requests", 0, "web_fetch_requests", 0), "fallback_credit", nil)), nil, nil)
	}
	st.line(event("type", "message_stop"), nil,
		object.Append([]byte(`,"abandoned_blocks":`), object.Of("api_message_id", st.got.id, "from_block_index", kept)))
}

// abandon writes what has come of a message that was interrupted. The function that it returns
// closes what is open, after the line that tells of the interrupt.
func (st *streaming) abandon() (closing func()) {
	if !st.started {
		return func() {}
	}
	if st.open != nil && len(st.begun) > 0 {
		st.block(st.open.With("text", string(st.begun)), st.message, "aborted", true)
	}
	if !st.events() {
		return func() {}
	}
	return func() { st.close(len(st.got.content), true) }
}
