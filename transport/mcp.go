package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

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
// with the session. It must not block.
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
	server, ok := c.opts.MCPServers[r.ServerName]
	if !ok {
		return nil, fmt.Errorf("there is no MCP server %q", r.ServerName)
	}
	handle := server.HandleMCP
	if t, ok := ctx.Value(mcpTurnKey{}).(*mcpTurn); ok {
		handle = t.handle
	}
	reply, err := guard(ctx, c.opts.CallbackTimeouts.MCP, handle, r.Message)
	if err != nil {
		return nil, err
	}
	id, ok := mcpRequestID(r.Message)
	if !ok {
		return &wire.MCPMessageResponse{MCPResponse: noReply}, nil
	}
	return &wire.MCPMessageResponse{MCPResponse: reply}, checkReply(reply, id)
}

// mcpTurn is the place of a message among those of its server.
type mcpTurn struct {
	server MCPReceiver
	before <-chan struct{} // closed when the message before was received; nil for the first
	after  chan struct{}   // the same for this one
}

type mcpTurnKey struct{}

// queueMCP gives a message its turn, if its server wants the order. It runs in the reader's
// goroutine, which alone uses c.mcpLast.
func (c *callbacks) queueMCP(ctx context.Context, r wire.Request) context.Context {
	m, ok := r.(*wire.MCPMessageRequest)
	if !ok {
		return ctx
	}
	server, ok := c.opts.MCPServers[m.ServerName].(MCPReceiver)
	if !ok {
		return ctx
	}
	t := &mcpTurn{server, c.mcpLast[m.ServerName], make(chan struct{})}
	c.mcpLast[m.ServerName] = t.after
	return context.WithValue(ctx, mcpTurnKey{}, t)
}

// handle waits for its turn, and then for the answer. The next message has its turn also if the
// server panics.
func (t *mcpTurn) handle(ctx context.Context, message codec.Raw) (codec.Raw, error) {
	if t.before != nil {
		<-t.before
	}
	answer := func() func() (codec.Raw, error) {
		defer close(t.after)
		return t.server.ReceiveMCP(ctx, message)
	}()
	if answer == nil {
		return nil, nil
	}
	return answer()
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

// startServers starts the servers that send by themselves.
func (s *Session) startServers() {
	for name, server := range s.opts.MCPServers {
		if starter, ok := server.(MCPStarter); ok {
			starter.StartMCP(s.conn.ctx, func(ctx context.Context, message codec.Raw) error {
				return s.MCPMessage(ctx, &wire.MCPMessageRequest{ServerName: name, Message: message})
			})
		}
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
