package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/transport"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	methodInitialize = "initialize"
	methodCancelled  = "notifications/cancelled"
)

var (
	errEnded  = errors.New("the MCP server's session has ended")
	errClosed = errors.New("the MCP server was closed")
)

// Options configure a [Handler]. Nil and the zero value work.
type Options struct {
	// Logger gets panics of tools and messages that were dropped. Default: [slog.Default].
	Logger *slog.Logger
}

// Handler is an MCP server for [transport.Options.MCPServers]. It belongs to one session at a time:
// sessions that exist at the same time need a Handler each, for which they can share the server.
type Handler struct {
	server *mcp.Server
	log    *slog.Logger

	// mu guards the fields below, and the queue and the counts of each connection. It is never held
	// while something blocks.
	mu      sync.Mutex
	ctx     context.Context
	send    func(context.Context, codec.Raw) error
	closed  bool
	current *connection // gets what the CLI sends; nil before the first message
	live    map[*connection]struct{}
	calls   []*pendingCall // that the server has not answered, the oldest first
	aliases int64          // how many ids were replaced
	ids     int64          // the last id of a request to the CLI
	asked   map[int64]question
}

var (
	_ transport.MCPStarter  = (*Handler)(nil)
	_ transport.MCPReceiver = (*Handler)(nil)
)

// pendingCall is a request from the CLI.
type pendingCall struct {
	conn  *connection
	id    jsonrpc.ID // on the wire
	alias jsonrpc.ID // as the server knows it
	reply chan reply // of one
}

type reply struct {
	text codec.Raw
	err  error
}

// question is a request from the server that the CLI has not answered. The ids of a server session
// start from 1, so they are replaced by ones that are unique in the Handler.
type question struct {
	conn *connection
	id   jsonrpc.ID // as the server knows it
}

// New makes a handler for a server.
func New(server *mcp.Server, opts *Options) *Handler {
	h := &Handler{
		server: server, log: slog.Default(), ctx: context.Background(),
		live: map[*connection]struct{}{}, asked: map[int64]question{},
	}
	if opts != nil && opts.Logger != nil {
		h.log = opts.Logger
	}
	guard(server)
	return h
}

// StartMCP implements [transport.MCPStarter]. It ends what is left of an earlier session.
func (h *Handler) StartMCP(ctx context.Context, send func(context.Context, codec.Raw) error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.live {
		c.cancel()
	}
	h.ctx, h.send, h.closed, h.current = ctx, send, false, nil
}

// HandleMCP implements [transport.MCPHandler].
func (h *Handler) HandleMCP(ctx context.Context, message codec.Raw) (codec.Raw, error) {
	return h.ReceiveMCP(ctx, message)()
}

// ReceiveMCP implements [transport.MCPReceiver]: the server reads messages in the order in which
// they are received.
func (h *Handler) ReceiveMCP(ctx context.Context, message codec.Raw) func() (codec.Raw, error) {
	call, err := h.receive(message)
	return func() (codec.Raw, error) {
		if call == nil {
			return nil, err
		}
		return h.wait(ctx, call)
	}
}

// receive hands a message to the server. It returns the call that a request is.
func (h *Handler) receive(message codec.Raw) (*pendingCall, error) {
	m, err := jsonrpc.DecodeMessage(message)
	if err != nil {
		return nil, err
	}
	switch m := m.(type) {
	case *jsonrpc.Response:
		h.answer(m)
	case *jsonrpc.Request:
		if m.IsCall() {
			return h.begin(m)
		}
		h.notify(m)
	}
	return nil, nil
}

// Close ends the server's sessions and waits until all tools have returned. The end of the
// transport's session does the former by itself. A tool must not call it.
func (h *Handler) Close() {
	h.mu.Lock()
	h.closed, h.current = true, nil
	var live []*connection
	for c := range h.live {
		c.cancel()
		live = append(live, c)
	}
	h.mu.Unlock()
	for _, c := range live {
		<-c.done
	}
}

// wait waits for the server's response to a call.
func (h *Handler) wait(ctx context.Context, call *pendingCall) (codec.Raw, error) {
	select {
	case a := <-call.reply:
		return a.text, a.err
	case <-call.conn.ctx.Done():
		select {
		case a := <-call.reply: // it was the last one of a connection that ends
			return a.text, a.err
		default:
			return nil, errEnded
		}
	case <-ctx.Done():
		h.mu.Lock()
		defer h.mu.Unlock()
		call.conn.pushLocked(cancelled(call.alias))
		return nil, context.Cause(ctx)
	}
}

// begin hands a request to the current connection, or to a new one.
func (h *Handler) begin(r *jsonrpc.Request) (*pendingCall, error) {
	h.mu.Lock()
	if h.closed || h.current != nil && r.Method != methodInitialize {
		defer h.mu.Unlock()
		return h.beginLocked(h.current, r)
	}
	ctx, send := h.ctx, h.send
	h.mu.Unlock()

	c, err := h.connect(ctx, send, r)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch old := h.current; {
	case h.closed || ctx != h.ctx: // in the meantime
		c.cancel()
	case old == nil:
		h.current = c
	case r.Method == methodInitialize:
		h.current = c
		old.retired = true
		old.settleLocked()
	default: // another message was faster
		c.cancel()
		c = old
	}
	return h.beginLocked(c, r)
}

func (h *Handler) beginLocked(c *connection, r *jsonrpc.Request) (*pendingCall, error) {
	if h.closed {
		return nil, errClosed
	}
	if c.ctx.Err() != nil {
		return nil, errEnded
	}
	call := &pendingCall{conn: c, id: r.ID, alias: r.ID, reply: make(chan reply, 1)}
	for h.findLocked(func(other *pendingCall) bool { return other.conn == c && other.alias == call.alias }) != nil {
		h.aliases++
		call.alias, _ = jsonrpc.MakeID(fmt.Sprintf("again-%d", h.aliases)) // a string is an id
	}
	h.calls = append(h.calls, call)
	c.calls++
	request := *r
	request.ID = call.alias
	c.pushLocked(&request)
	return call, nil
}

// findLocked returns the newest call for which cond holds, nil if there is none.
func (h *Handler) findLocked(cond func(*pendingCall) bool) *pendingCall {
	for _, call := range slices.Backward(h.calls) {
		if cond(call) {
			return call
		}
	}
	return nil
}

// finish gives the server's response to the call.
func (h *Handler) finish(c *connection, r *jsonrpc.Response) {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.IndexFunc(h.calls, func(call *pendingCall) bool { return call.conn == c && call.alias == r.ID })
	if i < 0 {
		return
	}
	call := h.calls[i]
	h.calls = slices.Delete(h.calls, i, i+1)
	response := *r
	response.ID = call.id
	text, err := jsonrpc.EncodeMessage(&response)
	call.reply <- reply{text, err}
	c.calls--
	c.settleLocked()
}

// notify hands a notification to the server: a cancellation to the connection that has the call,
// everything else to the current one.
func (h *Handler) notify(r *jsonrpc.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r.Method == methodCancelled {
		id, err := cancelledID(r)
		if call := h.findLocked(func(call *pendingCall) bool { return call.id == id }); err == nil && call != nil {
			call.conn.pushLocked(cancelled(call.alias))
		}
		return // a call that is over needs no cancellation
	}
	if h.current == nil {
		h.log.Debug("MCP notification before the handshake was dropped", "method", r.Method)
		return
	}
	h.current.pushLocked(r)
}

// answer gives the CLI's response to the connection that asked.
func (h *Handler) answer(r *jsonrpc.Response) {
	h.mu.Lock()
	defer h.mu.Unlock()
	id, _ := r.ID.Raw().(int64)
	q, ok := h.asked[id]
	if !ok {
		h.log.Debug("MCP response that nobody waits for was dropped", "id", r.ID.Raw())
		return
	}
	delete(h.asked, id)
	response := *r
	response.ID = q.id
	q.conn.pushLocked(&response)
}
