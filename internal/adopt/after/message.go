// Package after is the SDK of package before, converted to package wire.
package after

import (
	"fmt"

	"github.com/ccwire/ccwire/gen/wire"
)

// Message is a message from the CLI.
type Message interface{ Type() string }

// UserMessage is a message of the type user.
type UserMessage struct {
	Content         any // a string or []ContentBlock
	UUID            *string
	ParentToolUseID *string
	ToolUseResult   map[string]any

	Frame *wire.User // the whole line
}

// AssistantMessage is a message of the type assistant.
type AssistantMessage struct {
	Content         []ContentBlock
	Model           string
	ParentToolUseID *string
	Error           *string

	Frame *wire.Assistant // the whole line
}

// SystemMessage is a message of the type system.
type SystemMessage struct {
	Subtype string
	Data    map[string]any

	Frame wire.SystemFrame // the whole line
}

// ResultMessage ends a turn.
type ResultMessage struct {
	Subtype          string
	DurationMS       int
	DurationAPIMS    int
	IsError          bool
	NumTurns         int
	SessionID        string
	TotalCostUSD     *float64
	Usage            map[string]any
	Result           *string
	StructuredOutput any

	Frame wire.Result // the whole line
}

// StreamEvent is a piece of a message that is being written.
type StreamEvent struct {
	UUID            string
	SessionID       string
	Event           map[string]any
	ParentToolUseID *string

	Frame *wire.StreamEvent // the whole line
}

//doc:other

// OtherMessage is every other line: of a type that this package has no message for, of a newer CLI,
// or one that cannot be read.
type OtherMessage struct{ Frame wire.Frame }

// Type returns the type of the line.
func (m *OtherMessage) Type() string { return m.Frame.Type() }

// OtherBlock is a block of any other type.
type OtherBlock struct{ Block wire.ContentBlock }

// BlockType returns the type of the block.
func (b *OtherBlock) BlockType() string { return b.Block.Type() }

//doc:end

// Type returns "user".
func (*UserMessage) Type() string { return "user" }

// Type returns "assistant".
func (*AssistantMessage) Type() string { return "assistant" }

// Type returns "system".
func (*SystemMessage) Type() string { return "system" }

// Type returns "result".
func (*ResultMessage) Type() string { return "result" }

// Type returns "stream_event".
func (*StreamEvent) Type() string { return "stream_event" }

// ContentBlock is a part of a message.
type ContentBlock interface{ BlockType() string }

// TextBlock is text.
type TextBlock struct{ Text string }

// ThinkingBlock is what the model thought.
type ThinkingBlock struct{ Thinking, Signature string }

// ToolUseBlock is the call of a tool.
type ToolUseBlock struct {
	ID    string
	Name  string
	Input map[string]any
}

// ToolResultBlock is what a tool returned.
type ToolResultBlock struct {
	ToolUseID string
	Content   any // a string or []any
	IsError   *bool
}

// BlockType returns "text".
func (*TextBlock) BlockType() string { return "text" }

// BlockType returns "thinking".
func (*ThinkingBlock) BlockType() string { return "thinking" }

// BlockType returns "tool_use".
func (*ToolUseBlock) BlockType() string { return "tool_use" }

// BlockType returns "tool_result".
func (*ToolResultBlock) BlockType() string { return "tool_result" }

// ParseError says why a line is not a message.
type ParseError struct {
	Line []byte
	Err  error
}

func (e *ParseError) Error() string { return fmt.Sprintf("cannot parse %.200q: %v", e.Line, e.Err) }

// Unwrap returns the cause.
func (e *ParseError) Unwrap() error { return e.Err }
