package after

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/ccwire/ccwire/gen/wire"
)

//doc:serve

// serve answers a request, unless the CLI takes it back.
func (c *Client) serve(ctx context.Context, f *wire.ControlRequest) {
	answer := f.Answer(wire.Dispatch(ctx, handler{c: c}, f.Request))
	if !c.finish(f.RequestID) {
		return
	}
	if err := c.send(answer); err != nil {
		c.report(err)
	}
}

// finish ends the callback of a request, and reports whether it was still wanted.
func (c *Client) finish(id string) bool {
	c.mu.Lock()
	cancel := c.serving[id]
	delete(c.serving, id)
	c.mu.Unlock()
	if cancel == nil {
		return false
	}
	cancel()
	return true
}

//doc:end

//doc:handler

// handler serves the requests of the CLI; all that it has no method for are refused.
type handler struct {
	wire.BaseHandler
	c *Client
}

// CanUseTool implements wire.Handler.
func (h handler) CanUseTool(ctx context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
	if h.c.options.CanUseTool == nil {
		return r.Deny("nobody decides about tools"), nil
	}
	input, err := r.Input.Map()
	if err != nil {
		return nil, err
	}
	permission, err := h.c.options.CanUseTool(ctx, r.ToolName, input)
	switch {
	case err != nil:
		return nil, err
	case !permission.Allow:
		return r.Deny(permission.Message), nil
	case permission.UpdatedInput == nil:
		return r.Allow(), nil
	}
	updated, err := json.Marshal(permission.UpdatedInput)
	return &wire.PermissionAllow{UpdatedInput: updated}, err
}

//doc:end

//doc:hook

// HookCallback implements wire.Handler.
func (h handler) HookCallback(ctx context.Context, r *wire.HookCallbackRequest) (*wire.HookOutput, error) {
	h.c.mu.Lock()
	hook := h.c.hooks[r.CallbackID]
	h.c.mu.Unlock()
	if hook == nil {
		return nil, fmt.Errorf("no hook %q", r.CallbackID)
	}
	var c converter
	input := c.encoded(r.Input)
	if c.err != nil {
		return nil, c.err
	}
	output, err := hook(ctx, input)
	if err != nil {
		return nil, err
	}
	if output == nil {
		return &wire.HookOutput{}, nil
	}
	text, err := json.Marshal(output)
	if err != nil {
		return nil, err
	}
	answer := new(wire.HookOutput)
	return answer, answer.UnmarshalJSON(text)
}

//doc:end

//doc:mcp

// MCPMessage implements wire.Handler.
func (h handler) MCPMessage(ctx context.Context, r *wire.MCPMessageRequest) (*wire.MCPMessageResponse, error) {
	server := h.c.options.MCP[r.ServerName]
	if server == nil {
		return nil, fmt.Errorf("no MCP server %q", r.ServerName)
	}
	message, err := r.TypedMessage()
	if err != nil {
		return nil, err
	}
	params, err := message.Params.Map()
	if err != nil {
		return nil, err
	}
	return message.Answer(server.Call(ctx, wire.Value(message.Method), params)), nil
}

//doc:end
