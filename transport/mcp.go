package transport

import (
	"bytes"
	"container/list"
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

// MCPServer is an MCP server in this process. Any number of sessions can have the same one, because
// what serves a session is made for it.
type MCPServer interface {
	// ConnectMCP is called once for each session and returns what serves it. Send sends a JSON-RPC
	// message to the CLI of that session; ctx ends with the session. The messages for the server
	// wait until it returns.
	ConnectMCP(ctx context.Context, send func(ctx context.Context, message codec.Raw) error) MCPHandler
}

// MCPHandler serves one session. It gets each JSON-RPC message from the CLI as text and answers a
// request with the JSON-RPC response, which must carry the request's id. What it returns for a
// notification or a response is ignored. A failure is answered with a JSON-RPC error of code -32603
// and the request's id. Messages are handled concurrently, so that one may overtake another; see
// [MCPReceiver].
type MCPHandler interface {
	HandleMCP(ctx context.Context, message codec.Raw) (codec.Raw, error)
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

// MCPHandlerFunc is an [MCPServer] that keeps nothing of a session and sends nothing by itself.
type MCPHandlerFunc func(ctx context.Context, message codec.Raw) (codec.Raw, error)

// ConnectMCP returns f.
func (f MCPHandlerFunc) ConnectMCP(context.Context, func(context.Context, codec.Raw) error) MCPHandler {
	return f
}

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

// mcpServer is a server of the session. If its handler is an [MCPReceiver], a goroutine gives it
// the messages one after the other, as long as there are any.
type mcpServer struct {
	started chan struct{} // closed when ConnectMCP has returned
	handler MCPHandler    // what it returned; written before started is closed
	err     error         // why there is none; written before started is closed

	mu    sync.Mutex // guards the fields below
	queue list.List  // of *mcpTurn: messages that have not been received, in the order of the wire
	busy  bool       // the goroutine runs
}

// mcpTurn is a message on its way to the handler.
type mcpTurn struct {
	ctx     context.Context
	message codec.Raw

	received chan struct{} // closed when the handler may answer
	inOrder  bool          // ReceiveMCP was called
	answer   func() (codec.Raw, error)
	err      error
}

type mcpTurnKey struct{}

// queueMCP lets a message be received in its turn. It runs in the reader's goroutine.
func (c *callbacks) queueMCP(s *serving) {
	r, ok := s.request.(*wire.MCPMessageRequest)
	if !ok {
		return
	}
	server, ok := c.servers[r.ServerName]
	if !ok || server.takesAnyOrder() {
		return
	}
	t := &mcpTurn{ctx: s, message: r.Message, received: make(chan struct{})}
	s.ctx = context.WithValue(s, mcpTurnKey{}, t)
	place := server.push(t)
	s.whenOver(func() { server.drop(place) })
}

// push adds a message to the queue.
func (s *mcpServer) push(t *mcpTurn) *list.Element {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.busy {
		s.busy = true
		go s.receive() // ends when the queue is empty
	}
	return s.queue.PushBack(t)
}

// takesAnyOrder reports whether the server is known to be one that need not wait for its turn.
func (s *mcpServer) takesAnyOrder() bool {
	select {
	case <-s.started:
		_, ok := s.handler.(MCPReceiver)
		return !ok
	default:
		return false
	}
}

// drop takes out a message that nobody wants any more.
func (s *mcpServer) drop(place *list.Element) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue.Remove(place) // if it is still there
}

// receive gives the messages in the queue to the handler.
func (s *mcpServer) receive() {
	ended := false
	defer func() {
		if !ended { // ReceiveMCP has ended the goroutine
			go s.receive()
		}
	}()
	<-s.started
	receiver, _ := s.handler.(MCPReceiver)
	for {
		t := s.next()
		if t == nil {
			ended = true
			return
		}
		t.receive(receiver)
	}
}

// next returns the next message, nil if there is none.
func (s *mcpServer) next() *mcpTurn {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := s.queue.Front()
	if first == nil {
		s.busy = false
		return nil
	}
	return s.queue.Remove(first).(*mcpTurn)
}

// receive gives the message to the receiver, nil if the order does not matter.
func (t *mcpTurn) receive(receiver MCPReceiver) {
	defer close(t.received)
	if receiver == nil {
		return
	}
	t.inOrder, t.err = true, errGoexit
	defer recoverTo(&t.err)
	t.answer, t.err = receiver.ReceiveMCP(t.ctx, t.message), nil
}

// handle gives a message to the server and returns the answer. Where the order matters the handler
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
	case s.err != nil:
		return nil, s.err
	case !ok || !t.inOrder:
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

// errNoHandler is the error of a server whose ConnectMCP returned nothing.
var errNoHandler = errors.New("ConnectMCP returned nil")

// connect makes what serves this session. The messages for the server wait for that.
func (s *mcpServer) connect(ctx context.Context, server MCPServer, send func(context.Context, codec.Raw) error) {
	defer close(s.started)
	s.err = errGoexit
	defer recoverTo(&s.err)
	s.handler, s.err = server.ConnectMCP(ctx, send), nil
	if s.handler == nil {
		s.err = errNoHandler
	}
}

func newServers(all map[string]MCPServer) map[string]*mcpServer {
	servers := map[string]*mcpServer{}
	for name := range all {
		servers[name] = &mcpServer{started: make(chan struct{})}
	}
	return servers
}

// startServers connects the servers. None of them delays the session.
func (s *Session) startServers(servers map[string]*mcpServer) {
	for name, server := range servers {
		send := func(ctx context.Context, message codec.Raw) error {
			return s.MCPMessage(ctx, &wire.MCPMessageRequest{ServerName: name, Message: message})
		}
		go func() { // ends when ConnectMCP returns
			if server.connect(s.conn.ctx, s.opts.MCPServers[name], send); server.err != nil {
				s.log.Warn("MCP server did not start", "server", name, "error", server.err)
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
