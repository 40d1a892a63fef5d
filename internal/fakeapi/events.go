package fakeapi

import (
	"bytes"
	"encoding/json"
	"iter"
	"maps"
)

// event is one server-sent event of a streamed message.
type event struct {
	name string
	data []byte // one line of JSON
	// last says that the content is over: the stop of the last block, or message_delta when there
	// is no block.
	last bool
}

// delta reports whether the event is a piece of a block's content.
func (e event) delta() bool { return e.name == "content_block_delta" }

// events yields the events of m. A delta carries at most chunk characters; 0 means no limit.
func events(m Message, chunk int) iter.Seq[event] {
	return func(yield func(event) bool) {
		if !yield(startEvent(m)) {
			return
		}
		for i, b := range m.Content {
			if !yield(newEvent("content_block_start", "index", i, "content_block", b.opening())) {
				return
			}
			for d := range b.deltas(chunk) {
				if !yield(newEvent("content_block_delta", "index", i, "delta", d)) {
					return
				}
			}
			stop := newEvent("content_block_stop", "index", i)
			stop.last = i == len(m.Content)-1
			if !yield(stop) {
				return
			}
		}
		end := newEvent("message_delta",
			"delta", map[string]any{"stop_reason": m.StopReason, "stop_sequence": m.StopSequence},
			"usage", m.Usage)
		end.last = len(m.Content) == 0
		if yield(end) {
			yield(newEvent("message_stop"))
		}
	}
}

// startEvent opens the message: no content, no stop reason, one output token so far.
func startEvent(m Message) event {
	m.Content, m.StopReason, m.StopSequence = []Block{}, nil, nil
	m.Usage = maps.Clone(m.Usage)
	m.Usage["output_tokens"] = json.RawMessage("1")
	return newEvent("message_start", "message", m)
}

// newEvent makes an event of the name and of pairs of member and value.
func newEvent(name string, pairs ...any) event {
	object := map[string]any{"type": name}
	for i := 0; i < len(pairs); i += 2 {
		object[pairs[i].(string)] = pairs[i+1]
	}
	data, _ := json.Marshal(object) // every value was checked with its script
	return event{name: name, data: data}
}

// opening is the block as content_block_start has it: what comes in deltas is empty.
func (b Block) opening() Block {
	switch {
	case b.str("type") == "text":
		b = b.with("text", quote(""))
		if b["citations"] != nil {
			b["citations"] = json.RawMessage("[]")
		}
		return b
	case b.str("type") == "thinking":
		return b.with("thinking", quote("")).with("signature", quote(""))
	case b.hasInput():
		return b.with("input", json.RawMessage("{}"))
	}
	return b
}

// deltas yields the delta objects of a block; a block of another type has none, it is all in its
// opening.
func (b Block) deltas(chunk int) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		pieces := func(kind, member, text string) bool {
			for p := range split(text, chunk) {
				if !yield(map[string]any{"type": kind, member: p}) {
					return false
				}
			}
			return true
		}
		switch {
		case b.str("type") == "text":
			if !pieces("text_delta", "text", b.str("text")) {
				return
			}
			var citations []json.RawMessage
			_ = json.Unmarshal(b["citations"], &citations) // a list since its script was checked
			for _, c := range citations {
				if !yield(map[string]any{"type": "citations_delta", "citation": c}) {
					return
				}
			}
		case b.str("type") == "thinking":
			if pieces("thinking_delta", "thinking", b.str("thinking")) && b.str("signature") != "" {
				yield(map[string]any{"type": "signature_delta", "signature": b.str("signature")})
			}
		case b.hasInput():
			var compact bytes.Buffer
			_ = json.Compact(&compact, b["input"]) // valid since its script was checked
			pieces("input_json_delta", "partial_json", compact.String())
		}
	}
}

// split yields text in pieces of n characters; the last may be shorter. An empty text has no piece.
func split(text string, n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		start, count := 0, 0
		for i := range text {
			if n > 0 && count == n {
				if !yield(text[start:i]) {
					return
				}
				start, count = i, 0
			}
			count++
		}
		if start < len(text) {
			yield(text[start:])
		}
	}
}
