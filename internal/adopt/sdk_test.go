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
	canUseTool func(ctx context.Context, tool string, input map[string]any) (permission, error)
	hooks      []hook
	mcp        map[string]mcpServer
	onError    func(error)
}

type permission struct {
	allow   bool
	message string
	updated map[string]any
}

type hook struct {
	event, matcher string
	call           func(ctx context.Context, input map[string]any) (map[string]any, error)
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
		o := before.Options{OnError: h.onError, Hooks: map[string][]before.HookMatcher{}, MCP: map[string]before.MCPServer{}}
		if h.canUseTool != nil {
			o.CanUseTool = func(ctx context.Context, tool string, input map[string]any) (before.Permission, error) {
				p, err := h.canUseTool(ctx, tool, input)
				return before.Permission{Allow: p.allow, Message: p.message, UpdatedInput: p.updated}, err
			}
		}
		for _, k := range h.hooks {
			o.Hooks[k.event] = append(o.Hooks[k.event], before.HookMatcher{Matcher: k.matcher, Hooks: []before.Hook{k.call}})
		}
		for name, server := range h.mcp {
			o.MCP[name] = server
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
		o := after.Options{OnError: h.onError, Hooks: map[string][]after.HookMatcher{}, MCP: map[string]after.MCPServer{}}
		if h.canUseTool != nil {
			o.CanUseTool = func(ctx context.Context, tool string, input map[string]any) (after.Permission, error) {
				p, err := h.canUseTool(ctx, tool, input)
				return after.Permission{Allow: p.allow, Message: p.message, UpdatedInput: p.updated}, err
			}
		}
		for _, k := range h.hooks {
			o.Hooks[k.event] = append(o.Hooks[k.event], after.HookMatcher{Matcher: k.matcher, Hooks: []after.Hook{k.call}})
		}
		for name, server := range h.mcp {
			o.MCP[name] = server
		}
		return afterClient{after.New(stdout, stdin, o)}
	},
}

var both = []sdk{old, twin}
