package sim

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/calls"
	"github.com/ccwire/ccwire/internal/sim/conversation"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/mcp"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

// mcpState is what a session has of MCP.
type mcpState struct {
	servers    *mcp.Set
	configured object.Object // the servers of --mcp-config
	once       sync.Once     // begins to connect to them
}

// openMCP reads --mcp-config and begins to connect.
func (s *Session) openMCP() error {
	s.mcp.servers = mcp.New(mcp.Host{
		Version: Version, Cwd: s.place.Dir(), Env: s.place.Environ(),
		Send: s.sendMCP, Elicit: s.elicit, Elicited: s.elicited, Changed: func(string) {},
	})
	for _, value := range s.flags.Values("mcp-config") {
		v, err := object.Parse([]byte(value))
		if err != nil {
			path := value
			if !filepath.IsAbs(path) {
				path = filepath.Join(s.place.Dir(), path)
			}
			data, readErr := os.ReadFile(path)
			if readErr != nil {
				return fmt.Errorf("Error: Invalid MCP configuration:\nMCP config file not found: %s", path)
			}
			v, err = object.Parse(data)
		}
		o, ok := v.(object.Object)
		if err != nil || !ok || o.Object("mcpServers") == nil {
			return errors.New("Error: Invalid MCP configuration:\nmcpServers: Does not adhere to MCP server configuration schema")
		}
		s.mcp.configured = append(s.mcp.configured, o.Object("mcpServers")...)
	}
	return nil
}

// connectMCP begins to connect to the servers of the flags, once.
func (s *Session) connectMCP(manifests object.Object) {
	s.mcp.once.Do(func() { s.mcp.servers.Add(s.mcp.configured, manifests) })
}

// mcpReady waits until the MCP servers are connected.
func (s *Session) mcpReady(ctx context.Context) {
	s.connectMCP(nil)
	s.mcp.servers.Wait(ctx)
}

// sendMCP sends a message to a server of the SDK.
func (s *Session) sendMCP(server string, message object.Object) func(context.Context) (mcp.Answer, error) {
	if message.Text("method") == "notifications/cancelled" {
		s.mu.Lock()
		t := s.turn
		s.mu.Unlock()
		if t != nil {
			t.awaitReceipt()
		}
	}
	c, err := s.calls.Send(s.life.Context(), object.Of("subtype", "mcp_message", "server_name", server, "message", message))
	return func(ctx context.Context) (mcp.Answer, error) {
		if err != nil {
			return mcp.Answer{}, err
		}
		body, err := s.calls.Await(ctx, c, false)
		return mcp.Answer{Body: body, Present: body != nil}, err
	}
}

// elicit asks the user what a server wants to know.
func (s *Session) elicit(ctx context.Context, server string, params object.Object) (object.Object, error) {
	s.mu.Lock()
	if s.turn != nil {
		ctx = s.turn.ctx
	}
	s.mu.Unlock()
	request := object.Of("subtype", "elicitation", "mcp_server_name", server, "message", params.Get("message"))
	if params.Text("mode") == "url" {
		request = request.With("mode", "url", "url", params.Get("url"), "elicitation_id", params.Get("elicitationId"))
	} else {
		schema := params.Object("requestedSchema")
		names := []any{}
		for _, m := range schema.Object("properties") {
			names = append(names, m.Name)
		}
		request = request.With("mode", "form", "requested_schema", schema, "property_order", names)
	}
	about := request.Without("subtype", "property_order")
	if answer := s.elicitHook(ctx, "Elicitation", server, about); answer != nil {
		return answer, nil
	}
	answer, err := s.calls.Ask(ctx, request)
	if no := (*calls.Refusal)(nil); errors.As(err, &no) {
		answer = object.Of("action", "cancel")
	} else if err != nil {
		return object.Of("action", "cancel"), nil
	}
	result := object.Of("mcp_server_name", server, "mode", about.Get("mode"), "action", answer.Get("action"), "content", object.If(answer.Has("content"), answer.Get("content")))
	if changed := s.elicitHook(ctx, "ElicitationResult", server, result); changed != nil {
		answer = changed
	}
	s.hooks.Announce("Notification", s.lastOccasion("elicitation_response"), "message", fmt.Sprintf("Elicitation response for server %q: %v", server, answer.Get("action")),
		"notification_type", "elicitation_response")
	return answer, nil
}

// elicitHook calls the hooks of an elicitation. It returns what they answer in the user's place,
// nil if they do not.
func (s *Session) elicitHook(ctx context.Context, event, server string, input object.Object) object.Object {
	s.mu.Lock()
	o := s.turn.when(nil, server)
	s.mu.Unlock()
	v := s.hooks.Call(ctx, event, o, pairs(input)...)
	if !v.Specific.Has("action") {
		return nil
	}
	return object.Of("action", v.Specific.Get("action"), "content", object.If(v.Specific.Has("content"), v.Specific.Get("content")))
}

// elicited tells that a page that the user was sent to is done.
func (s *Session) elicited(server, id string) {
	s.out.Tell("type", "system", "subtype", "elicitation_complete", "mcp_server_name", server, "elicitation_id", id)
}

// mcpMeta is the element of tool_use_meta for a use of a server's tool, nil if it is not one.
func (s *Session) mcpMeta(id, name string) object.Object {
	t, ok := s.mcp.servers.Tool(name)
	if !ok {
		return nil
	}
	return object.Of("id", id, "display_name", t.Title, "server_display_name", t.Server, "tool_name", t.Tool)
}

// useMCP uses a tool of a server, or one of those for resources. It reports false for other tools.
func (s *Session) useMCP(ctx context.Context, u *toolUse) (toolResult, bool) {
	switch u.name {
	case "ListMcpResourcesTool":
		list, err := s.mcp.servers.Resources(ctx, u.input.Text("server"))
		return mcpJSON(u, list, err), true
	case "ReadMcpResourceTool":
		o, err := s.mcp.servers.ReadResource(ctx, u.input.Text("server"), u.input.Text("uri"))
		return mcpJSON(u, o, err), true
	}
	t, ok := s.mcp.servers.Tool(u.name)
	if !ok {
		return toolResult{}, false
	}
	r, err := s.mcp.servers.Call(ctx, t, u.input, u.id)
	if err != nil {
		if ctx.Err() != nil {
			return rejected(u), true
		}
		return badResult(u, err.Error(), "Error: "+err.Error()), true
	}
	if r.IsError {
		text := conversation.Text(r.Content)
		return badResult(u, text+mcpErrorNote, "Error: "+text), true
	}
	content := s.mcpContent(t.Server, r.Content)
	return okResult(u, content, content), true
}

// mcpErrorNote is what the model is told after the error of a server's tool. The CLI has a longer
// text of its own there.
var mcpErrorNote = "\n\n" + strings.Repeat("The tool of the MCP server has returned this text as an error. ", 6)

func mcpJSON(u *toolUse, v any, err error) toolResult {
	if err != nil {
		return badResult(u, err.Error(), "Error: "+err.Error())
	}
	return okResult(u, object.Text(v), v)
}

// mcpContent makes blocks of the API of the content of a result.
func (s *Session) mcpContent(server string, content []any) []any {
	out := []any{}
	for _, v := range content {
		b, _ := v.(object.Object)
		switch b.Text("type") {
		case "image":
			out = append(out, object.Of("type", "image", "source",
				object.Of("type", "base64", "media_type", b.Get("mimeType"), "data", b.Get("data"))))
			if path := s.keepImage(server, b); path != "" {
				out = append(out, object.Of("type", "text", "text", "[Image: source: "+path+"]"))
			}
		case "resource":
			if text, ok := b.Object("resource").Lookup("text"); ok {
				out = append(out, object.Of("type", "text", "text", fmt.Sprintf("[Resource from %s at %s] %v", server, b.Object("resource").Text("uri"), text)))
			}
		case "text":
			out = append(out, object.Of("type", "text", "text", b.Get("text")))
		default:
			out = append(out, object.Of("type", "text", "text", object.Text(b)))
		}
	}
	return out
}

// keepImage writes an image to a file of the session, and returns its path.
func (s *Session) keepImage(server string, b object.Object) string {
	data, err := base64.StdEncoding.DecodeString(b.Text("data"))
	if err != nil {
		return ""
	}
	_, kind, _ := strings.Cut(b.Text("mimeType"), "/")
	if kind == "" || strings.ContainsAny(kind, `/\.`) {
		kind = "bin"
	}
	name := fmt.Sprintf("mcp-%s-blob-%d-%s.%s", workspace.Flat(server), s.start.UnixMilli(), ids.UUID()[:6], kind)
	path := filepath.Join(s.transcript.Folder(), "tool-results", name)
	if os.MkdirAll(filepath.Dir(path), 0o755) != nil || os.WriteFile(path, data, 0o600) != nil {
		return ""
	}
	return path
}

// mcpTools are the names of the tools that servers bring into the session, where tools are the
// others.
func (s *Session) mcpTools(tools []string) []string {
	if s.mcp.servers.HasResources() {
		tools = append(tools, "ListMcpResourcesTool", "ReadMcpResourceTool")
		slices.Sort(tools[1:]) // Task is the first
	}
	for _, t := range s.mcp.servers.Tools() {
		tools = append(tools, t.Name)
	}
	return tools
}

// mcpPrompt returns the text of a server's prompt that the user has named as a command.
func (s *Session) mcpPrompt(ctx context.Context, name, args string) (string, bool) {
	prompts := s.mcp.servers.Prompts()
	i := slices.IndexFunc(prompts, func(p mcp.Prompt) bool { return p.Command == name })
	if i < 0 {
		return "", false
	}
	messages, err := s.mcp.servers.Prompt(ctx, prompts[i], strings.Fields(args))
	if err != nil {
		return "Error: " + err.Error(), true
	}
	var text []string
	for _, m := range messages {
		o, _ := m.(object.Object)
		text = append(text, o.Object("content").Text("text"))
	}
	return strings.Join(text, "\n"), true
}
