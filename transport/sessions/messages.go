package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/object"
)

// A Message is a message of the conversation.
type Message struct {
	Type      string // user, assistant, or system
	UUID      string
	SessionID string
	Time      time.Time // zero if it has none
	// Message is the message of the API, as in the lines of a stream; nil for those of the system.
	Message         codec.Raw
	ParentToolUseID string    // the use of a tool that started the subagent; "" in a session
	ParentAgentID   string    // the subagent that started the subagent; "" for none
	Summary         bool      // it stands for what a compaction has left out
	Queued          bool      // it came while the model was at work
	Entry           codec.Raw // the entry
}

// Frame returns the message as the CLI writes it to a stream, a [*wire.User] or a
// [*wire.Assistant]. Those of the system have another form there.
func (m *Message) Frame() (wire.Frame, error) {
	if m.Message == nil {
		return nil, fmt.Errorf("the message %s of type %s is not in this form in a stream", m.UUID, m.Type)
	}
	line := object.Append(nil, object.Of("type", m.Type, "session_id", m.SessionID, "uuid", m.UUID, "parent_tool_use_id", orNull(m.ParentToolUseID)))
	line = append(append(append(line[:len(line)-1], `,"message":`...), m.Message...), '}')
	return wire.Decode(line)
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// MessagesOptions say which messages are read. Nil means those of the user and of the model.
type MessagesOptions struct {
	System      bool // those of the system, too, such as where the conversation was compacted
	Skip, Limit int  // how many are left out at the start, and how many are read; no limit if 0
}

// Messages yields the messages of the conversation in their order: what the model would be told if
// the session went on now, without what the CLI adds. Of a conversation that was taken up again at
// an earlier message, that is the latest course; of one that was compacted, the summary and what
// follows it. An error is the last.
func (s *Session) Messages(ctx context.Context, o *MessagesOptions) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		g, err := readGraph(ctx, s.path)
		if err != nil {
			yield(nil, s.failed("reading", err))
			return
		}
		if o == nil {
			o = &MessagesOptions{}
		}
		chain, leaf := g.conversation()
		if leaf == nil {
			return
		}
		var shown []place
		for _, p := range g.prompts(append(chain, g.after(chain, leaf)...), len(chain), false) {
			if p.shown(o.System) {
				shown = append(shown, p)
			}
		}
		yieldMessages(ctx, s.path, page(shown, o), Message{}, yield)
	}
}

// shown reports whether it is a message for people.
func (p *place) shown(system bool) bool {
	if p.sidechain || p.team || p.meta && !p.foreign && !p.prompt {
		return false
	}
	return p.speaks() || p.prompt || system && p.kind == "system"
}

func page(list []place, o *MessagesOptions) []place {
	if o.Skip > 0 {
		list = list[min(o.Skip, len(list)):]
	}
	if o.Limit > 0 {
		list = list[:min(o.Limit, len(list))]
	}
	return list
}

// yieldMessages reads the lines of places one by one. Common has what all messages have.
func yieldMessages(ctx context.Context, path string, places []place, common Message, yield func(*Message, error) bool) {
	f, err := os.Open(path)
	if err != nil {
		yield(nil, err)
		return
	}
	defer f.Close()
	for _, p := range places {
		err := ctx.Err()
		var m *Message
		if err == nil {
			m, err = p.read(f, common)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		if !yield(m, nil) {
			return
		}
	}
}

// read reads the entry of a place again.
func (p *place) read(f *os.File, m Message) (*Message, error) {
	line := make([]byte, p.size)
	if _, err := f.ReadAt(line, p.offset); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	v, err := object.Parse(line)
	o, ok := v.(object.Object)
	if err != nil || !ok || o.Text("uuid") != p.uuid {
		return nil, &LineError{Path: f.Name(), Offset: p.offset, Err: errChanged}
	}
	m.Type, m.UUID, m.SessionID, m.Summary, m.Entry = p.kind, p.uuid, o.Text("sessionId"), p.summary, line
	m.Time, _ = time.Parse(time.RFC3339, p.time)
	if p.prompt {
		m.Type, m.Queued = "user", true
		if p.queued.source != "" {
			m.UUID = p.queued.source
		}
		m.Message = object.Append(nil, object.Of("role", "user", "content", o.Object("attachment").Get("prompt")))
	} else {
		m.Message = codec.Raw(line).Find("/message")
	}
	return &m, nil
}

var errChanged = errors.New("it is another one than before")
