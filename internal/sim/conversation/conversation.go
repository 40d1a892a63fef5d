// Package conversation owns what was said between the user and the model: the messages, and the
// places in them to which the user can go back.
package conversation

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/object"
)

// Conversation is a conversation with the model. Its methods may be called at the same time.
type Conversation struct {
	mu       sync.Mutex // guards the fields below
	messages []Message
	marks    []mark // the user's messages
	lines    []line // that were written of the messages
	lastLine string // the uuid of the assistant's last line
}

// Message is one message of a conversation.
type Message struct {
	Role    string
	Content []any // blocks
}

// mark is a place in the conversation to which it can be taken back: before a message of the user.
type mark struct {
	uuid   string // of the message
	text   string
	at     int    // how many messages there were before it
	blocks int    // how many blocks the last of them had
	lines  int    // how many lines
	before string // the uuid of the assistant's line before it
}

// Add adds blocks to the conversation. Those of the same role follow each other in one message.
func (c *Conversation) Add(role string, blocks ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.messages); n > 0 && c.messages[n-1].Role == role {
		c.messages[n-1].Content = append(c.messages[n-1].Content, blocks...)
		return
	}
	c.messages = append(c.messages, Message{role, append([]any(nil), blocks...)})
}

// Tell adds a text that only the model sees.
func (c *Conversation) Tell(text string) {
	c.Add("user", object.Of("type", "text", "text", "<system-reminder>\n"+text+"\n</system-reminder>"))
}

// Spell puts the names of tools into the place of references to them. It reports whether there are
// any.
func (c *Conversation) Spell() (found bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.messages {
		for i, v := range m.Content {
			b, _ := v.(object.Object)
			var names []string
			for _, v := range b.List("content") {
				if r, _ := v.(object.Object); r.Text("type") == "tool_reference" {
					names = append(names, r.Text("tool_name"))
				}
			}
			if names != nil {
				m.Content[i] = b.With("content", strings.Join(names, ", "))
				found = true
			}
		}
	}
	return found
}

// Begin forgets what was said and begins with blocks of the user, none for an empty conversation.
func (c *Conversation) Begin(blocks ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.messages, c.lines = nil, nil
	if len(blocks) > 0 {
		c.messages = []Message{{"user", blocks}}
	}
}

// Last is the last message.
func (c *Conversation) Last() Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.messages[len(c.messages)-1]
}

// Retract takes the last message out of the conversation, if the model has said it.
func (c *Conversation) Retract() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.messages); n > 0 && c.messages[n-1].Role == "assistant" {
		c.messages = c.messages[:n-1]
	}
}

// Messages returns the messages.
func (c *Conversation) Messages() []Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := slices.Clone(c.messages)
	for i := range list {
		list[i].Content = slices.Clone(list[i].Content)
	}
	return list
}

// Texts calls see with each text that the user or the model has said.
func (c *Conversation) Texts(see func(role, text string)) {
	for _, m := range c.Messages() {
		for _, v := range m.Content {
			if o, ok := v.(object.Object); ok && o.Text("type") == "text" && !strings.HasPrefix(o.Text("text"), "<system-reminder>") {
				see(m.Role, o.Text("text"))
			}
		}
	}
}

// First is the first message of the user, "" if none has come.
func (c *Conversation) First() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.marks) == 0 {
		return ""
	}
	return c.marks[0].text
}

// Spoke notes the uuid of a line of the assistant.
func (c *Conversation) Spoke(uuid string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastLine = uuid
}

// LastLine is the uuid of the assistant's last line.
func (c *Conversation) LastLine() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lastLine
}

// Mark notes that a message of the user comes next. One without a uuid cannot be gone back to.
func (c *Conversation) Mark(uuid, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	blocks := 0
	if n := len(c.messages); n > 0 {
		blocks = len(c.messages[n-1].Content)
	}
	c.marks = append(c.marks, mark{uuid, text, len(c.messages), blocks, len(c.lines), c.lastLine})
}

// Why a conversation is not taken back: there is no such message, it is not the last one, or one
// has come after that which the user has seen last.
var (
	ErrNoTarget = errors.New("target not found")
	ErrStale    = errors.New("stale target")
	ErrUnseen   = errors.New("unseen later turn")
)

// Rewind takes the conversation back to before the user's message with a uuid: the last one, unless
// the user says which was seen last. It returns the text of that message and the uuid of the
// assistant's line before it.
func (c *Conversation) Rewind(uuid, seen string) (text, before string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.marks, func(m mark) bool { return uuid != "" && begins(m.uuid) == begins(uuid) })
	if i < 0 {
		return "", "", ErrNoTarget
	}
	last := begins(c.marks[len(c.marks)-1].uuid)
	switch {
	case seen != "" && begins(seen) != last:
		return "", "", ErrUnseen
	case seen == "" && begins(uuid) != last:
		return "", "", ErrStale
	}
	m := c.marks[i]
	c.marks = c.marks[:i]
	c.messages = c.messages[:min(m.at, len(c.messages))]
	if n := len(c.messages); n > 0 && n == m.at { // it may have become a part of the one before it
		last := &c.messages[n-1]
		last.Content = last.Content[:min(m.blocks, len(last.Content))]
	}
	c.lines = c.lines[:min(m.lines, len(c.lines))]
	c.lastLine = m.before
	return m.text, m.before, nil
}

// begins is what the CLI compares of uuids: the rest tells lines of one message apart.
func begins(uuid string) string { return uuid[:min(len(uuid), 24)] }

// Ask puts messages into a request to the model.
func Ask(q *fakeapi.Ask, messages []Message) {
	for _, m := range messages {
		blocks := make([]fakeapi.AskBlock, 0, len(m.Content))
		for _, b := range m.Content {
			if o, ok := b.(object.Object); ok {
				blocks = append(blocks, askBlock(o))
			}
		}
		q.Messages = append(q.Messages, fakeapi.AskMessage{Role: m.Role, Content: blocks})
	}
	q.Messages = append(q.Messages, fakeapi.AskMessage{Role: "system"}) // what the CLI tells of the session
}

func askBlock(o object.Object) fakeapi.AskBlock {
	b := fakeapi.AskBlock{
		Type: o.Text("type"), Text: o.Text("text"), ID: o.Text("id"), Name: o.Text("name"),
		ToolUseID: o.Text("tool_use_id"), IsError: o.Bool("is_error"),
	}
	if b.Type == "tool_use" {
		b.Input = object.Append(nil, o.Get("input"))
	}
	if b.Type == "tool_result" {
		switch c := o.Get("content").(type) {
		case string:
			b.Text = c
		case []any:
			b.Text = Text(c)
		}
	}
	return b
}

// Text joins the texts of blocks, with a line for each.
func Text(blocks []any) (text string) {
	for _, b := range blocks {
		if o, ok := b.(object.Object); ok && o.Text("type") == "text" {
			if text != "" {
				text += "\n"
			}
			text += o.Text("text")
		}
	}
	return text
}

// Blocks returns a content as a list of blocks.
func Blocks(content any) []any {
	switch c := content.(type) {
	case string:
		return []any{object.Of("type", "text", "text", c)}
	case []any:
		return c
	}
	return []any{object.Of("type", "text", "text", "")}
}
