package requests

import (
	"context"
	"fmt"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/control"
)

// mcpServers serves the requests about MCP servers.
type mcpServers struct{ *Parts }

// served makes a handler of a function that takes long and returns the body of a reply.
func served(serve func(ctx context.Context, r object.Object) (any, error)) control.Handler {
	return control.Handler{Slow: slow, Serve: func(ctx context.Context, r object.Object) (control.Reply, error) {
		body, err := serve(ctx, r)
		return control.Reply{Body: body}, err
	}}
}

func (s mcpServers) handlers() handlers {
	return handlers{
		"mcp_status": {Serve: func(_ context.Context, _ object.Object) (control.Reply, error) {
			return control.Reply{Body: s.Servers.Status()}, nil
		}},
		"mcp_message": {Serve: func(_ context.Context, r object.Object) (control.Reply, error) {
			return control.Reply{Then: func() { s.Servers.Message(r.Text("server_name"), r.Object("message")) }}, nil
		}},
		"mcp_set_servers": served(func(ctx context.Context, r object.Object) (any, error) {
			before := len(s.Servers.Prompts())
			o, err := s.Servers.SetServers(ctx, r.Get("servers"))
			if err == nil && len(s.Servers.Prompts()) != before {
				s.Out.Tell("type", "system", "subtype", "commands_changed", "commands", s.commands())
			}
			return o, err
		}),
		"mcp_toggle": served(func(ctx context.Context, r object.Object) (any, error) {
			return nil, s.Servers.Toggle(ctx, r.Text("serverName"), r.Bool("enabled"))
		}),
		"mcp_reconnect": served(func(ctx context.Context, r object.Object) (any, error) {
			return nil, s.Servers.Reconnect(ctx, r.Text("serverName"))
		}),
		"mcp_call": served(func(ctx context.Context, r object.Object) (any, error) {
			return s.Servers.CallDirect(ctx, r.Text("tool"), r.Object("arguments"))
		}),
		"mcp_read_resource": served(func(ctx context.Context, r object.Object) (any, error) {
			return s.Servers.ReadResource(ctx, r.Text("serverName"), r.Text("uri"))
		}),
		"mcp_authenticate": served(func(_ context.Context, r object.Object) (any, error) {
			return s.Servers.Authenticate(r.Text("serverName"))
		}),
		"mcp_clear_auth": served(func(_ context.Context, r object.Object) (any, error) {
			return object.Object{}, s.Servers.ClearAuth(r.Text("serverName"))
		}),
		"mcp_oauth_callback_url": served(func(_ context.Context, r object.Object) (any, error) {
			return nil, s.Servers.OAuthCallback(r.Text("serverName"), r.Text("callbackUrl"))
		}),
		"channel_enable": served(func(_ context.Context, r object.Object) (any, error) {
			return nil, s.Servers.ChannelEnable(r.Text("serverName"))
		}),
		"set_mcp_permission_mode_override": {Serve: func(_ context.Context, r object.Object) (control.Reply, error) {
			return s.overrideMode(r)
		}},
	}
}

// overrideMode serves set_mcp_permission_mode_override: a mode that asks at least as much.
func (s mcpServers) overrideMode(r object.Object) (control.Reply, error) {
	name := r.Text("serverName")
	switch mode := r.Get("mode"); mode {
	case nil, "default", "auto":
		switch {
		case s.Servers.Known(name):
			return control.Reply{}, nil
		case mode == nil:
			return control.Reply{Body: object.Of("warning", fmt.Sprintf("MCP server '%s' is not known; its stored override was cleared.", name))}, nil
		}
		return control.Reply{Body: object.Of("warning", fmt.Sprintf("MCP server '%s' is not yet known; override stored but will not apply until a server with that exact name connects.", name))}, nil
	default:
		return control.Reply{}, &control.Error{Text: fmt.Sprintf("Permission mode override over the control channel is tighten-only ('default', 'auto', or null); rejected '%v'", mode)}
	}
}
