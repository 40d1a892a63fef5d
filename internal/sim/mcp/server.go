package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/fence"
)

// protocol is the version that the CLI speaks.
const protocol = "2025-11-25"

// The states of a server.
const (
	connected = "connected"
	failed    = "failed"
	needsAuth = "needs-auth"
	pending   = "pending"
	disabled  = "disabled"
)

// tries is how often the handshake is tried, pause what lies between.
const (
	tries = 2
	pause = 20 * time.Millisecond
)

// server is one MCP server.
type server struct {
	set      *Set
	name     string
	config   object.Object
	manifest object.Object      // of a server of the SDK that has told its tools at once
	first    chan struct{}      // closed when the first attempt to connect is over
	shaken   chan struct{}      // closed at the end of the first handshake, if it succeeds
	shake    sync.Once          // closes shaken
	begin    chan chan struct{} // gets what is closed when a server of the SDK was spoken to
	begun    sync.Once

	mu      sync.Mutex // guards the fields below
	state   string
	err     string // why it failed
	session *mcp.ClientSession
	tap     *tap
	pipe    *pipe         // of a server of the SDK
	info    object.Object // serverInfo
	caps    object.Object // capabilities
	tools   []any         // as listed
	prompts []any
	login   *login
	later   bool // mcp_set_servers has set it
}

func (s *server) kind() string {
	if kind := s.config.Text("type"); kind != "" {
		return kind
	}
	return "stdio"
}

// source is where the server comes from.
func (s *server) source() string {
	if s.kind() == "sdk" {
		return "sdk"
	}
	return "dynamic"
}

// connect makes the handshake and lists what the server has.
func (s *server) connect(ctx context.Context) {
	s.change(func() { s.state, s.err = pending, "" })
	var err error
	for try := range tries {
		if try > 0 {
			select {
			case <-time.After(pause):
			case <-ctx.Done():
			}
		}
		if err = s.attempt(ctx); err == nil || s.kind() != "sdk" {
			break
		}
	}
	s.change(func() {
		switch {
		case s.state == disabled: // meanwhile
		case err == nil:
			s.state = connected
		case errors.Is(err, errLogin):
			s.state = needsAuth
		default:
			s.state, s.err = failed, reason(err)
		}
	})
}

// change changes the server under its lock.
func (s *server) change(how func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	how()
}

// attempt is one try to connect.
func (s *server) attempt(ctx context.Context) error {
	transport, err := s.transport()
	if err != nil {
		return err
	}
	t := &tapped{Transport: transport, server: s}
	capabilities := &mcp.ClientCapabilities{}
	if s.kind() != "sdk" {
		capabilities.Elicitation = &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}}
	}
	about := &mcp.Implementation{
		Name: "claude-code", Title: "Claude Code", Description: "Anthropic's agentic coding tool",
		Version: s.set.host.Version, WebsiteURL: "https://claude.com/claude-code",
	}
	if s.set.host.Terse {
		about = &mcp.Implementation{Name: about.Name, Version: about.Version}
	}
	client := mcp.NewClient(about, &mcp.ClientOptions{Capabilities: capabilities, Logger: slog.New(slog.DiscardHandler)})
	session, err := client.Connect(ctx, t, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		if web, ok := transport.(*web); ok {
			err = web.explain(ctx, err)
		}
		return err
	}
	hello := t.tap.taken("initialize")
	s.change(func() {
		s.session, s.tap, s.info, s.caps = session, t.tap, hello.Object("serverInfo"), hello.Object("capabilities")
		if p, ok := transport.(*pipe); ok {
			s.pipe = p
		}
	})
	s.shake.Do(func() { close(s.shaken) })
	return s.list(ctx)
}

// list asks the server what it has.
func (s *server) list(ctx context.Context) error {
	s.mu.Lock()
	session, tap, caps := s.session, s.tap, s.caps
	s.mu.Unlock()
	if caps.Has("tools") {
		if _, err := session.ListTools(ctx, nil); err != nil {
			return err
		}
		tools := tap.taken("tools/list").List("tools")
		s.change(func() { s.tools = tools })
	}
	if caps.Has("prompts") && s.kind() != "sdk" {
		if _, err := session.ListPrompts(ctx, nil); err != nil {
			return err
		}
		prompts := tap.taken("prompts/list").List("prompts")
		s.change(func() { s.prompts = prompts })
	}
	return nil
}

// transport returns the way to the server.
func (s *server) transport() (mcp.Transport, error) {
	switch s.kind() {
	case "sdk":
		p := newPipe(s.set.host, s.name, s.manifest)
		s.begun.Do(func() { s.begin <- p.spoken })
		return p, nil
	case "stdio":
		return s.program()
	case "http", "sse":
		return newWeb(s)
	}
	return nil, fmt.Errorf("unsupported server type: %s", s.kind())
}

// disconnect ends the connection.
func (s *server) disconnect(state string) {
	s.mu.Lock()
	session := s.session
	s.session, s.tap, s.pipe, s.info, s.caps, s.tools, s.prompts = nil, nil, nil, nil, nil, nil, nil
	s.state, s.err = state, ""
	s.mu.Unlock()
	if session != nil {
		_ = session.Close() // it may be gone
	}
}

// asked handles what a server asks or tells, and reports whether that is all.
func (s *server) asked(t *tap, r *jsonrpc.Request) bool {
	var o object.Object
	_ = json.Unmarshal(r.Params, &o) // params of another kind are none
	switch r.Method {
	case "elicitation/create":
		go func() { // ends with the answer, or with the session
			ctx := s.set.ctx
			result, err := s.set.host.Elicit(ctx, s.name, o)
			reply := &jsonrpc.Response{ID: r.ID, Result: object.Append(nil, result)}
			if err != nil {
				reply = &jsonrpc.Response{ID: r.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}}
			}
			_ = t.Connection.Write(ctx, reply) // the server may be gone
		}()
	case "notifications/elicitation/complete":
		s.set.host.Elicited(s.name, o.Text("elicitationId"))
	case "notifications/tools/list_changed", "notifications/prompts/list_changed":
		go func() { // ends with the list, or with the session
			if s.list(s.set.ctx) == nil {
				s.set.host.Changed(s.name)
			}
		}()
	default:
		return false
	}
	return true
}

// reason returns the text of an error as the CLI words it.
func reason(err error) string {
	var rpc *jsonrpc.Error
	switch {
	case errors.As(err, &rpc):
		return rpc.Message
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fence.ErrNotFound):
		return "ENOENT: no such file or directory, posix_spawn 'stdio'"
	case errors.Is(err, mcp.ErrConnectionClosed), strings.HasSuffix(err.Error(), "EOF"):
		return "Connection closed"
	}
	return err.Error()
}
