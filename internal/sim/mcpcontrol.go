package sim

import (
	"context"
	"fmt"

	"github.com/ccwire/ccwire/internal/object"
)

func init() {
	served := func(serve func(s *Session, ctx context.Context, r object.Object) (any, error)) control {
		return control{slow: true, serve: func(s *Session, ctx context.Context, r object.Object) (reply, error) {
			body, err := serve(s, ctx, r)
			return reply{body: body}, err
		}}
	}
	controls["mcp_status"] = control{serve: func(s *Session, _ context.Context, _ object.Object) (reply, error) {
		return reply{body: s.servers.Status()}, nil
	}}
	controls["mcp_message"] = control{serve: func(s *Session, _ context.Context, r object.Object) (reply, error) {
		return reply{then: func() { s.servers.Message(r.Text("server_name"), r.Object("message")) }}, nil
	}}
	controls["mcp_set_servers"] = served(func(s *Session, ctx context.Context, r object.Object) (any, error) {
		before := len(s.servers.Prompts())
		o, err := s.servers.SetServers(ctx, r.Get("servers"))
		if err == nil && len(s.servers.Prompts()) != before {
			s.out.Tell("type", "system", "subtype", "commands_changed", "commands", s.commands())
		}
		return o, err
	})
	controls["mcp_toggle"] = served(func(s *Session, ctx context.Context, r object.Object) (any, error) {
		return nil, s.servers.Toggle(ctx, r.Text("serverName"), r.Bool("enabled"))
	})
	controls["mcp_reconnect"] = served(func(s *Session, ctx context.Context, r object.Object) (any, error) {
		return nil, s.servers.Reconnect(ctx, r.Text("serverName"))
	})
	controls["mcp_call"] = served(func(s *Session, ctx context.Context, r object.Object) (any, error) {
		return s.servers.CallDirect(ctx, r.Text("tool"), r.Object("arguments"))
	})
	controls["mcp_read_resource"] = served(func(s *Session, ctx context.Context, r object.Object) (any, error) {
		return s.servers.ReadResource(ctx, r.Text("serverName"), r.Text("uri"))
	})
	controls["mcp_authenticate"] = served(func(s *Session, _ context.Context, r object.Object) (any, error) {
		return s.servers.Authenticate(r.Text("serverName"))
	})
	controls["mcp_clear_auth"] = served(func(s *Session, _ context.Context, r object.Object) (any, error) {
		return object.Object{}, s.servers.ClearAuth(r.Text("serverName"))
	})
	controls["mcp_oauth_callback_url"] = served(func(s *Session, _ context.Context, r object.Object) (any, error) {
		return nil, s.servers.OAuthCallback(r.Text("serverName"), r.Text("callbackUrl"))
	})
	controls["channel_enable"] = served(func(s *Session, _ context.Context, r object.Object) (any, error) {
		return nil, s.servers.ChannelEnable(r.Text("serverName"))
	})
	controls["set_mcp_permission_mode_override"] = control{serve: func(s *Session, _ context.Context, r object.Object) (reply, error) {
		return s.overrideMode(r)
	}}
}

// overrideMode serves set_mcp_permission_mode_override: a mode that asks at least as much.
func (s *Session) overrideMode(r object.Object) (reply, error) {
	name := r.Text("serverName")
	switch mode := r.Get("mode"); mode {
	case nil, "default", "auto":
		switch {
		case s.servers.Known(name):
			return reply{body: object.Object{}}, nil
		case mode == nil:
			return reply{body: object.Of("warning", fmt.Sprintf("MCP server '%s' is not known; its stored override was cleared.", name))}, nil
		}
		return reply{body: object.Of("warning", fmt.Sprintf("MCP server '%s' is not yet known; override stored but will not apply until a server with that exact name connects.", name))}, nil
	default:
		return reply{}, &controlError{text: fmt.Sprintf("Permission mode override over the control channel is tighten-only ('default', 'auto', or null); rejected '%v'", mode)}
	}
}
