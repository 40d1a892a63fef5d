package brokensdk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// request is what the SDK looks at in a request from the CLI.
type request struct {
	Subtype     string          `json:"subtype"`
	ToolName    string          `json:"tool_name"`
	Input       json.RawMessage `json:"input"`
	CallbackID  string          `json:"callback_id"`
	Suggestions json.RawMessage `json:"permission_suggestions"`
	WrongKey    json.RawMessage `json:"suggestions"`
	ServerName  string          `json:"server_name"`
	Message     json.RawMessage `json:"message"`
}

// answer answers a request from the CLI.
func (c *client) answer(f *frame, cancelled chan struct{}) {
	defer c.answered()
	defer func() {
		if r := recover(); r != nil && !c.has("panic-silent") {
			c.reply(f, cancelled, nil, fmt.Errorf("the callback failed: %v", r))
		}
	}()
	var r request
	if err := json.Unmarshal(f.Request, &r); err != nil {
		c.reply(f, cancelled, nil, err)
		return
	}
	var body map[string]any
	var err error
	on := c
	if last := c.last(); last != c && c.has("sessions-share-callbacks") {
		on = last
	}
	switch r.Subtype {
	case "can_use_tool":
		body, err = on.permission(&r, cancelled)
	case "hook_callback":
		body, err = on.hook(&r, cancelled)
	case "mcp_message":
		body, err = on.mcp(&r, cancelled)
	default:
		if c.has("silent-on-unknown") {
			return
		}
		err = fmt.Errorf("unsupported request %s", r.Subtype)
	}
	c.reply(f, cancelled, body, err)
}

// reply answers a request, unless it was cancelled or answered before.
func (c *client) reply(f *frame, cancelled chan struct{}, body map[string]any, err error) {
	c.mu.Lock()
	_, open := c.inbound[f.RequestID]
	delete(c.inbound, f.RequestID)
	c.mu.Unlock()
	select {
	case <-cancelled:
		open = false
	default:
	}
	if !open && !c.has("reply-after-cancel") {
		return
	}
	r := map[string]any{"subtype": "success", "request_id": f.RequestID, "response": body}
	if err != nil {
		r = map[string]any{"subtype": "error", "request_id": f.RequestID, "error": err.Error()}
	}
	_ = c.write(map[string]any{"type": "control_response", "response": r}) // the end of the CLI shows elsewhere
}

func (c *client) permission(r *request, cancelled <-chan struct{}) (map[string]any, error) {
	allow := map[string]any{"behavior": "allow", "updatedInput": r.Input}
	deny := func(why string) map[string]any { return map[string]any{"behavior": "deny", "message": why} }
	b := c.options.CanUseTool
	if b == nil {
		if c.has("allow-by-default") {
			return allow, nil
		}
		return deny("nobody can decide"), nil
	}
	suggestions := r.Suggestions
	if suggestions != nil && c.has("suggestions-wrong-key") {
		suggestions = r.WrongKey
	}
	var list []string
	if err := json.Unmarshal(suggestions, &list); suggestions != nil && err != nil && c.has("suggestions-as-strings") {
		return nil, err
	}
	goOn := c.call(b, driver.Report{Kind: "can_use_tool", Name: r.ToolName, Input: r.Input, Suggestions: suggestions}, cancelled)
	switch {
	case !goOn && c.has("nil-allows"):
		return allow, nil
	case !goOn:
		return deny("no decision"), nil
	case b.Do == driver.Deny:
		return deny(b.Message), nil
	}
	if b.UpdatedInput != nil {
		allow["updatedInput"] = b.UpdatedInput
	} else if c.has("allow-without-input") {
		delete(allow, "updatedInput")
	}
	if b.Suggestions {
		key := "updatedPermissions"
		if c.has("permissions-wrong-key") {
			key = "updated_permissions"
		}
		allow[key] = suggestions
	}
	return allow, nil
}

func (c *client) hook(r *request, cancelled <-chan struct{}) (map[string]any, error) {
	i, err := strconv.Atoi(strings.TrimPrefix(r.CallbackID, "hook_"))
	if err != nil || i >= len(c.options.Hooks) {
		return nil, fmt.Errorf("no hook %s", r.CallbackID)
	}
	h := &c.options.Hooks[i]
	if known := knownEvent(r.Input); !bytes.Equal(known, r.Input) && c.has("event-as-another") {
		r.Input = known
	}
	out := map[string]any{}
	if !c.call(&h.Behavior, driver.Report{Kind: "hook", Name: h.Event, Input: r.Input}, cancelled) {
		return out, nil
	}
	if err := json.Unmarshal(h.Behavior.Output, &out); err != nil {
		return nil, err
	}
	if out["continue"] == false && c.has("continue-dropped") {
		delete(out, "continue")
	}
	return out, nil
}

// knownEvent makes the input of a hook with an unknown event one of PreToolUse.
func knownEvent(input json.RawMessage) json.RawMessage {
	var members map[string]any
	if json.Unmarshal(input, &members) != nil {
		return input
	}
	switch members["hook_event_name"] {
	case "PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop":
		return input
	}
	members["hook_event_name"] = "PreToolUse"
	text, _ := json.Marshal(members) // it was JSON
	return text
}
