package ccwire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"log/slog"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/conformance/driver"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport"
)

// SDK is our transport as the suite drives it.
var SDK = driver.SDK{
	Name: "ccwire",
	Features: []string{
		driver.CanUseTool, driver.Hooks, driver.MCPServers, driver.Interrupt, driver.SetModel, driver.SetPermissionMode,
		driver.MCPStatus, driver.Resume, driver.IncludePartialMessages, driver.CloseInput, driver.Cancel, driver.Nothing,
		driver.Raise, driver.UpdatedInput, driver.UpdatedPermissions, driver.Stderr, driver.ExitCode, driver.AllowedTools, driver.DisallowedTools, driver.CLIPath,
		driver.StartContext, driver.Sessions,
	},
	Open: func(ctx context.Context, o *driver.Options) (driver.Session, error) {
		s, err := transport.Open(ctx, options(o))
		if err != nil {
			return nil, err
		}
		return &session{stream{next: pull(s.Messages()), close: s.Close}, s}, nil
	},
	Query: func(ctx context.Context, prompt string, o *driver.Options) (driver.Stream, error) {
		return &stream{next: pull(transport.Query(ctx, prompt, options(o)).Messages()), close: func() error { return nil }}, nil
	},
	Exit: func(err error) (*int, string) {
		if exit := (*transport.ExitError)(nil); errors.As(err, &exit) {
			return &exit.Code, exit.Stderr
		}
		return nil, ""
	},
	Panics: true,
}

// stream is the messages of a session or of a query.
type stream struct {
	next  func() (wire.Frame, error, bool) // false at the end
	close func() error
}

func pull(messages iter.Seq2[wire.Frame, error]) func() (wire.Frame, error, bool) {
	next, _ := iter.Pull2(messages)
	return next
}

func (s *stream) Close() error { return s.close() }

func (s *stream) Next() (m driver.Message, err error) {
	for {
		f, err, ok := s.next()
		if !ok {
			return m, io.EOF
		}
		if turn := (*transport.TurnError)(nil); errors.As(err, &turn) {
			continue // the result was a message
		}
		if err != nil {
			return m, err
		}
		text, err := f.AppendJSON(nil)
		if unreadable, ok := f.(*wire.UnknownFrame); ok && err != nil {
			text, err = json.Marshal(string(unreadable.Raw)) // not UTF-8
		}
		subtype, _ := codec.Raw(text).Find("/subtype").Text()
		return driver.Message{Type: f.Type(), Subtype: subtype, JSON: text}, err
	}
}

// session is a conversation with all operations.
type session struct {
	stream
	*transport.Session
}

func (s *session) Close() error { return s.stream.Close() }

func (s *session) Prompt(ctx context.Context, text string) error {
	return s.Session.Prompt(ctx, text)
}

func (s *session) Interrupt(ctx context.Context) (any, error) {
	return s.Session.Client.Interrupt(ctx, &wire.InterruptRequest{})
}

func (s *session) SetModel(ctx context.Context, model string) (any, error) {
	return s.Session.Client.SetModel(ctx, &wire.SetModelRequest{Model: wire.Some(model)})
}

func (s *session) SetPermissionMode(ctx context.Context, mode string) (any, error) {
	return s.Session.Client.SetPermissionMode(ctx, &wire.SetPermissionModeRequest{Mode: wire.PermissionMode(mode)})
}

func (s *session) MCPStatus(ctx context.Context) (any, error) {
	return s.Session.Client.MCPStatus(ctx, &wire.MCPStatusRequest{})
}

func options(o *driver.Options) *transport.Options {
	c := &transport.Options{CLI: o.CLI, Dir: o.Dir, Env: o.Env, Logger: slog.New(slog.DiscardHandler)}
	c.Flags.Model, c.Flags.PermissionMode, c.Flags.Resume = o.Model, o.PermissionMode, o.Resume
	c.Flags.IncludePartialMessages, c.Flags.MaxTurns = o.IncludePartialMessages, o.MaxTurns
	c.Flags.AllowedTools, c.Flags.DisallowedTools = o.AllowedTools, o.DisallowedTools
	if o.SystemPrompt != "" {
		c.Flags.SystemPrompt = &o.SystemPrompt
	}
	if o.CanUseTool != nil {
		c.CanUseTool = func(ctx context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
			return permission(ctx, o.CanUseTool, r)
		}
	}
	for _, h := range o.Hooks {
		if c.Hooks == nil {
			c.Hooks = map[string][]transport.Hook{}
		}
		c.Hooks[h.Event] = append(c.Hooks[h.Event], transport.Hook{Matcher: h.Matcher, Callbacks: []transport.HookFunc{hook(&h)}})
	}
	for _, s := range o.MCPServers {
		if c.MCPServers == nil {
			c.MCPServers = map[string]transport.MCPServer{}
		}
		c.MCPServers[s.Name] = server(&s)
	}
	return c
}
