package brokensdk

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

func (c *client) write(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.lines.WriteLine(text)
}

// request sends a control request and waits for its response.
func (c *client) request(body map[string]any) (json.RawMessage, error) {
	defer c.want()()
	c.mu.Lock()
	if c.done {
		c.mu.Unlock()
		return nil, errors.Join(errors.New("the session has ended"), c.err)
	}
	c.ids++
	id := fmt.Sprintf("req_%d", c.ids)
	w := make(chan response, 1)
	late := c.has("late-slot")
	if !late {
		c.waiting[id] = w
	}
	c.mu.Unlock()
	if err := c.write(map[string]any{"type": "control_request", "request_id": id, "request": body}); err != nil {
		return nil, err
	}
	if late {
		time.Sleep(3 * time.Second)
		c.mu.Lock()
		c.waiting[id] = w
		c.mu.Unlock()
	}
	r := <-w
	return r.body, r.err
}

// NoHandshake is not a bug: an SDK that has nothing to say in a handshake may leave it out.
const NoHandshake = "no-handshake"

// initialize does the handshake.
func (c *client) initialize() error {
	if o := &c.options; c.bug == NoHandshake && o.CanUseTool == nil && len(o.Hooks) == 0 && len(o.MCPServers) == 0 {
		return nil
	}
	body := map[string]any{"subtype": "initialize"}
	hooks := map[string][]any{}
	for i, h := range c.options.Hooks {
		matcher := map[string]any{"hookCallbackIds": []string{fmt.Sprintf("hook_%d", i)}}
		if h.Matcher != "" {
			matcher["matcher"] = h.Matcher
		}
		hooks[h.Event] = append(hooks[h.Event], matcher)
	}
	if len(hooks) > 0 {
		body["hooks"] = hooks
	}
	for _, m := range c.options.MCPServers {
		servers, _ := body["sdkMcpServers"].([]string)
		body["sdkMcpServers"] = append(servers, m.Name)
	}
	if c.has("invented-wire") {
		body["sdk_mcp_servers"], body["supported_commands"] = []string{}, true
	}
	_, err := c.request(body)
	c.mu.Lock()
	c.over["initialize"] = true
	c.mu.Unlock()
	c.unread.Broadcast()
	return err
}

// prompt sends a user message.
func (c *client) prompt(text string) error {
	return c.write(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": text}, "parent_tool_use_id": nil, "session_id": ""})
}

// response ends the request that a response is for.
func (c *client) response(f *frame) {
	id := f.Response.RequestID
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.waiting[id]
	if w == nil {
		if c.over[id] && c.has("duplicate-panics") {
			panic("send on closed channel")
		}
		return
	}
	delete(c.waiting, id)
	c.over[id] = true
	r := response{body: f.Response.Response}
	if f.Response.Subtype == "error" {
		r.err = errors.New(f.Response.Error)
	}
	w <- r
}

// cancel ends a request from the CLI.
func (c *client) cancel(id string) error {
	switch {
	case c.has("cancel-kills"):
		return errors.New("unknown message type control_cancel_request")
	case c.has("cancel-ignored"):
		return nil
	case c.has("cancel-wrong-direction"):
		c.drop(id)
		return nil
	case c.has("invented-acknowledgement"):
		_ = c.write(map[string]any{"type": "cancel_acknowledgment", "request_id": id})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancelled := c.inbound[id]; cancelled != nil {
		delete(c.inbound, id)
		close(cancelled)
	}
	return nil
}

// drop ends one of the SDK's own requests.
func (c *client) drop(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.waiting[id]; w != nil {
		delete(c.waiting, id)
		w <- response{err: errors.New("cancelled")}
	}
}
