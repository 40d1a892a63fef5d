package ccwire

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ccwire/ccwire/conformance/driver"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport"
	"github.com/ccwire/ccwire/transport/mcpserver"
)

type decide = func(context.Context, driver.PermissionRequest) (*driver.Decision, error)

func permission(ctx context.Context, decide decide, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
	suggestions, err := json.Marshal(r.PermissionSuggestions)
	if err != nil {
		return nil, err
	}
	d, err := decide(ctx, driver.PermissionRequest{Tool: r.ToolName, Input: json.RawMessage(r.Input), Suggestions: suggestions})
	switch {
	case err != nil || d == nil:
		return nil, err
	case !d.Allow:
		return &wire.PermissionDeny{Message: d.Message}, nil
	}
	answer, err := json.Marshal(map[string]any{"behavior": "allow", "updatedPermissions": d.UpdatedPermissions})
	if d.UpdatedPermissions == nil || err != nil {
		return &wire.PermissionAllow{UpdatedInput: wire.Raw(d.UpdatedInput)}, err
	}
	allow := &wire.PermissionAllow{}
	err = json.Unmarshal(answer, allow)
	allow.UpdatedInput = wire.Raw(d.UpdatedInput)
	return allow, err
}

func hook(h *driver.Hook) transport.HookFunc {
	return func(ctx context.Context, r *wire.HookCallbackRequest) (*wire.HookOutput, error) {
		input, err := json.Marshal(r.Input)
		if err != nil {
			return nil, err
		}
		output, err := h.Call(ctx, input)
		if err != nil || output == nil {
			return nil, err
		}
		out := &wire.HookOutput{}
		return out, json.Unmarshal(output, out)
	}
}

type text struct {
	Text string `json:"text"`
}

func server(s *driver.MCPServer) transport.MCPServer {
	server := mcp.NewServer(&mcp.Implementation{Name: s.Name, Version: "1.0.0"}, nil)
	for _, t := range s.Tools {
		mcp.AddTool(server, &mcp.Tool{Name: t.Name, Description: "a tool of the driver"},
			func(ctx context.Context, _ *mcp.CallToolRequest, in text) (*mcp.CallToolResult, any, error) {
				said, err := t.Call(ctx, in.Text)
				if err != nil {
					return nil, nil, err
				}
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}}, nil, nil
			})
	}
	return mcpserver.New(server, nil)
}
