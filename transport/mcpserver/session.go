package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/transport"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	methodInitialize = "initialize"
	methodCancelled  = "notifications/cancelled"
)

var (
	errEnded  = errors.New("the MCP server's session has ended")
	errClosed = errors.New("the MCP server was closed")
)

// session is what a [Handler] is for one session of the transport.
type session struct {
	h    *Handler
	ctx  context.Context // ends with the transport's session
	send func(context.Context, codec.Raw) error

	// mu guards the fields below, and the queue and the counts of each connection. It is never held
	// while something blocks.
	mu      sync.Mutex
	closed  bool
	current *connection // gets what the CLI sends; nil before the first message
	live    map[*connection]struct{}
	calls   []*pendingCall // that the server has not answered, the oldest first
	aliases int64          // how many ids were replaced
	ids     int64          // the last id of a request to the CLI
	asked   map[int64]question
}

var _ transport.MCPReceiver = (*session)(nil)

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
// start from 1, so they are replaced by ones that are unique in the session.
type question struct {
	conn *connection
	id   jsonrpc.ID // as the server knows it
}

func newSession(ctx context.Context, h *Handler, send func(context.Context, codec.Raw) error) *session {
	return &session{h: h, ctx: ctx, send: send, live: map[*connection]struct{}{}, asked: map[int64]question{}}
}

// HandleMCP implements [transport.MCPHandler].
func (s *session) HandleMCP(ctx context.Context, message codec.Raw) (codec.Raw, error) {
	return s.ReceiveMCP(ctx, message)()
}

// ReceiveMCP implements [transport.MCPReceiver]: the server reads messages in the order in which
// they are received.
func (s *session) ReceiveMCP(ctx context.Context, message codec.Raw) func() (codec.Raw, error) {
	call, err := s.receive(message)
	return func() (codec.Raw, error) {
		if call == nil {
			return nil, err
		}
		return s.wait(ctx, call)
	}
}

// receive hands a message to the server. It returns the call that a request is.
func (s *session) receive(message codec.Raw) (*pendingCall, error) {
	m, err := jsonrpc.DecodeMessage(message)
	if err != nil {
		return nil, err
	}
	switch m := m.(type) {
	case *jsonrpc.Response:
		s.answer(m)
	case *jsonrpc.Request:
		if m.IsCall() {
			return s.begin(m)
		}
		s.notify(m)
	}
	return nil, nil
}

// close ends the connections and returns them. There will be no others.
func (s *session) close() []*connection {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed, s.current = true, nil
	for c := range s.live {
		c.cancel()
	}
	return slices.Collect(maps.Keys(s.live))
}

// over reports whether the transport's session has ended and nothing is left of this one.
func (s *session) over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ctx.Err() != nil && len(s.live) == 0
}

// wait waits for the server's response to a call.
func (s *session) wait(ctx context.Context, call *pendingCall) (codec.Raw, error) {
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
		s.mu.Lock()
		defer s.mu.Unlock()
		call.conn.pushLocked(cancelled(call.alias))
		return nil, context.Cause(ctx)
	}
}

// begin hands a request to the current connection, or to a new one.
func (s *session) begin(r *jsonrpc.Request) (*pendingCall, error) {
	s.mu.Lock()
	if s.closed || s.current != nil && r.Method != methodInitialize {
		defer s.mu.Unlock()
		return s.beginLocked(s.current, r)
	}
	s.mu.Unlock()

	c, err := s.connect(r)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch old := s.current; {
	case s.closed: // in the meantime
		c.cancel()
	case old == nil:
		s.current = c
	case r.Method == methodInitialize:
		s.current = c
		old.retired = true
		old.settleLocked()
	default: // another message was faster
		c.cancel()
		c = old
	}
	return s.beginLocked(c, r)
}

func (s *session) beginLocked(c *connection, r *jsonrpc.Request) (*pendingCall, error) {
	if s.closed {
		return nil, errClosed
	}
	if c.ctx.Err() != nil {
		return nil, errEnded
	}
	call := &pendingCall{conn: c, id: r.ID, alias: r.ID, reply: make(chan reply, 1)}
	for s.findLocked(func(other *pendingCall) bool { return other.conn == c && other.alias == call.alias }) != nil {
		s.aliases++
		call.alias, _ = jsonrpc.MakeID(fmt.Sprintf("again-%d", s.aliases)) // a string is an id
	}
	s.calls = append(s.calls, call)
	c.calls++
	request := *r
	request.ID = call.alias
	c.pushLocked(&request)
	return call, nil
}

// findLocked returns the newest call for which cond holds, nil if there is none.
func (s *session) findLocked(cond func(*pendingCall) bool) *pendingCall {
	for _, call := range slices.Backward(s.calls) {
		if cond(call) {
			return call
		}
	}
	return nil
}

// finish gives the server's response to the call.
func (s *session) finish(c *connection, r *jsonrpc.Response) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.calls, func(call *pendingCall) bool { return call.conn == c && call.alias == r.ID })
	if i < 0 {
		return
	}
	call := s.calls[i]
	s.calls = slices.Delete(s.calls, i, i+1)
	response := *r
	response.ID = call.id
	text, err := jsonrpc.EncodeMessage(&response)
	call.reply <- reply{text, err}
	c.calls--
	c.settleLocked()
}

// notify hands a notification to the server: a cancellation to the connection that has the call,
// everything else to the current one.
func (s *session) notify(r *jsonrpc.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Method == methodCancelled {
		id, err := cancelledID(r)
		if call := s.findLocked(func(call *pendingCall) bool { return call.id == id }); err == nil && call != nil {
			call.conn.pushLocked(cancelled(call.alias))
		}
		return // a call that is over needs no cancellation
	}
	if s.current == nil {
		s.h.log.Debug("MCP notification before the handshake was dropped", "method", r.Method)
		return
	}
	s.current.pushLocked(r)
}

// answer gives the CLI's response to the connection that asked.
func (s *session) answer(r *jsonrpc.Response) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, _ := r.ID.Raw().(int64)
	q, ok := s.asked[id]
	if !ok {
		s.h.log.Debug("MCP response that nobody waits for was dropped", "id", r.ID.Raw())
		return
	}
	delete(s.asked, id)
	response := *r
	response.ID = q.id
	q.conn.pushLocked(&response)
}
