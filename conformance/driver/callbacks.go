package driver

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// options returns what a start command configures, with callbacks that do what the scenario wants.
func (p *conversation) options(c *driver.Command) *Options {
	o := &Options{CLI: c.CLI, Dir: c.Cwd}
	for name, value := range c.Env {
		o.Env = append(o.Env, name+"="+value)
	}
	slices.Sort(o.Env)
	if c.Options == nil {
		return o
	}
	o.Model, o.PermissionMode, o.Resume = c.Options.Model, c.Options.PermissionMode, c.Options.Resume
	o.SystemPrompt, o.MaxTurns, o.IncludePartialMessages = c.Options.SystemPrompt, c.Options.MaxTurns, c.Options.IncludePartialMessages
	o.AllowedTools, o.DisallowedTools = c.Options.AllowedTools, c.Options.DisallowedTools
	if b := c.Options.CanUseTool; b != nil {
		o.CanUseTool = func(ctx context.Context, r PermissionRequest) (*Decision, error) { return p.permission(ctx, b, r) }
	}
	for _, h := range c.Options.Hooks {
		o.Hooks = append(o.Hooks, Hook{Event: h.Event, Matcher: h.Matcher,
			Call: func(ctx context.Context, input json.RawMessage) (json.RawMessage, error) {
				goOn, err := p.called(ctx, &h.Behavior, driver.Report{Kind: "hook", Name: h.Event, Input: input})
				if !goOn || err != nil {
					return nil, err
				}
				return h.Behavior.Output, nil
			}})
	}
	for _, s := range c.Options.MCPServers {
		server := MCPServer{Name: s.Name}
		for _, t := range s.Tools {
			server.Tools = append(server.Tools, MCPTool{Name: t.Name, Call: func(ctx context.Context, text string) (string, error) {
				return p.tool(ctx, &t, text)
			}})
		}
		o.MCPServers = append(o.MCPServers, server)
	}
	return o
}

// called reports a callback and does what all of them can do. It returns false if the callback
// returns nothing.
func (p *conversation) called(ctx context.Context, b *driver.Behavior, r driver.Report) (goOn bool, err error) {
	p.mu.Lock()
	p.calls++
	r.Report, r.Call = driver.Callback, p.calls
	p.mu.Unlock()
	p.report(r)
	if b.AfterMS > 0 {
		select {
		case <-time.After(time.Duration(b.AfterMS) * time.Millisecond):
		case <-ctx.Done():
		}
	}
	switch b.Do {
	case driver.Nothing:
		return false, nil
	case driver.Raise:
		if p.sdk.Panics {
			panic(b.Message)
		}
		return false, errors.New(b.Message)
	case driver.Hang:
		<-p.over
		return false, nil
	case driver.HangUntilCancelled:
		select {
		case <-ctx.Done():
		case <-p.over:
			return false, nil
		}
		p.report(driver.Report{Report: driver.Cancelled, Call: r.Call})
		return false, ctx.Err()
	}
	return true, nil
}

func (p *conversation) permission(ctx context.Context, b *driver.Behavior, r PermissionRequest) (*Decision, error) {
	goOn, err := p.called(ctx, b, driver.Report{Kind: "can_use_tool", Name: r.Tool, Input: r.Input, Suggestions: r.Suggestions})
	if !goOn || err != nil {
		return nil, err
	}
	if b.Do == driver.Deny {
		return &Decision{Message: b.Message}, nil
	}
	allow := &Decision{Allow: true, UpdatedInput: b.UpdatedInput}
	if b.Suggestions {
		allow.UpdatedPermissions = r.Suggestions
	}
	return allow, nil
}

func (p *conversation) tool(ctx context.Context, t *driver.Tool, text string) (string, error) {
	input, err := json.Marshal(map[string]string{"text": text})
	if err != nil {
		return "", err
	}
	goOn, err := p.called(ctx, &t.Behavior, driver.Report{Kind: "mcp_tool", Name: t.Name, Input: input})
	if err != nil || !goOn {
		return "", errors.Join(err, errors.New("the tool gives no result"))
	}
	return "echo: " + text, nil
}
