package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// Status returns the reply to mcp_status.
func (s *Set) Status() object.Object {
	list := []any{}
	for _, n := range s.listed() {
		n.mu.Lock()
		if n.kind() != "sdk" || n.state != pending {
			list = append(list, n.statusLocked())
		}
		n.mu.Unlock()
	}
	return object.Of("mcpServers", list)
}

func (s *server) statusLocked() object.Object {
	var tools []any
	for _, v := range s.tools {
		spec, _ := v.(object.Object)
		notes := object.Object{}
		for _, hint := range [][2]string{{"readOnlyHint", "readOnly"}, {"destructiveHint", "destructive"}, {"openWorldHint", "openWorld"}} {
			if v, ok := spec.Object("annotations").Lookup(hint[0]); ok {
				notes.Set(hint[1], v)
			}
		}
		tools = append(tools, object.Of("name", spec.Get("name"), "annotations", notes))
	}
	return object.Of(
		"name", s.name, "status", s.state,
		"serverInfo", object.If(s.info != nil, named(s.info)),
		"error", object.If(s.err != "" && s.kind() != "sdk", s.err),
		"config", object.If(s.kind() != "sdk", s.told()),
		"transport", s.kind(), "scope", "dynamic", "source", s.source(),
		"tools", object.If(s.state == connected && s.caps.Has("tools"), tools))
}

// told is the configuration of a server with what it has by default, if it is read at the start.
func (s *server) told() object.Object {
	config := s.config.With("type", s.kind())
	if s.kind() == "stdio" && !config.Has("args") && !s.later {
		config = config.With("args", []any{})
	}
	return config
}

// Init returns the list of servers of system/init.
func (s *Set) Init() []any {
	list := []any{}
	for _, n := range s.listed() {
		n.mu.Lock()
		list = append(list, object.Of("name", n.name, "status", n.state, "source", n.source()))
		n.mu.Unlock()
	}
	return list
}

// States returns the states of the servers by their names, but for those of the SDK.
func (s *Set) States() map[string]string {
	states := map[string]string{}
	for _, n := range s.all() {
		n.mu.Lock()
		if n.kind() != "sdk" {
			states[n.name] = n.state
		}
		n.mu.Unlock()
	}
	return states
}

// SetServers does mcp_set_servers: the servers that it set before are replaced. It returns the
// reply, before servers of the SDK have listed their tools.
func (s *Set) SetServers(ctx context.Context, servers any) (reply object.Object, err error) {
	wanted, ok := servers.(object.Object)
	for _, m := range wanted {
		_, isObject := m.Value.(object.Object)
		ok = ok && isObject
	}
	if !ok {
		return nil, errors.New("mcp_set_servers: servers must be an object of config objects")
	}
	added, removed, failures := []any{}, []any{}, object.Object{}
	for _, n := range s.all() {
		if config, kept := wanted.Lookup(n.name); s.isDynamic(n.name) && (!kept || object.Text(config) != object.Text(n.config)) {
			s.remove(n)
			removed = append(removed, n.name)
		}
	}
	var fresh []*server
	for _, m := range wanted {
		if s.find(m.Name) == nil {
			n := s.add(m.Name, m.Value.(object.Object), nil)
			n.change(func() { n.later = true })
			fresh = append(fresh, n)
			added = append(added, m.Name)
		}
		s.mu.Lock()
		s.dynamic[m.Name] = true
		s.mu.Unlock()
	}
	for _, n := range fresh {
		ready := n.first
		if n.kind() == "sdk" {
			ready = n.shaken
		}
		select {
		case <-ready:
		case <-n.first:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		n.mu.Lock()
		if n.state == failed {
			failures.Set(n.name, n.err)
		}
		n.mu.Unlock()
	}
	return object.Of("added", added, "removed", removed, "errors", failures), nil
}

func (s *Set) isDynamic(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dynamic[name]
}

func (s *Set) remove(n *server) {
	s.mu.Lock()
	for i, other := range s.servers {
		if other == n {
			s.servers = append(s.servers[:i:i], s.servers[i+1:]...)
			break
		}
	}
	delete(s.dynamic, n.name)
	s.mu.Unlock()
	n.disconnect(disabled)
}

// Toggle does mcp_toggle.
func (s *Set) Toggle(ctx context.Context, name string, on bool) error {
	n := s.find(name)
	if n == nil {
		return notFoundError(name)
	}
	n.mu.Lock()
	off := n.state == disabled
	n.mu.Unlock()
	if on && !off && n.kind() == "sdk" {
		return nil
	}
	n.disconnect(disabled)
	if on {
		n.connect(ctx)
	}
	return nil
}

// Reconnect does mcp_reconnect.
func (s *Set) Reconnect(ctx context.Context, name string) error {
	n := s.find(name)
	switch {
	case n == nil:
		return notFoundError(name)
	case n.kind() == "sdk":
		return said("SDK servers should be handled in print.ts")
	}
	n.disconnect(pending)
	n.connect(ctx)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.state == failed {
		return errors.New(n.err)
	}
	return nil
}

// CallDirect does mcp_call. It returns the reply.
func (s *Set) CallDirect(ctx context.Context, tool string, arguments object.Object) (object.Object, error) {
	t, ok := s.Tool(tool)
	if !ok {
		var err error
		if t, err = s.unlisted(tool); err != nil {
			return nil, err
		}
	}
	if t.Source == "sdk" {
		return nil, said(fmt.Sprintf("mcp_call does not support SDK MCP servers. SDK servers are caller-provided — invoke %s directly.", t.Server))
	}
	r, err := s.Call(ctx, t, arguments, "")
	if err != nil {
		return nil, err
	}
	return r.Whole, nil
}

// unlisted is a tool that its server has not listed: the server may have it all the same.
func (s *Set) unlisted(name string) (Tool, error) {
	rest, ok := strings.CutPrefix(name, "mcp__")
	server, tool, parted := strings.Cut(rest, "__")
	if !ok || !parted {
		return Tool{}, said(fmt.Sprintf("Tool not found: %s", name))
	}
	for _, n := range s.all() {
		n.mu.Lock()
		found := plain(n.name) == server && (n.state == connected || n.kind() == "sdk")
		n.mu.Unlock()
		if found {
			return Tool{Name: name, Server: n.name, Source: n.source(), Tool: tool}, nil
		}
	}
	return Tool{}, said(fmt.Sprintf("MCP server not connected: %s", server))
}

// Authenticate does mcp_authenticate: it begins a login. It returns the reply.
func (s *Set) Authenticate(name string) (object.Object, error) {
	n := s.find(name)
	switch {
	case n == nil:
		return nil, notFoundError(name)
	case n.kind() != "http" && n.kind() != "sse":
		return nil, said(fmt.Sprintf("Server type %q does not support OAuth authentication", n.kind()))
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.login == nil {
		return object.Of("requiresUserAction", false), nil
	}
	const port = 49152 // where a CLI would wait for the user's browser
	page := n.login.begin(fmt.Sprintf("http://localhost:%d/callback", port))
	return object.Of("authUrl", page, "requiresUserAction", true, "callbackExpected", true,
		"redirectScheme", "localhost", "state", n.login.state, "callbackPort", port), nil
}

// ClearAuth does mcp_clear_auth.
func (s *Set) ClearAuth(name string) error {
	n := s.find(name)
	if n == nil {
		return notFoundError(name)
	}
	if n.kind() != "http" && n.kind() != "sse" {
		return said(fmt.Sprintf("Cannot clear auth for server type %q", n.kind()))
	}
	n.change(func() {
		if n.login != nil {
			n.login.state = ""
		}
	})
	return nil
}

// OAuthCallback does mcp_oauth_callback_url. A login never succeeds: there is nobody to log in.
func (s *Set) OAuthCallback(name, callback string) error {
	n := s.find(name)
	if n != nil {
		n.mu.Lock()
		defer n.mu.Unlock()
	}
	if n == nil || n.login == nil || n.login.state == "" {
		return said(fmt.Sprintf("No active OAuth flow for server: %s", name))
	}
	u, err := url.Parse(callback)
	if err != nil || u.Query().Get("state") != n.login.state || !strings.Contains(callback, "code=") {
		return said("Callback URL not accepted: it belongs to a different sign-in attempt (OAuth state mismatch) or carries no authorization code. " +
			"The sign-in in progress is still waiting; submit the redirect URL from its own browser page.")
	}
	n.login.state = ""
	return errors.New("the simulated CLI cannot log in")
}

// ChannelEnable does channel_enable.
func (s *Set) ChannelEnable(name string) error {
	_, err := s.connection(name)
	if err != nil {
		return fmt.Errorf("server %s is not connected", name)
	}
	return fmt.Errorf("server %s has no channel", name)
}

// named is what a server says of itself, in the order in which the CLI tells it.
func named(info object.Object) (ordered object.Object) {
	for _, name := range []string{"name", "title", "version", "websiteUrl"} {
		if info.Has(name) {
			ordered.Set(name, info.Get(name))
		}
	}
	return ordered
}
