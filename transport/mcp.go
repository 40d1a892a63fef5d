package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// mcpInternalError is JSON-RPC's code for a server that failed.
const mcpInternalError = -32603

// MCPHandler is an MCP server in this process. It gets each JSON-RPC message from the CLI as text
// and answers a request with the JSON-RPC response, which must carry the request's id. What it
// returns for a notification or a response is ignored. A failure is answered with a JSON-RPC error
// of code -32603 and the request's id. Messages are handled concurrently, so that one may overtake
// another; see [MCPReceiver].
type MCPHandler interface {
	HandleMCP(ctx context.Context, message codec.Raw) (codec.Raw, error)
}

// MCPStarter is an [MCPHandler] that also sends messages by itself. StartMCP is called before the
// first message, with a function that sends a JSON-RPC message to the CLI and a context that ends
// with the session. The messages for the server wait until it returns.
type MCPStarter interface {
	MCPHandler
	StartMCP(ctx context.Context, send func(ctx context.Context, message codec.Raw) error)
}

// MCPReceiver is an [MCPHandler] that gets the messages in the order of the wire, so that a
// cancellation never comes before its call. A session calls ReceiveMCP instead of HandleMCP, for
// one message after the other: it takes the message in and does not wait for the outcome. The
// function that it returns does, concurrently, as HandleMCP would; it may be nil for a message that
// needs no answer.
type MCPReceiver interface {
	MCPHandler
	ReceiveMCP(ctx context.Context, message codec.Raw) (answer func() (codec.Raw, error))
}

// MCPHandlerFunc makes an [MCPHandler] of a function.
type MCPHandlerFunc func(ctx context.Context, message codec.Raw) (codec.Raw, error)

// HandleMCP calls f.
func (f MCPHandlerFunc) HandleMCP(ctx context.Context, message codec.Raw) (codec.Raw, error) {
	return f(ctx, message)
}

// MCPMessage implements [wire.Handler]. Each message gets an answer with a body, also where
// JSON-RPC wants none: the CLI's handshake fails without.
func (c *callbacks) MCPMessage(ctx context.Context, r *wire.MCPMessageRequest) (*wire.MCPMessageResponse, error) {
	server, ok := c.servers[r.ServerName]
	if !ok {
		return nil, fmt.Errorf("there is no MCP server %q", r.ServerName)
	}
	reply, err := run(ctx, server.handle, r.Message)
	if err != nil {
		return nil, err
	}
	id, ok := mcpRequestID(r.Message)
	if !ok {
		return &wire.MCPMessageResponse{MCPResponse: noReply}, nil
	}
	return &wire.MCPMessageResponse{MCPResponse: reply}, checkReply(reply, id)
}

// mcpServer is a server of the session. If it is an [MCPReceiver], a goroutine receives its
// messages one after the other, as long as there are any.
type mcpServer struct {
	handler MCPHandler
	started chan struct{} // closed when StartMCP has returned

	mu    sync.Mutex // guards the fields below
	queue []*mcpTurn // messages that have not been received, in the order of the wire
	busy  bool       // the goroutine runs
}

// mcpTurn is a message for an [MCPReceiver].
type mcpTurn struct {
	ctx     context.Context
	message codec.Raw

	received chan struct{} // closed when ReceiveMCP has returned
	answer   func() (codec.Raw, error)
	err      error
}

type mcpTurnKey struct{}

// queueMCP lets a message be received, if its server wants the order. It runs in the reader's
// goroutine.
func (c *callbacks) queueMCP(s *serving) {
	r, ok := s.request.(*wire.MCPMessageRequest)
	if !ok {
		return
	}
	server, ok := c.servers[r.ServerName]
	if !ok {
		return
	}
	receiver, ok := server.handler.(MCPReceiver)
	if !ok {
		return
	}
	t := &mcpTurn{ctx: s, message: r.Message, received: make(chan struct{})}
	s.ctx = context.WithValue(s, mcpTurnKey{}, t)
	server.mu.Lock()
	defer server.mu.Unlock()
	server.queue = append(server.queue, t)
	if !server.busy {
		server.busy = true
		go server.receive(receiver) // ends when the queue is empty
	}
}

// receive receives the messages in the queue.
func (s *mcpServer) receive(receiver MCPReceiver) {
	ended := false
	defer func() {
		if !ended { // ReceiveMCP has ended the goroutine
			go s.receive(receiver)
		}
	}()
	<-s.started
	for {
		t := s.next()
		if t == nil {
			ended = true
			return
		}
		t.receive(receiver)
	}
}

// next returns the next message that is still wanted, nil if there is none.
func (s *mcpServer) next() *mcpTurn {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.queue) > 0 {
		t := s.queue[0]
		s.queue[0] = nil
		s.queue = s.queue[1:]
		if t.ctx.Err() == nil {
			return t
		}
	}
	s.queue, s.busy = nil, false
	return nil
}

func (t *mcpTurn) receive(receiver MCPReceiver) {
	t.err = errGoexit
	defer close(t.received)
	defer recoverTo(&t.err)
	t.answer, t.err = receiver.ReceiveMCP(t.ctx, t.message), nil
}

// handle gives a message to the server and returns the answer. Where the order matters the server
// has it already, or will have it in its turn.
func (s *mcpServer) handle(ctx context.Context, message codec.Raw) (codec.Raw, error) {
	t, ok := ctx.Value(mcpTurnKey{}).(*mcpTurn)
	wait := s.started
	if ok {
		wait = t.received
	}
	select {
	case <-wait:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	switch {
	case !ok:
		return s.handler.HandleMCP(ctx, message)
	case t.err != nil:
		return nil, t.err
	case t.answer == nil:
		return nil, nil
	}
	return t.answer()
}

// slotsOf returns the name of the slots that a request uses. Each MCP server has its own, and those
// for notifications are apart: a cancellation must not wait for the calls that it is for.
func (c *callbacks) slotsOf(r wire.Request) string {
	m, ok := r.(*wire.MCPMessageRequest)
	if !ok || c.servers[m.ServerName] == nil {
		return slotsOf(r)
	}
	if _, ok := mcpRequestID(m.Message); ok {
		return "mcp call " + m.ServerName
	}
	return "mcp notification " + m.ServerName
}

// noReply is the body of an answer to a message that JSON-RPC leaves without one.
var noReply = codec.Raw(`{}`)

// checkReply refuses what would make the CLI wait without end: a reply that is not a JSON object or
// has another id.
func checkReply(reply, id codec.Raw) error {
	if reply == nil {
		return errNilResult
	}
	var m wire.MCPMessage
	if err := m.UnmarshalJSON(reply); err != nil {
		return fmt.Errorf("reply is not a JSON-RPC message: %w", err)
	}
	if !sameJSON(m.ID, id) {
		return fmt.Errorf("reply has the id %s, the request has %s", m.ID, id)
	}
	return nil
}

func sameJSON(a, b codec.Raw) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && x == y
}

// mcpRequestID returns the id of a JSON-RPC request; a notification or a response has none in this
// sense.
func mcpRequestID(message codec.Raw) (codec.Raw, bool) {
	id := message.Find("/id")
	return id, id != nil && message.Find("/method") != nil
}

// mcpFailure answers a message that could not be handled.
func mcpFailure(request codec.Raw, cause error) *wire.MCPMessageResponse {
	id, ok := mcpRequestID(request)
	if !ok {
		return &wire.MCPMessageResponse{MCPResponse: noReply}
	}
	version, message := "2.0", strings.ToValidUTF8(cause.Error(), "\uFFFD")
	reply := wire.MCPMessage{Jsonrpc: &version, ID: id, Error: &wire.MCPError{Code: mcpInternalError, Message: message}}
	text, err := reply.AppendJSON(nil)
	if err != nil {
		panic(err) // the id is part of a line that was decoded
	}
	return &wire.MCPMessageResponse{MCPResponse: text}
}

// start starts a server that sends by itself. The messages for it wait for that.
func (s *mcpServer) start(ctx context.Context, starter MCPStarter, send func(context.Context, codec.Raw) error) (err error) {
	defer close(s.started)
	defer recoverTo(&err)
	starter.StartMCP(ctx, send)
	return nil
}

func newServers(handlers map[string]MCPHandler) map[string]*mcpServer {
	servers := map[string]*mcpServer{}
	for name, handler := range handlers {
		servers[name] = &mcpServer{handler: handler, started: make(chan struct{})}
	}
	return servers
}

// startServers starts the servers. None of them delays the session.
func (s *Session) startServers(servers map[string]*mcpServer) {
	for name, server := range servers {
		send := func(ctx context.Context, message codec.Raw) error {
			return s.MCPMessage(ctx, &wire.MCPMessageRequest{ServerName: name, Message: message})
		}
		starter, ok := server.handler.(MCPStarter)
		if !ok {
			close(server.started)
			continue
		}
		go func() { // ends when StartMCP returns
			if err := server.start(s.conn.ctx, starter, send); err != nil {
				s.log.Warn("MCP server did not start", "server", name, "error", err)
			}
		}()
	}
}

// mcpConfig is the value of --mcp-config that announces the servers to a CLI that does not know
// them from initialize alone.
func (o *Options) mcpConfig() string {
	type server struct {
		Type string `json:"type"`
		Name string `json:"name"`
	}
	servers := map[string]server{}
	for name := range o.MCPServers {
		servers[name] = server{"sdk", name}
	}
	config, err := json.Marshal(map[string]any{"mcpServers": servers})
	if err != nil {
		panic(errors.New("a map of strings has a JSON form"))
	}
	return string(config)
}
