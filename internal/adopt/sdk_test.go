package adopt

import (
	"context"
	"io"

	"github.com/ccwire/ccwire/internal/adopt/after"
	"github.com/ccwire/ccwire/internal/adopt/before"
)

// An sdk is one of the two.
type sdk struct {
	name  string
	parse func(line []byte) (msg any, err error)
	open  func(stdout io.Reader, stdin io.Writer, h host) client
}

// A host is what a program does for the CLI.
type host struct {
	canUseTool func(ctx context.Context, tool string, input map[string]any) (allow bool, message string)
	hook       func(ctx context.Context, input map[string]any) (map[string]any, error) // for PreToolUse
	mcp        mcpServer
	servers    []string // that mcp is
	onError    func(error)
}

type mcpServer func(ctx context.Context, method string, params map[string]any) (any, error)

func (f mcpServer) Call(ctx context.Context, method string, params map[string]any) (any, error) {
	return f(ctx, method, params)
}

// A client is the common part of the two clients.
type client interface {
	Initialize(ctx context.Context) (map[string]any, error)
	Interrupt(ctx context.Context) error
	SetModel(ctx context.Context, model string) error
	Prompt(text string) error
	Request(ctx context.Context, subtype string, params map[string]any) (map[string]any, error)
	each(f func(msg any))
}

type beforeClient struct{ *before.Client }

func (c beforeClient) each(f func(any)) {
	for msg := range c.Messages() {
		f(msg)
	}
}

type afterClient struct{ *after.Client }

func (c afterClient) each(f func(any)) {
	for msg := range c.Messages() {
		f(msg)
	}
}

var old = sdk{
	name: "before",
	parse: func(line []byte) (any, error) {
		msg, err := before.ParseMessage(line)
		if msg == nil {
			return nil, err
		}
		return msg, err
	},
	open: func(stdout io.Reader, stdin io.Writer, h host) client {
		o := before.Options{OnError: h.onError, MCP: map[string]before.MCPServer{}}
		for _, name := range h.servers {
			o.MCP[name] = h.mcp
		}
		if h.canUseTool != nil {
			o.CanUseTool = func(ctx context.Context, tool string, input map[string]any) (before.Permission, error) {
				allow, message := h.canUseTool(ctx, tool, input)
				return before.Permission{Allow: allow, Message: message}, nil
			}
		}
		if h.hook != nil {
			o.Hooks = map[string][]before.HookMatcher{"PreToolUse": {{Matcher: "Bash", Hooks: []before.Hook{h.hook}}}}
		}
		return beforeClient{before.New(stdout, stdin, o)}
	},
}

var twin = sdk{
	name: "after",
	parse: func(line []byte) (any, error) {
		msg, err := after.ParseMessage(line)
		if msg == nil {
			return nil, err
		}
		return msg, err
	},
	open: func(stdout io.Reader, stdin io.Writer, h host) client {
		o := after.Options{OnError: h.onError, MCP: map[string]after.MCPServer{}}
		for _, name := range h.servers {
			o.MCP[name] = h.mcp
		}
		if h.canUseTool != nil {
			o.CanUseTool = func(ctx context.Context, tool string, input map[string]any) (after.Permission, error) {
				allow, message := h.canUseTool(ctx, tool, input)
				return after.Permission{Allow: allow, Message: message}, nil
			}
		}
		if h.hook != nil {
			o.Hooks = map[string][]after.HookMatcher{"PreToolUse": {{Matcher: "Bash", Hooks: []after.Hook{h.hook}}}}
		}
		return afterClient{after.New(stdout, stdin, o)}
	},
}

var both = []sdk{old, twin}

// answering is a host that answers everything.
var answering = host{
	canUseTool: func(context.Context, string, map[string]any) (bool, string) { return true, "" },
	hook:       func(context.Context, map[string]any) (map[string]any, error) { return nil, nil },
	mcp:        func(context.Context, string, map[string]any) (any, error) { return map[string]any{}, nil },
}
