package script

import (
	"github.com/ccwire/ccwire/internal/object"
)

// The types of events.
const (
	MessageStart = "message_start"
	BlockStart   = "content_block_start"
	BlockDelta   = "content_block_delta"
	BlockStop    = "content_block_stop"
	MessageDelta = "message_delta"
	MessageStop  = "message_stop"
)

// Event is one event of a streamed message. It is valid until the next one.
type Event struct {
	Type  string
	Index int           // of the block
	Block object.Object // at BlockStart without what comes in deltas, at BlockStop the whole
	Delta string        // the type of a delta
	Text  string        // what a delta adds, for the deltas that are texts
	Value any           // what another delta adds; the message of MessageStart; the usage of MessageDelta

	answer *Answer
}

// deltaMembers are the members of deltas that hold texts.
var deltaMembers = map[string]string{
	"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature", "input_json_delta": "partial_json", "citations_delta": "citation",
}

// Append appends the event as the API sends it: the members by name.
func (e *Event) Append(b []byte) []byte {
	switch e.Type {
	case MessageStart:
		b = append(b, `{"message":`...)
		b = object.Append(b, e.Value)
		return append(b, `,"type":"message_start"}`...)
	case BlockStart:
		b = append(b, `{"content_block":`...)
		b = object.Append(b, e.Block)
	case BlockDelta:
		b = append(b, `{"delta":{`...)
		member := deltaMembers[e.Delta]
		if member > "type" { // never: kept in the order of names
			return b
		}
		b = append(object.AppendText(b, member), ':')
		if e.Delta == "citations_delta" {
			b = object.Append(b, e.Value)
		} else {
			b = object.AppendText(b, e.Text)
		}
		b = append(b, `,"type":`...)
		b = append(object.AppendText(b, e.Delta), '}')
	case BlockStop:
		b = append(b, '{')
	case MessageDelta:
		b = append(b, `{"delta":`...)
		b = object.Append(b, object.Of("stop_reason", e.answer.StopReason(), "stop_sequence", e.answer.StopSequence()))
		b = append(b, `,"type":"message_delta","usage":`...)
		return append(object.Append(b, e.Value), '}')
	case MessageStop:
		return append(b, `{"type":"message_stop"}`...)
	}
	if e.Type != BlockStop {
		b = append(b, ',')
	}
	b = append(b, `"index":`...)
	b = object.Append(b, e.Index)
	b = append(b, `,"type":`...)
	return append(object.AppendText(b, e.Type), '}')
}

// events calls see with all events. last says that the content is over: the stop of the last block,
// or message_delta when there is no block.
func (a *Answer) events(chunk int, see func(e *Event, last bool) error) error {
	e := &Event{answer: a}
	emit := func(kind string, last bool) error {
		e.Type = kind
		return see(e, last)
	}
	e.Value = a.Message()
	if err := emit(MessageStart, false); err != nil {
		return err
	}
	blocks := a.scene.Message.Content
	for i := range blocks {
		block, _ := parse(raw(blocks[i])).(object.Object)
		e.Index, e.Block, e.Value = i, opening(block), nil
		if err := emit(BlockStart, false); err != nil {
			return err
		}
		if err := deltas(block, chunk, func(kind, text string, value any) error {
			e.Delta, e.Text, e.Value = kind, text, value
			return emit(BlockDelta, false)
		}); err != nil {
			return err
		}
		e.Block, e.Value = block, nil
		if err := emit(BlockStop, i == len(blocks)-1); err != nil {
			return err
		}
	}
	e.Block, e.Value = nil, a.Usage()
	if err := emit(MessageDelta, len(blocks) == 0); err != nil {
		return err
	}
	return emit(MessageStop, false)
}

func hasInput(kind string) bool {
	return kind == "tool_use" || kind == "server_tool_use" || kind == "mcp_tool_use"
}

// opening is the block as content_block_start has it: what comes in deltas is empty.
func opening(block object.Object) object.Object {
	switch kind := block.Text("type"); {
	case kind == "text":
		o := block.With("text", "")
		if o.Has("citations") {
			o.Set("citations", []any{})
		}
		return o
	case kind == "thinking": // the API always has both
		return sorted(block.With("thinking", "", "signature", ""))
	case hasInput(kind):
		return block.With("input", object.Object{})
	}
	return block
}

func sorted(o object.Object) object.Object {
	m := make(map[string]any, len(o))
	for _, member := range o {
		m[member.Name] = member.Value
	}
	v, _ := parse(object.Append(nil, m)).(object.Object)
	return v
}

// deltas calls add with what comes in deltas; a block of another type has none, it is all in its
// opening.
func deltas(block object.Object, chunk int, add func(kind, text string, value any) error) error {
	pieces := func(kind, text string) error {
		start, count := 0, 0
		for i := range text {
			if chunk > 0 && count == chunk {
				if err := add(kind, text[start:i], nil); err != nil {
					return err
				}
				start, count = i, 0
			}
			count++
		}
		if start < len(text) {
			return add(kind, text[start:], nil)
		}
		return nil
	}
	switch kind := block.Text("type"); {
	case kind == "text":
		if err := pieces("text_delta", block.Text("text")); err != nil {
			return err
		}
		for _, c := range block.List("citations") {
			if err := add("citations_delta", "", c); err != nil {
				return err
			}
		}
	case kind == "thinking":
		if err := pieces("thinking_delta", block.Text("thinking")); err != nil {
			return err
		}
		if s := block.Text("signature"); s != "" {
			return add("signature_delta", s, nil)
		}
	case hasInput(kind):
		return pieces("input_json_delta", object.Text(block.Get("input")))
	}
	return nil
}
