package before

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
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

	mu      sync.Mutex // guards the fields below, and the order of writes
	out     io.Writer
	next    int
	pending map[string]chan map[string]any
	hooks   map[string]Hook
}

// New returns a client of the CLI with this output and input, and begins to read.
func New(stdout io.Reader, stdin io.Writer, o Options) *Client {
	c := &Client{options: o, out: stdin, messages: make(chan Message, 100), done: make(chan struct{}),
		pending: map[string]chan map[string]any{}, hooks: map[string]Hook{}}
	go c.read(stdout) // ends with the output of the CLI
	return c
}

// Messages returns the messages of the CLI. It is closed at the end of its output.
func (c *Client) Messages() <-chan Message { return c.messages }

//doc:read

// maxLine is the longest line that is read.
const maxLine = 1 << 20

func (c *Client) read(stdout io.Reader) {
	defer close(c.messages)
	defer close(c.done)
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		line := lines.Bytes()
		if len(line) == 0 {
			continue
		}
		var data map[string]any
		if err := json.Unmarshal(line, &data); err != nil {
			c.report(&ParseError{slices.Clone(line), err})
			continue
		}
		switch data["type"] {
		case "control_response":
			c.handleResponse(data)
		case "control_request":
			go c.handleRequest(data)
		default:
			msg, err := parseMessage(data)
			if err != nil {
				c.report(&ParseError{slices.Clone(line), err})
				continue
			}
			c.messages <- msg
		}
	}
	if err := lines.Err(); err != nil {
		c.report(err)
	}
}

//doc:end

func (c *Client) report(err error) {
	if c.options.OnError != nil {
		c.options.OnError(err)
	}
}

func (c *Client) send(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err = c.out.Write(append(line, '\n'))
	return err
}

// Prompt sends a prompt.
func (c *Client) Prompt(text string) error {
	return c.send(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": text}})
}

//doc:call

// Request sends a control request and returns the body of the answer.
func (c *Client) Request(ctx context.Context, subtype string, params map[string]any) (map[string]any, error) {
	request := map[string]any{"subtype": subtype}
	for name, value := range params {
		request[name] = value
	}
	c.mu.Lock()
	c.next++
	id := fmt.Sprintf("req_%d", c.next)
	answer := make(chan map[string]any, 1)
	c.pending[id] = answer
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.pending, id)
		c.mu.Unlock()
	}()
	if err := c.send(map[string]any{"type": "control_request", "request_id": id, "request": request}); err != nil {
		return nil, err
	}
	select {
	case response := <-answer:
		if response["subtype"] == "error" {
			message, _ := response["error"].(string)
			return nil, errors.New(message)
		}
		body, _ := response["response"].(map[string]any)
		return body, nil
	case <-c.done:
		return nil, io.ErrUnexpectedEOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *Client) handleResponse(data map[string]any) {
	response, _ := data["response"].(map[string]any)
	id, _ := response["request_id"].(string)
	c.mu.Lock()
	answer := c.pending[id]
	c.mu.Unlock()
	if answer != nil {
		answer <- response
	}
}

//doc:end

//doc:operations

// Initialize begins the session and registers the hooks.
func (c *Client) Initialize(ctx context.Context) (map[string]any, error) {
	hooks := map[string]any{}
	c.mu.Lock()
	for event, matchers := range c.options.Hooks {
		var list []any
		for _, m := range matchers {
			ids := []string{}
			for _, h := range m.Hooks {
				id := fmt.Sprintf("hook_%d", len(c.hooks))
				c.hooks[id] = h
				ids = append(ids, id)
			}
			entry := map[string]any{"hookCallbackIds": ids}
			if m.Matcher != "" {
				entry["matcher"] = m.Matcher
			}
			list = append(list, entry)
		}
		hooks[event] = list
	}
	c.mu.Unlock()
	return c.Request(ctx, "initialize", map[string]any{"hooks": hooks})
}

// Interrupt stops the turn.
func (c *Client) Interrupt(ctx context.Context) error {
	_, err := c.Request(ctx, "interrupt", nil)
	return err
}

// SetModel changes the model.
func (c *Client) SetModel(ctx context.Context, model string) error {
	_, err := c.Request(ctx, "set_model", map[string]any{"model": model})
	return err
}

//doc:end

//doc:serve

func (c *Client) handleRequest(data map[string]any) {
	id, _ := data["request_id"].(string)
	request, _ := data["request"].(map[string]any)
	ctx := context.Background()
	var body map[string]any
	var err error
	switch request["subtype"] {
	case "can_use_tool":
		body, err = c.canUseTool(ctx, request)
	case "hook_callback":
		body, err = c.hookCallback(ctx, request)
	case "mcp_message":
		body, err = c.mcpMessage(ctx, request)
	default:
		return // of a newer CLI
	}
	response := map[string]any{"subtype": "success", "request_id": id, "response": body}
	if err != nil {
		response = map[string]any{"subtype": "error", "request_id": id, "error": err.Error()}
	}
	if err := c.send(map[string]any{"type": "control_response", "response": response}); err != nil {
		c.report(err)
	}
}

func (c *Client) canUseTool(ctx context.Context, request map[string]any) (map[string]any, error) {
	tool, ok := request["tool_name"].(string)
	if !ok {
		return nil, errors.New("missing tool_name field")
	}
	input, ok := request["input"].(map[string]any)
	if !ok {
		return nil, errors.New("missing input field")
	}
	permission := Permission{Message: "nobody decides about tools"}
	if c.options.CanUseTool != nil {
		var err error
		if permission, err = c.options.CanUseTool(ctx, tool, input); err != nil {
			return nil, err
		}
	}
	if !permission.Allow {
		return map[string]any{"behavior": "deny", "message": permission.Message}, nil
	}
	if permission.UpdatedInput != nil {
		input = permission.UpdatedInput
	}
	return map[string]any{"behavior": "allow", "updatedInput": input}, nil
}

func (c *Client) hookCallback(ctx context.Context, request map[string]any) (map[string]any, error) {
	id, _ := request["callback_id"].(string)
	c.mu.Lock()
	hook := c.hooks[id]
	c.mu.Unlock()
	if hook == nil {
		return nil, fmt.Errorf("no hook %q", id)
	}
	input, ok := request["input"].(map[string]any)
	if !ok {
		return nil, errors.New("missing input field")
	}
	return hook(ctx, input)
}

func (c *Client) mcpMessage(ctx context.Context, request map[string]any) (map[string]any, error) {
	name, _ := request["server_name"].(string)
	server := c.options.MCP[name]
	if server == nil {
		return nil, fmt.Errorf("no MCP server %q", name)
	}
	message, ok := request["message"].(map[string]any)
	if !ok {
		return nil, errors.New("missing message field")
	}
	method, _ := message["method"].(string)
	params, _ := message["params"].(map[string]any)
	answer := map[string]any{"jsonrpc": "2.0", "id": message["id"]}
	result, err := server.Call(ctx, method, params)
	if err != nil {
		answer["error"] = map[string]any{"code": -32603, "message": err.Error()}
	} else {
		answer["result"] = result
	}
	return map[string]any{"mcp_response": answer}, nil
}

//doc:end
