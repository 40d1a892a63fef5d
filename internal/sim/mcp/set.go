package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/ccwire/ccwire/internal/object"
)

// Set has the servers of a session. Its methods may be called from several goroutines.
type Set struct {
	host *Host
	ctx  context.Context // ends when the set is closed
	end  context.CancelFunc

	mu      sync.Mutex // guards the fields below
	servers []*server
	dynamic map[string]bool // those that mcp_set_servers replaces
}

// New returns a set without servers.
func New(h Host) *Set {
	ctx, end := context.WithCancel(context.Background())
	return &Set{host: &h, ctx: ctx, end: end, dynamic: map[string]bool{}}
}

// Add adds servers, the members of an object by name, and begins to connect to them. What is there
// under its name already stays. manifests has what servers of the SDK have told of themselves.
func (s *Set) Add(servers, manifests object.Object) {
	for _, m := range servers {
		config, _ := m.Value.(object.Object)
		s.add(m.Name, config, manifests.Object(m.Name))
	}
}

// AddSDK adds servers of the SDK by their names.
func (s *Set) AddSDK(names []string, manifests object.Object) {
	for _, name := range names {
		s.add(name, object.Of("type", "sdk", "name", name), manifests.Object(name))
		s.mu.Lock()
		s.dynamic[name] = true
		s.mu.Unlock()
	}
}

func (s *Set) add(name string, config, manifest object.Object) *server {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.findLocked(name); old != nil {
		return old
	}
	n := &server{set: s, name: name, config: config, manifest: manifest, first: make(chan struct{}), shaken: make(chan struct{}), begin: make(chan chan struct{}, 1), state: pending}
	s.servers = append(s.servers, n)
	go func() { // ends with the handshake, or with the set
		defer close(n.first)
		n.connect(s.ctx)
	}()
	if n.kind() == "sdk" { // the first message is written before Add returns
		select {
		case <-<-n.begin:
		case <-n.first:
		}
	}
	return n
}

func (s *Set) findLocked(name string) *server {
	if i := slices.IndexFunc(s.servers, func(n *server) bool { return n.name == name }); i >= 0 {
		return s.servers[i]
	}
	return nil
}

func (s *Set) find(name string) *server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.findLocked(name)
}

func (s *Set) all() []*server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.servers)
}

// listed returns the servers as lists have them: those of the CLI's start, those of the SDK, and
// those that were set later.
func (s *Set) listed() []*server {
	s.mu.Lock()
	defer s.mu.Unlock()
	place := func(n *server) int {
		switch {
		case n.kind() == "sdk":
			return 1
		case s.dynamic[n.name]:
			return 2
		}
		return 0
	}
	list := slices.Clone(s.servers)
	slices.SortStableFunc(list, func(a, b *server) int { return cmp.Compare(place(a), place(b)) })
	return list
}

// Wait waits until no server is about to connect for the first time.
func (s *Set) Wait(ctx context.Context) {
	for _, n := range s.all() {
		select {
		case <-n.first:
		case <-ctx.Done():
			return
		}
	}
}

// Close ends all servers.
func (s *Set) Close() {
	s.end()
	var wait sync.WaitGroup
	for _, n := range s.all() {
		wait.Go(func() { n.disconnect(disabled) })
	}
	wait.Wait()
}

// plain makes a name of what a name of a tool may hold.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
}

// Tools returns the tools of all servers that are connected.
func (s *Set) Tools() []Tool {
	var tools []Tool
	for _, n := range s.all() {
		n.mu.Lock()
		for _, v := range n.tools {
			spec, _ := v.(object.Object)
			name := spec.Text("name")
			notes := spec.Object("annotations")
			tools = append(tools, Tool{
				Name: "mcp__" + plain(n.name) + "__" + plain(name), Server: n.name, Source: n.source(), Tool: name,
				Host:  cmp.Or(n.info.Text("title"), n.info.Text("name"), n.name),
				Title: cmp.Or(notes.Text("title"), Title(plain(name))), ReadOnly: notes.Bool("readOnlyHint"), Spec: spec,
			})
		}
		n.mu.Unlock()
	}
	return tools
}

// Title makes a title for people of the name of a tool: the words after the last "__" of it.
func Title(name string) string {
	name = name[strings.LastIndex("__"+name, "__"):]
	word := false
	return strings.Map(func(r rune) rune {
		within := word
		word = unicode.IsLetter(r) || unicode.IsDigit(r)
		switch {
		case r == '_':
			return ' '
		case !within:
			return unicode.ToUpper(r)
		}
		return r
	}, name)
}

// Tool returns the tool with a name of the form mcp__SERVER__TOOL.
func (s *Set) Tool(name string) (Tool, bool) {
	tools := s.Tools()
	if i := slices.IndexFunc(tools, func(t Tool) bool { return t.Name == name }); i >= 0 {
		return tools[i], true
	}
	return Tool{}, false
}

// HasResources reports whether a server that is connected has resources.
func (s *Set) HasResources() bool {
	return slices.ContainsFunc(s.all(), func(n *server) bool {
		n.mu.Lock()
		defer n.mu.Unlock()
		return n.caps.Has("resources")
	})
}

// Prompt is a prompt that a server offers as a command.
type Prompt struct {
	Command     string // mcp__SERVER__PROMPT
	Server      string
	Name        string
	Description string
	Arguments   []string // names
}

// Prompts returns the prompts of all servers that are connected.
func (s *Set) Prompts() []Prompt {
	var prompts []Prompt
	for _, n := range s.all() {
		n.mu.Lock()
		for _, v := range n.prompts {
			spec, _ := v.(object.Object)
			p := Prompt{Server: n.name, Name: spec.Text("name"), Description: spec.Text("description")}
			p.Command = "mcp__" + plain(n.name) + "__" + p.Name
			for _, a := range spec.List("arguments") {
				if a, ok := a.(object.Object); ok {
					p.Arguments = append(p.Arguments, a.Text("name"))
				}
			}
			prompts = append(prompts, p)
		}
		n.mu.Unlock()
	}
	return prompts
}

// Message takes a message that a server of the SDK sends. What is for nobody is dropped.
func (s *Set) Message(name string, message object.Object) {
	n := s.find(name)
	if n == nil {
		return
	}
	n.mu.Lock()
	p := n.pipe
	n.mu.Unlock()
	if p == nil {
		return
	}
	if message.Has("id") && message.Has("method") && message.Get("method") != "ping" {
		s.host.Send(name, object.Of("jsonrpc", "2.0", "id", message.Get("id"), "error", object.Of("code", -32601, "message", "Method not found")))
		return
	}
	m, err := jsonrpc.DecodeMessage(object.Append(nil, message))
	if _, ok := m.(*jsonrpc.Request); err == nil && ok {
		p.deliver(m)
	}
}

// notFoundError says that there is no server of that name.
type notFoundError string

func (e notFoundError) Error() string { return "Server not found: " + string(e) }

// connection returns a server that is connected.
func (s *Set) connection(name string) (*server, error) {
	n := s.find(name)
	if n == nil {
		return nil, notFoundError(name)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.session == nil {
		return nil, fmt.Errorf("server %s is not connected", name)
	}
	return n, nil
}

// Known reports whether there is a server of that name.
func (s *Set) Known(name string) bool { return s.find(name) != nil }

// said is an error in the CLI's words.
type said string

func (e said) Error() string { return string(e) }
