package main

import (
	"encoding/json"
	"fmt"
)

// probeThenStruct decodes as most SDKs do: once for the type, once for the struct, with the parts
// that vary kept raw and probed in their turn.
func probeThenStruct(text []byte) (any, error) {
	var probe struct {
		Type    string `json:"type"`
		Subtype string `json:"subtype"`
	}
	if err := json.Unmarshal(text, &probe); err != nil {
		return nil, err
	}
	switch probe.Type {
	case "stream_event":
		var v struct {
			plainEvent
			Event json.RawMessage `json:"event"`
		}
		if err := json.Unmarshal(text, &v); err != nil {
			return nil, err
		}
		var event struct {
			plainAPI
			Delta        json.RawMessage `json:"delta"`
			ContentBlock json.RawMessage `json:"content_block"`
		}
		if err := probeInto(v.Event, &event); err != nil {
			return nil, err
		}
		v.plainEvent.Event = event.plainAPI
		if event.Delta != nil {
			v.plainEvent.Event.Delta = new(plainDelta)
			if err := probeInto(event.Delta, v.plainEvent.Event.Delta); err != nil {
				return nil, err
			}
		}
		if event.ContentBlock != nil {
			v.plainEvent.Event.ContentBlock = new(plainBlock)
			if err := probeInto(event.ContentBlock, v.plainEvent.Event.ContentBlock); err != nil {
				return nil, err
			}
		}
		return &v.plainEvent, nil
	case "assistant", "user":
		var v struct {
			plainUser
			Message struct {
				plainMessage
				Content []json.RawMessage `json:"content"`
			} `json:"message"`
		}
		if err := json.Unmarshal(text, &v); err != nil {
			return nil, err
		}
		v.plainUser.Message = v.Message.plainMessage
		for _, raw := range v.Message.Content {
			var b plainBlock
			if err := probeInto(raw, &b); err != nil {
				return nil, err
			}
			v.plainUser.Message.Content = append(v.plainUser.Message.Content, b)
		}
		return &v.plainUser, nil
	case "control_request":
		var v plainControl[json.RawMessage]
		if err := json.Unmarshal(text, &v); err != nil {
			return nil, err
		}
		var sub struct {
			Subtype string `json:"subtype"`
		}
		if err := json.Unmarshal(v.Request, &sub); err != nil {
			return nil, err
		}
		var body any = new(plainMCP)
		switch sub.Subtype {
		case "can_use_tool":
			body = new(plainAsk)
		case "hook_callback":
			body = new(plainHook)
		}
		return &plainControl[any]{v.Type, v.RequestID, body}, json.Unmarshal(v.Request, body)
	case "control_response":
		v := new(struct {
			Type     string          `json:"type"`
			Response json.RawMessage `json:"response"`
		})
		return v, json.Unmarshal(text, v)
	case "system":
		v := new(plainInit)
		return v, json.Unmarshal(text, v)
	case "result":
		v := new(plainResult)
		return v, json.Unmarshal(text, v)
	}
	return nil, fmt.Errorf("unknown type %q", probe.Type)
}

// probeInto reads the type first, then the value.
func probeInto(raw []byte, v any) error {
	var probe struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(raw, &probe); err != nil {
		return err
	}
	return json.Unmarshal(raw, v)
}

// mapThenConvert decodes into maps and picks the members out of them.
func mapThenConvert(text []byte) (any, error) {
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, err
	}
	switch m["type"] {
	case "stream_event":
		v := &plainEvent{Type: "stream_event", SessionID: str(m, "session_id"), UUID: str(m, "uuid")}
		e := obj(m, "event")
		v.Event.Type = str(e, "type")
		if d := obj(e, "delta"); d != nil {
			text := str(d, "text")
			v.Event.Delta = &plainDelta{Type: str(d, "type"), Text: &text}
		}
		return v, nil
	case "assistant", "user":
		v := &plainUser{Type: str(m, "type"), SessionID: str(m, "session_id"), UUID: str(m, "uuid")}
		msg := obj(m, "message")
		list, _ := msg["content"].([]any)
		for _, b := range list {
			b, _ := b.(map[string]any)
			text := str(b, "text")
			v.Message.Content = append(v.Message.Content, plainBlock{Type: str(b, "type"), Text: &text})
		}
		return v, nil
	}
	return m, nil
}

func str(m map[string]any, name string) string {
	s, _ := m[name].(string)
	return s
}

func obj(m map[string]any, name string) map[string]any {
	o, _ := m[name].(map[string]any)
	return o
}
