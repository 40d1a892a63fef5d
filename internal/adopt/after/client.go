package after

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// Options are what a program does for the CLI.
type Options struct {
	// CanUseTool decides whether a tool may run; nil lets none run.
	CanUseTool func(ctx context.Context, tool string, input map[string]any) (Permission, error)
	// Hooks are called for events, by the name of the event.
	Hooks map[string][]HookMatcher
	// MCP are servers in this process, by name.
	MCP map[string]MCPServer
	// OnError, if not nil, is told what went wrong while reading.
	OnError func(error)
}

// Permission says whether a tool may run.
type Permission struct {
	Allow        bool
	Message      string         // why not
	UpdatedInput map[string]any // nil leaves the input as it is
}

// Hook is called with the input of an event, and returns its output.
type Hook func(ctx context.Context, input map[string]any) (map[string]any, error)

// HookMatcher are hooks for the tools that a pattern matches.
type HookMatcher struct {
	Matcher string
	Hooks   []Hook
}

// MCPServer answers the calls of JSON-RPC methods.
type MCPServer interface {
	Call(ctx context.Context, method string, params map[string]any) (any, error)
}

// Client is a session with a CLI.
type Client struct {
	options  Options
	messages chan Message
	done     chan struct{} // closed when nothing more is read
	out      *codec.Writer
	wire     wire.Client

	mu      sync.Mutex // guards the fields below
	changed *sync.Cond // of queue and ended
	queue   []Message  // messages that nobody has taken yet
	ended   bool       // nothing more comes
	next    int
	pending map[string]chan *wire.ControlResponse
	serving map[string]context.CancelFunc // requests of the CLI, by id
	hooks   map[string]Hook
}

// New returns a client of the CLI with this output and input, and begins to read.
func New(stdout io.Reader, stdin io.Writer, o Options) *Client {
	c := &Client{options: o, out: codec.NewWriter(stdin), messages: make(chan Message), done: make(chan struct{}),
		pending: map[string]chan *wire.ControlResponse{}, serving: map[string]context.CancelFunc{}, hooks: map[string]Hook{}}
	c.changed = sync.NewCond(&c.mu)
	c.wire = wire.Client{Caller: caller{c}}
	go c.read(stdout) // ends with the output of the CLI
	go c.hand()       // ends when all messages are taken
	return c
}

// Messages returns the messages of the CLI. It is closed at the end of its output.
func (c *Client) Messages() <-chan Message { return c.messages }

//doc:read

func (c *Client) read(stdout io.Reader) {
	defer c.end()
	lines := codec.NewReader(stdout, nil)
	decoder := newDecoder(slog.Default())
	for {
		line, err := lines.Next()
		if err != nil {
			if err != io.EOF {
				c.report(err)
			}
			return
		}
		switch line.Kind {
		case codec.ObjectLine:
			frame, err := decoder.Decode(line.Bytes)
			if err != nil {
				c.unreadable(line.Bytes, err)
				continue
			}
			c.route(frame, line.Bytes)
		case codec.OversizeLine:
			c.unreadable(line.Bytes, codec.TooLong)
		case codec.TextLine:
			c.report(&ParseError{slices.Clone(line.Bytes), errors.New("not a JSON object")})
		}
	}
}

// route gives a frame to whom it is for.
func (c *Client) route(frame wire.Frame, line []byte) {
	switch f := frame.(type) {
	case *wire.ControlResponse:
		c.settle(f)
	case *wire.ControlRequest:
		ctx, cancel := context.WithCancel(context.Background())
		c.mu.Lock()
		c.serving[f.RequestID] = cancel
		c.mu.Unlock()
		go c.serve(ctx, f) // ends when the callback returns
	case *wire.ControlCancelRequest:
		c.finish(f.RequestID)
	default:
		msg, err := convert(frame, line)
		if err != nil {
			c.report(err)
		}
		c.put(msg)
	}
}

//doc:end

//doc:queue

// put takes a message in. The reader never waits for the program, which may wait for an answer that
// comes after the message.
func (c *Client) put(msg Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue = append(c.queue, msg)
	c.changed.Signal()
}

// end says that nothing more comes.
func (c *Client) end() {
	close(c.done)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	c.changed.Signal()
}

// hand gives the messages to the program, in their order.
func (c *Client) hand() {
	defer close(c.messages)
	for {
		c.mu.Lock()
		for len(c.queue) == 0 && !c.ended {
			c.changed.Wait()
		}
		queue := c.queue
		c.queue = nil
		c.mu.Unlock()
		if len(queue) == 0 {
			return
		}
		for _, msg := range queue {
			c.messages <- msg
		}
	}
}

//doc:end

//doc:unreadable

// unreadable passes on a line that does not decode, or its digest. Whoever waits for it must hear
// of it: the CLI of a request, the caller of a response.
func (c *Client) unreadable(line []byte, err error) {
	frame := wire.Unreadable(line, err)
	c.report(&ParseError{frame.Raw, err})
	switch frame.Type() {
	case "control_request":
		request := wire.ControlRequest{RequestID: frame.ID()}
		if err := c.send(request.Answer(nil, err)); err != nil {
			c.report(err)
		}
	case "control_response":
		c.settle(&wire.ControlResponse{Response: &wire.ErrorResponse{RequestID: frame.ID(), Error: err.Error()}})
	default:
		c.put(&OtherMessage{frame})
	}
}

//doc:end

func (c *Client) report(err error) {
	if c.options.OnError != nil {
		c.options.OnError(err)
	}
}

//doc:send

func (c *Client) send(f wire.Frame) error {
	line, err := wire.Append(nil, f)
	if err != nil {
		return err
	}
	return c.out.WriteLine(line)
}

// Prompt sends a prompt.
func (c *Client) Prompt(text string) error { return c.send(wire.Prompt(text)) }

//doc:end

//doc:call

// caller is a client as package wire calls it.
type caller struct{ c *Client }

// Call sends a control request and returns the body of the answer.
func (a caller) Call(ctx context.Context, r wire.Request) (wire.Raw, error) {
	c := a.c
	c.mu.Lock()
	c.next++
	id := fmt.Sprintf("req_%d", c.next)
	answer := make(chan *wire.ControlResponse, 1)
	c.pending[id] = answer
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.pending, id)
		c.mu.Unlock()
	}()
	if err := c.send(&wire.ControlRequest{RequestID: id, Request: r}); err != nil {
		return nil, err
	}
	select {
	case response := <-answer:
		return response.Body()
	case <-c.done:
		return nil, io.ErrUnexpectedEOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// settle gives a response to the call that waits for it.
func (c *Client) settle(f *wire.ControlResponse) {
	c.mu.Lock()
	answer := c.pending[f.RequestID()]
	delete(c.pending, f.RequestID()) // the first of two counts
	c.mu.Unlock()
	if answer != nil {
		answer <- f
	}
}

//doc:end

// Request sends a control request and returns the body of the answer.
func (c *Client) Request(ctx context.Context, subtype string, params map[string]any) (map[string]any, error) {
	request := map[string]any{"subtype": subtype}
	maps.Copy(request, params)
	raw, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	body, err := c.wire.Call(ctx, &wire.UnknownRequest{Raw: raw})
	if err != nil {
		return nil, err
	}
	return body.Map()
}

//doc:operations

// Initialize begins the session and registers the hooks.
func (c *Client) Initialize(ctx context.Context) (map[string]any, error) {
	hooks := map[string][]wire.HookMatcher{}
	c.mu.Lock()
	for event, matchers := range c.options.Hooks {
		for _, m := range matchers {
			matcher := wire.HookMatcher{HookCallbackIDs: []string{}}
			for _, h := range m.Hooks {
				id := fmt.Sprintf("hook_%d", len(c.hooks))
				c.hooks[id] = h
				matcher.HookCallbackIDs = append(matcher.HookCallbackIDs, id)
			}
			if m.Matcher != "" {
				matcher.Matcher = wire.Some(m.Matcher)
			}
			hooks[event] = append(hooks[event], matcher)
		}
	}
	c.mu.Unlock()
	body, err := c.wire.Call(ctx, &wire.InitializeRequest{Hooks: wire.Some(hooks)})
	if err != nil {
		return nil, err
	}
	return body.Map()
}

// Interrupt stops the turn.
func (c *Client) Interrupt(ctx context.Context) error {
	_, err := c.wire.Interrupt(ctx, &wire.InterruptRequest{})
	return err
}

// SetModel changes the model.
func (c *Client) SetModel(ctx context.Context, model string) error {
	_, err := c.wire.SetModel(ctx, &wire.SetModelRequest{Model: wire.Some(model)})
	return err
}

//doc:end
