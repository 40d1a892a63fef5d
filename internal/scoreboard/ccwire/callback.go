package ccwire

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
	"github.com/ccwire/ccwire/transport"
	"github.com/ccwire/ccwire/transport/mcpserver"
)

// configure sets what the options name.
func (d *session) configure(o *transport.Options, c *driver.Options) {
	o.Flags.Model, o.Flags.PermissionMode, o.Flags.Resume = c.Model, c.PermissionMode, c.Resume
	o.Flags.IncludePartialMessages, o.Flags.MaxTurns = c.IncludePartialMessages, c.MaxTurns
	if c.SystemPrompt != "" {
		o.Flags.SystemPrompt = &c.SystemPrompt
	}
	if b := c.CanUseTool; b != nil {
		o.CanUseTool = func(ctx context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
			return d.permission(ctx, b, r)
		}
	}
	for _, h := range c.Hooks {
		if o.Hooks == nil {
			o.Hooks = map[string][]transport.Hook{}
		}
		o.Hooks[h.Event] = append(o.Hooks[h.Event], transport.Hook{Matcher: h.Matcher, Callbacks: []transport.HookFunc{
			func(ctx context.Context, r *wire.HookCallbackRequest) (*wire.HookOutput, error) {
				return d.hook(ctx, &h, r)
			},
		}})
	}
	for _, s := range c.MCPServers {
		if o.MCPServers == nil {
			o.MCPServers = map[string]transport.MCPHandler{}
		}
		o.MCPServers[s.Name] = d.server(&s)
	}
}

// called reports a callback and does what all of them can do. It returns false if the callback
// returns nothing.
func (d *session) called(ctx context.Context, b *driver.Behavior, r driver.Report) (goOn bool, err error) {
	d.mu.Lock()
	d.calls++
	r.Report, r.Call = driver.Callback, d.calls
	d.mu.Unlock()
	d.report(r)
	if b.AfterMS > 0 {
		select {
		case <-time.After(time.Duration(b.AfterMS) * time.Millisecond):
		case <-ctx.Done():
		}
	}
	switch b.Do {
	case driver.Nothing:
		return false, nil
	case driver.Raise:
		panic(b.Message)
	case driver.Hang:
		select {}
	case driver.HangUntilCancelled:
		<-ctx.Done()
		d.report(driver.Report{Report: driver.Cancelled, Call: r.Call})
		return false, ctx.Err()
	}
	return true, nil
}

func (d *session) permission(ctx context.Context, b *driver.Behavior, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
	suggestions, err := json.Marshal(r.PermissionSuggestions)
	if err != nil {
		return nil, err
	}
	goOn, err := d.called(ctx, b, driver.Report{Kind: "can_use_tool", Name: r.ToolName, Input: json.RawMessage(r.Input), Suggestions: suggestions})
	switch {
	case !goOn || err != nil:
		return nil, err
	case b.Do == driver.Deny:
		return &wire.PermissionDeny{Message: b.Message}, nil
	}
	allow := &wire.PermissionAllow{UpdatedInput: wire.Raw(b.UpdatedInput)}
	if b.Suggestions {
		allow.UpdatedPermissions = r.PermissionSuggestions
	}
	return allow, nil
}

func (d *session) hook(ctx context.Context, h *driver.Hook, r *wire.HookCallbackRequest) (*wire.HookOutput, error) {
	input, err := json.Marshal(r.Input)
	if err != nil {
		return nil, err
	}
	goOn, err := d.called(ctx, &h.Behavior, driver.Report{Kind: "hook", Name: h.Event, Input: input})
	if !goOn || err != nil {
		return nil, err
	}
	out := &wire.HookOutput{}
	return out, json.Unmarshal(h.Behavior.Output, out)
}

type text struct {
	Text string `json:"text"`
}

func (d *session) server(s *driver.Server) transport.MCPHandler {
	server := mcp.NewServer(&mcp.Implementation{Name: s.Name, Version: "1.0.0"}, nil)
	for _, t := range s.Tools {
		mcp.AddTool(server, &mcp.Tool{Name: t.Name, Description: "a tool of the driver"},
			func(ctx context.Context, _ *mcp.CallToolRequest, in text) (*mcp.CallToolResult, any, error) {
				input, err := json.Marshal(in)
				if err != nil {
					return nil, nil, err
				}
				goOn, err := d.called(ctx, &t.Behavior, driver.Report{Kind: "mcp_tool", Name: t.Name, Input: input})
				if err != nil || !goOn {
					return nil, nil, errors.Join(err, errors.New("the tool gives no result"))
				}
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "echo: " + in.Text}}}, nil, nil
			})
	}
	return mcpserver.New(server, nil)
}
