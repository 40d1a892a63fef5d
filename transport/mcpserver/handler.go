package mcpserver

import (
	"context"
	"log/slog"
	"sync"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/transport"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options configure a [Handler]. Nil and the zero value work.
type Options struct {
	// Logger gets panics of tools and messages that were dropped. Default: [slog.Default].
	Logger *slog.Logger
}

// Handler is an MCP server for [transport.Options.MCPServers]. Any number of sessions can use it,
// one after the other and at the same time: each has connections to the server of its own.
type Handler struct {
	server *mcp.Server
	log    *slog.Logger

	mu       sync.Mutex // guards sessions; held before that of a session
	sessions map[*session]struct{}
}

var _ transport.MCPServer = (*Handler)(nil)

// New makes a handler for a server.
func New(server *mcp.Server, opts *Options) *Handler {
	h := &Handler{server: server, log: slog.Default(), sessions: map[*session]struct{}{}}
	if opts != nil && opts.Logger != nil {
		h.log = opts.Logger
	}
	guard(server)
	return h
}

// ConnectMCP implements [transport.MCPServer].
func (h *Handler) ConnectMCP(ctx context.Context, send func(context.Context, codec.Raw) error) transport.MCPHandler {
	s := newSession(ctx, h, send)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sessions[s] = struct{}{}
	context.AfterFunc(ctx, func() { h.forget(s) })
	return s
}

// forget forgets a session of which nothing is left.
func (h *Handler) forget(s *session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.over() {
		delete(h.sessions, s)
	}
}

// Close ends the connections of all sessions that there are and waits until all tools have
// returned. The end of a session of the transport does the former by itself. A tool must not call
// it.
func (h *Handler) Close() {
	h.mu.Lock()
	var live []*connection
	for s := range h.sessions {
		live = append(live, s.close()...)
	}
	h.mu.Unlock()
	for _, c := range live {
		<-c.done
	}
}
