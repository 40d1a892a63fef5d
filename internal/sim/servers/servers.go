// Package servers connects a session with its MCP servers: it reads which there are, carries
// messages to those of the SDK, asks the user what a server wants to know, and uses their tools.
package servers

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/calls"
	"github.com/ccwire/ccwire/internal/sim/fence"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/life"
	"github.com/ccwire/ccwire/internal/sim/mcp"
	"github.com/ccwire/ccwire/internal/sim/output"
)

// Options are what the servers of a session are made with.
type Options struct {
	Dir    string
	Fence  *fence.Fence // behind which programs run
	Config []string     // values of the flag --mcp-config

	Out   *output.Session
	Calls *calls.Calls
	Hooks *hooks.Caller
	Life  *life.Life
	Turns Turns
	// Folder returns where the session keeps what belongs to it.
	Folder func() string
}

// Turns knows the turn that is being played.
type Turns interface {
	// Context is that of the turn, or the other one if none is played.
	Context(otherwise context.Context) context.Context
	// Occasion is that of an event in the turn, LastOccasion that of one which is not bound to it.
	Occasion(name string) hooks.Occasion
	LastOccasion(name string) hooks.Occasion
	// Asks is called before a question to the user, and Answered after its answer.
	Asks()
	Answered()
	// AwaitReceipt waits until the reply to an interrupt of the turn was written.
	AwaitReceipt()
}

// Servers are the MCP servers of a session.
type Servers struct {
	*mcp.Set
	Options
	configured object.Object // the servers of the flags
	once       sync.Once     // begins to connect to them

	mu    sync.Mutex      // guards known
	known map[string]bool // the tools whose input the model was told of
}

// Explain notes that the model is told of the input of a tool. It reports false if it was before.
func (s *Servers) Explain(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known[name] {
		return false
	}
	if s.known == nil {
		s.known = map[string]bool{}
	}
	s.known[name] = true
	return true
}

// Connect begins to connect to the servers of the flags, once. manifests has what servers of the
// SDK have told of themselves.
func (s *Servers) Connect(manifests object.Object) {
	s.once.Do(func() { s.Add(s.configured, manifests) })
}

// Ready waits until the servers are connected.
func (s *Servers) Ready(ctx context.Context) {
	s.Connect(nil)
	s.Wait(ctx)
}

// send sends a message to a server of the SDK.
func (s *Servers) send(server string, message object.Object) func(context.Context) (mcp.Answer, error) {
	if message.Text("method") == "notifications/cancelled" {
		s.Turns.AwaitReceipt()
	}
	c, err := s.Calls.Send(s.Life.Context(), object.Of("subtype", "mcp_message", "server_name", server, "message", message))
	return func(ctx context.Context) (mcp.Answer, error) {
		if err != nil {
			return mcp.Answer{}, err
		}
		body, err := s.Calls.Await(ctx, c, false)
		return mcp.Answer{Body: body, Present: body != nil}, err
	}
}

// Names adds the names of the tools that servers bring into the session to those of the others.
func (s *Servers) Names(tools []string) []string {
	if s.HasResources() {
		tools = append(tools, "ListMcpResourcesTool", "ReadMcpResourceTool")
		slices.Sort(tools[1:]) // Task is the first
	}
	for _, t := range s.Tools() {
		tools = append(tools, t.Name)
	}
	return tools
}

// Meta is the member tool_use_meta for a use of a tool, Absent if it is not a server's. A rule may
// have taken the tool away: then it is not there.
func (s *Servers) Meta(id, name string, there bool) any {
	t, ok := s.Tool(name)
	if !ok || !there {
		if parts := strings.SplitN(name, "__", 3); len(parts) == 3 && parts[0] == "mcp" {
			return []any{object.Of("id", id, "display_name", mcp.Title(parts[2]))}
		}
		return object.Absent
	}
	return []any{object.Of("id", id, "display_name", t.Title, "server_display_name", t.Host, "tool_name", t.Tool)}
}

// Of is the member mcp_server for a tool, Absent if it is not a server's.
func (s *Servers) Of(name string) any {
	t, ok := s.Tool(name)
	if !ok {
		return object.Absent
	}
	return object.Of("name", t.Server, "source", t.Source)
}

// Title is the name of a tool for those who are asked whether it may be used. What a server calls
// it is not in it.
func (s *Servers) Title(name string) string {
	if _, ok := s.Tool(name); ok {
		return mcp.Title(name)
	}
	return name
}

// Command returns the text of a server's prompt that the user has named as a command, and whether
// there is one.
func (s *Servers) Command(ctx context.Context, name, args string) (string, bool) {
	prompts := s.Prompts()
	i := slices.IndexFunc(prompts, func(p mcp.Prompt) bool { return p.Command == name })
	if i < 0 {
		return "", false
	}
	messages, err := s.Prompt(ctx, prompts[i], strings.Fields(args))
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
