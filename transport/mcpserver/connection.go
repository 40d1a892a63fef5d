package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// cliProtocolVersion is what a CLI that skips the handshake speaks.
const cliProtocolVersion = "2025-11-25"

// codeRejected makes the go-sdk return an error of Write to whoever sends, and go on; any other
// error would end its session.
const codeRejected = -32005

var errNotStarted = errors.New("there is no session to send to")

// connection is one session of the server: the [mcp.Transport] that the server gets, and its
// [mcp.Connection].
type connection struct {
	owner  *session
	server *mcp.ServerSession

	ctx    context.Context // ends with the transport's session, too
	cancel context.CancelFunc
	done   chan struct{} // closed by finish
	wake   chan struct{} // of one: there may be something in the queue

	// Guarded by the owner's mutex.
	queue   []jsonrpc.Message // for the server
	calls   int               // that the server has not answered
	retired bool              // there is a newer connection; this one ends when it has no call left
}

var (
	_ mcp.Transport  = (*connection)(nil)
	_ mcp.Connection = (*connection)(nil)
)

// connectionKey is the key of the connection in the contexts of its requests.
type connectionKey struct{}

// connect starts a session of the server whose first message will be r.
func (s *session) connect(r *jsonrpc.Request) (*connection, error) {
	c := &connection{owner: s, done: make(chan struct{}), wake: make(chan struct{}, 1)}
	c.ctx, c.cancel = context.WithCancel(context.WithValue(s.ctx, connectionKey{}, c))
	server, err := s.h.server.Connect(c.ctx, c, &mcp.ServerSessionOptions{State: stateBefore(r)})
	if err != nil {
		c.cancel()
		return nil, fmt.Errorf("MCP server: %w", err)
	}
	c.server = server
	s.mu.Lock()
	s.live[c] = struct{}{}
	s.mu.Unlock()
	context.AfterFunc(c.ctx, c.finish) // its goroutine ends when the last tool has returned
	return c, nil
}

// stateBefore is the state of a session that begins with r. A request that is neither a handshake
// nor carries its own comes from a CLI that left the handshake out.
func stateBefore(r *jsonrpc.Request) *mcp.ServerSessionState {
	var params struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	_ = json.Unmarshal(r.Params, &params) // the server will complain
	if _, ok := params.Meta[mcp.MetaKeyProtocolVersion]; ok || r.Method == methodInitialize {
		return nil
	}
	return &mcp.ServerSessionState{
		InitializeParams: &mcp.InitializeParams{
			ProtocolVersion: cliProtocolVersion,
			ClientInfo:      &mcp.Implementation{Name: "claude-code"},
			Capabilities:    &mcp.ClientCapabilities{},
		},
		InitializedParams:         &mcp.InitializedParams{},
		NegotiatedProtocolVersion: cliProtocolVersion,
	}
}

// finish waits for the tools and forgets the connection.
func (c *connection) finish() {
	defer close(c.done)
	c.server.Close() // Read has ended, which has cancelled the tools
	c.owner.remove(c)
	c.owner.h.forget(c.owner)
}

// remove forgets a connection.
func (s *session) remove(c *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.live, c)
	s.calls = slices.DeleteFunc(s.calls, func(call *pendingCall) bool { return call.conn == c })
	maps.DeleteFunc(s.asked, func(_ int64, q question) bool { return q.conn == c })
}

// settleLocked ends a connection that has done its duty.
func (c *connection) settleLocked() {
	if c.retired && c.calls == 0 {
		c.cancel()
	}
}

// pushLocked queues a message for the server. It does not block.
func (c *connection) pushLocked(m jsonrpc.Message) {
	c.queue = append(c.queue, m)
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func (c *connection) pop() (m jsonrpc.Message) {
	c.owner.mu.Lock()
	defer c.owner.mu.Unlock()
	if len(c.queue) > 0 {
		m, c.queue = c.queue[0], c.queue[1:]
	}
	return m
}

// Connect implements [mcp.Transport].
func (c *connection) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID implements [mcp.Connection]. There are no ids, as on standard input and output.
func (c *connection) SessionID() string { return "" }

// Read implements [mcp.Connection]. The context that the go-sdk gives never ends.
func (c *connection) Read(context.Context) (jsonrpc.Message, error) {
	for {
		if m := c.pop(); m != nil {
			return m, nil
		}
		select {
		case <-c.wake:
		case <-c.ctx.Done():
			return nil, io.EOF
		}
	}
}

// Write implements [mcp.Connection]. It does not block for a response; other messages wait for the
// CLI's acknowledgement.
func (c *connection) Write(ctx context.Context, m jsonrpc.Message) error {
	r, ok := m.(*jsonrpc.Request)
	if !ok {
		c.owner.finish(c, m.(*jsonrpc.Response))
		return nil
	}
	request, forget := c.translate(r)
	if err := c.sendOut(ctx, request); err != nil {
		forget()
		return fmt.Errorf("%w: %w", &jsonrpc.Error{Code: codeRejected, Message: "MCP message to the CLI"}, err)
	}
	return nil
}

// translate replaces the id of a request to the CLI, and that in a cancellation of one, and says
// how to forget the former.
func (c *connection) translate(r *jsonrpc.Request) (*jsonrpc.Request, func()) {
	s := c.owner
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.IsCall() {
		s.ids++
		id := s.ids
		s.asked[id] = question{c, r.ID}
		request := *r
		request.ID, _ = jsonrpc.MakeID(float64(id)) // a number is an id
		return &request, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			delete(s.asked, id)
		}
	}
	if r.Method == methodCancelled {
		own, _ := cancelledID(r)
		for id, q := range s.asked {
			if q.conn == c && q.id == own {
				delete(s.asked, id)
				outer, _ := jsonrpc.MakeID(float64(id))
				r = cancelled(outer)
				break
			}
		}
	}
	return r, func() {}
}

// sendOut sends a message to the CLI. It ends with the connection, too.
func (c *connection) sendOut(ctx context.Context, r *jsonrpc.Request) error {
	if c.owner.send == nil {
		return errNotStarted
	}
	text, err := jsonrpc.EncodeMessage(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	unlink := context.AfterFunc(c.ctx, func() { cancel(errEnded) })
	defer unlink()
	return c.owner.send(ctx, text)
}

// Close implements [mcp.Connection].
func (c *connection) Close() error {
	c.cancel()
	return nil
}

// cancelled makes the notification that cancels a request.
func cancelled(id jsonrpc.ID) *jsonrpc.Request {
	params, err := json.Marshal(&mcp.CancelledParams{RequestID: id.Raw()})
	if err != nil {
		panic(err) // an id is a number or a string
	}
	return &jsonrpc.Request{Method: methodCancelled, Params: params}
}

// cancelledID returns the id that a cancellation names.
func cancelledID(r *jsonrpc.Request) (jsonrpc.ID, error) {
	var params mcp.CancelledParams
	if err := json.Unmarshal(r.Params, &params); err != nil {
		return jsonrpc.ID{}, err
	}
	return jsonrpc.MakeID(params.RequestID)
}
