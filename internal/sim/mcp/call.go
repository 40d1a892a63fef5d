package mcp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ccwire/ccwire/internal/object"
)

// Call calls a tool for a tool use of the model. When the context ends, the server is told so, and
// Call returns the context's error. Other errors are what the model is told.
func (s *Set) Call(ctx context.Context, t Tool, arguments object.Object, use string) (*Result, error) {
	n, err := s.connection(t.Server)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	session, tap, pipe := n.session, n.tap, n.pipe
	n.mu.Unlock()
	key := use
	if key == "" {
		key = "tools/call"
	}
	type outcome struct {
		result *Result
		err    error
	}
	inner, cancel := context.WithCancel(s.ctx)
	defer cancel()
	done := make(chan outcome, 1)
	go func() { // ends with the call, or with inner
		p := &mcp.CallToolParams{Name: t.Tool, Arguments: arguments}
		if arguments == nil {
			p.Arguments = object.Object{}
		}
		if use != "" {
			p.Meta = mcp.Meta{toolUse: use}
		}
		_, err := session.CallTool(inner, p)
		whole := tap.taken(key)
		structured := whole.Get("structuredContent")
		_, named := structured.(object.Object)
		switch {
		case err != nil && whole != nil, structured != nil && !named:
			done <- outcome{err: malformed(t.Server, err)}
			return
		case err != nil:
			done <- outcome{err: errors.New(reason(err))}
			return
		}
		done <- outcome{result: &Result{Content: whole.List("content"), IsError: whole.Bool("isError"), Structured: structured, Whole: whole}}
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
	}
	if pipe == nil { // the Go SDK tells it some time later: before the next call, here
		cancel()
		select {
		case <-tap.cancelled:
		case <-time.After(cancelTime):
		case <-s.ctx.Done():
		}
		return nil, ctx.Err()
	}
	if id, ok := tap.callID(use); ok {
		// Here and not by the Go SDK, which tells it some time later.
		s.host.Send(t.Server, object.Of("jsonrpc", "2.0", "method", "notifications/cancelled",
			"params", object.Of("requestId", wireID(id), "reason", "AbortError: remote-cancel")))
		return nil, ctx.Err()
	}
	select { // of an earlier call
	case <-tap.told:
	default:
	}
	cancel()
	select { // what is sent next must not overtake the notification
	case <-tap.told:
	case <-time.After(time.Second): // the server does not read
	}
	return nil, ctx.Err()
}

// malformed is what the model is told of a result that is not one of MCP.
func malformed(server string, err error) error {
	why := "structuredContent is not an object"
	if err != nil {
		why = err.Error()
	}
	return fmt.Errorf("MCP server %q returned a malformed result that failed schema validation: Invalid result for tools/call: %s", server, why)
}

// cancelTime is how long a call that was cancelled waits until its server is told.
const cancelTime = time.Second

// Resources returns the resources of a server, of all with resources if the name is "".
func (s *Set) Resources(ctx context.Context, name string) ([]any, error) {
	servers := s.all()
	if name != "" {
		n, err := s.connection(name)
		if err != nil {
			return nil, err
		}
		servers = []*server{n}
	}
	list := []any{}
	for _, n := range servers {
		n.mu.Lock()
		session, tap, caps := n.session, n.tap, n.caps
		n.mu.Unlock()
		if session == nil || !caps.Has("resources") {
			continue
		}
		if _, err := session.ListResources(ctx, nil); err != nil {
			return nil, errors.New(reason(err))
		}
		for _, v := range tap.taken("resources/list").List("resources") {
			r, _ := v.(object.Object)
			list = append(list, object.Of("name", r.Get("name")).With("uri", r.Get("uri")).With(rest(r)...).With("server", n.name))
		}
	}
	return list, nil
}

// rest returns the members of a resource beside its name and address, as pairs.
func rest(r object.Object) []any {
	var pairs []any
	for _, m := range r.Without("name", "uri") {
		pairs = append(pairs, m.Name, m.Value)
	}
	return pairs
}

// ReadResource reads a resource. It returns the result of resources/read.
func (s *Set) ReadResource(ctx context.Context, name, uri string) (object.Object, error) {
	n, err := s.connection(name)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	session, tap := n.session, n.tap
	n.mu.Unlock()
	if n.kind() == "sdk" {
		return nil, said("mcp_read_resource does not support SDK MCP servers: the caller hosts them and can read them directly")
	}
	if _, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri}); err != nil {
		return nil, said("mcp_read_resource: " + reason(err))
	}
	return object.Of("contents", tap.taken("resources/read").Get("contents")), nil
}

// Prompt returns the messages of a prompt, of which the arguments are words.
func (s *Set) Prompt(ctx context.Context, p Prompt, words []string) ([]any, error) {
	n, err := s.connection(p.Server)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	session, tap := n.session, n.tap
	n.mu.Unlock()
	arguments := map[string]string{}
	for i, name := range p.Arguments {
		if i < len(words) {
			arguments[name] = words[i]
		}
	}
	if _, err := session.GetPrompt(ctx, &mcp.GetPromptParams{Name: p.Name, Arguments: arguments}); err != nil {
		return nil, errors.New(reason(err))
	}
	return tap.taken("prompts/get").List("messages"), nil
}
