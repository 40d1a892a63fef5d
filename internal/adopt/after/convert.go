package after

import (
	"slices"

	"github.com/ccwire/ccwire/gen/wire"
)

//doc:parse

// ParseMessage reads a line. One that cannot be read is an [*OtherMessage], and the error says why.
func ParseMessage(line []byte) (Message, error) {
	frame, err := wire.Decode(line)
	if err != nil {
		return &OtherMessage{wire.Unreadable(line, err)}, &ParseError{line, err}
	}
	return convert(frame, line)
}

// convert makes a message of a frame, whose line it was.
func convert(frame wire.Frame, line wire.Raw) (Message, error) {
	var c converter
	var msg Message
	switch f := frame.(type) {
	case *wire.User:
		msg = c.user(f)
	case *wire.Assistant:
		msg = c.assistant(f)
	case wire.SystemFrame:
		msg = &SystemMessage{Subtype: f.Subtype(), Data: c.object(line), Frame: f}
	case wire.Result:
		msg = c.result(f)
	case *wire.StreamEvent:
		msg = c.streamEvent(f)
	default:
		msg = &OtherMessage{frame}
	}
	if c.err != nil {
		return msg, &ParseError{slices.Clone(line), c.err}
	}
	return msg, nil
}

//doc:end

//doc:converter

// A converter makes the types of this package of those of package wire. It remembers the first
// error; what it is about is left empty.
type converter struct{ err error }

// object returns raw JSON as a map, nil for what is not an object.
func (c *converter) object(raw wire.Raw) map[string]any {
	m, _ := c.value(raw).(map[string]any)
	return m
}

// value returns raw JSON as Go values.
func (c *converter) value(raw wire.Raw) any {
	v, err := raw.Any()
	c.note(err)
	return v
}

// encoded returns a part of a frame as a map.
func (c *converter) encoded(v wire.Appender) map[string]any {
	raw, err := v.AppendJSON(nil)
	c.note(err)
	return c.object(raw)
}

func (c *converter) note(err error) {
	if c.err == nil {
		c.err = err
	}
}

//doc:end

//doc:messages

func (c *converter) user(f *wire.User) *UserMessage {
	msg := &UserMessage{
		UUID:            f.UUID,
		ParentToolUseID: f.ParentToolUseID.Ptr(),
		ToolUseResult:   c.object(f.ToolUseResult),
		Frame:           f,
	}
	if text := f.Message.Content.Text; text != nil {
		msg.Content = *text
	} else {
		msg.Content = c.blocks(f.Message.Content.List)
	}
	return msg
}

func (c *converter) assistant(f *wire.Assistant) *AssistantMessage {
	return &AssistantMessage{
		Content:         c.blocks(f.Message.Content),
		Model:           wire.Value(f.Message.Model),
		ParentToolUseID: f.ParentToolUseID.Ptr(),
		Error:           (*string)(f.Error),
		Frame:           f,
	}
}

//doc:end

//doc:result

func (c *converter) result(f wire.Result) *ResultMessage {
	msg := &ResultMessage{
		Subtype:       f.Outcome(),
		DurationMS:    int(f.Duration().Milliseconds()),
		DurationAPIMS: int(f.APIDuration().Milliseconds()),
		IsError:       f.Failed(),
		NumTurns:      int(f.Turns()),
		SessionID:     f.Session(),
		Frame:         f,
	}
	if !f.Lacks("total_cost_usd") {
		msg.TotalCostUSD = wire.Ptr(f.Cost())
	}
	if !f.Lacks("usage") {
		msg.Usage = c.encoded(f.Tokens())
	}
	if success, ok := f.(*wire.ResultSuccess); ok {
		msg.Result = &success.Result
		msg.StructuredOutput = c.value(success.StructuredOutput)
	}
	return msg
}

//doc:end

func (c *converter) streamEvent(f *wire.StreamEvent) *StreamEvent {
	return &StreamEvent{
		UUID:            f.UUID,
		SessionID:       f.SessionID,
		Event:           c.encoded(f.Event),
		ParentToolUseID: f.ParentToolUseID.Ptr(),
		Frame:           f,
	}
}

//doc:block

func (c *converter) blocks(list []wire.ContentBlock) []ContentBlock {
	blocks := make([]ContentBlock, len(list))
	for i, block := range list {
		switch b := block.(type) {
		case *wire.TextBlock:
			blocks[i] = &TextBlock{b.Text}
		case *wire.ThinkingBlock:
			blocks[i] = &ThinkingBlock{b.Thinking, b.Signature}
		case *wire.ToolUseBlock:
			blocks[i] = &ToolUseBlock{b.ID, b.Name, c.object(b.Input)}
		case *wire.ToolResultBlock:
			blocks[i] = &ToolResultBlock{b.ToolUseID, c.toolResult(b), b.IsError}
		default:
			blocks[i] = &OtherBlock{b}
		}
	}
	return blocks
}

// toolResult returns what a tool returned: a string, []any, or nil if that is absent.
func (c *converter) toolResult(b *wire.ToolResultBlock) any {
	if b.Content == nil {
		return c.value(b.Extra.Get("content")) // neither a text nor a list
	}
	raw, err := b.Content.AppendJSON(nil)
	c.note(err)
	return c.value(raw)
}

//doc:end
