package hooks

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/calls"
	"github.com/ccwire/ccwire/internal/sim/fence"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/life"
	"github.com/ccwire/ccwire/internal/sim/output"
	"github.com/ccwire/ccwire/internal/sim/shell"
)

// Caller calls the hooks of a session and tells the SDK of it.
type Caller struct {
	Registry
	Out    *output.Session
	Calls  *calls.Calls
	Life   *life.Life
	Fence  *fence.Fence // behind which commands run
	Stderr io.Writer
	// Told says that the SDK is told when the commands of all events begin and end, not only those
	// of the start.
	Told bool
	// About returns what the inputs of all events tell of the session.
	About func() Session
	// Watch takes the files whose changes hooks want to see.
	Watch func(paths []string)
}

// Occasion is when an event happens.
type Occasion struct {
	Prompt             string // prompt_id; "" outside of a turn
	AgentID, AgentType string // of a subagent
	Name               string // what matchers are about
	ID                 string // of the tool use; "" for a random one
	Sent               func() // called when all hooks are on their way; nil for nothing
}

// named are the events whose titles have a name.
var named = map[string]bool{
	"PreToolUse": true, "PostToolUse": true, "PostToolUseFailure": true, "PermissionRequest": true, "PermissionDenied": true,
	"SessionStart": true, "SessionEnd": true, "SubagentStart": true,
}

// Call calls the hooks of an event and waits for them. pairs are the members of the input that only
// this event has.
func (c *Caller) Call(ctx context.Context, event string, o Occasion, pairs ...any) Verdict {
	list := c.Match(event, o.Name)
	if len(list) == 0 || !c.Out.Release().Calls(event) {
		if o.Sent != nil {
			o.Sent()
		}
		return Verdict{}
	}
	if o.ID == "" {
		o.ID = ids.UUID()
	}
	about := c.About()
	about.Prompt, about.AgentID, about.AgentType = o.Prompt, o.AgentID, o.AgentType
	input := about.Input(event, pairs...)
	if input.Has("tool_name") && !c.Out.Release().Before("2.1.90") {
		o.Name = OwnName(o.Name)
		input.Set("tool_name", o.Name)
	}
	call := &Call{Event: event, Name: o.Name, Input: input, ID: o.ID, Dir: about.Dir, Fence: c.Fence, NewID: ids.UUID, Sent: o.Sent}
	title := ""
	if named[event] {
		title = o.Name
	}
	v := Judge(event, title, Run(ctx, list, call, &sdk{c, event, title}))
	for _, f := range v.Failures {
		c.failed(event, f)
	}
	return v
}

// Announce calls the hooks of an event that nothing waits for. It returns when they are on their
// way.
func (c *Caller) Announce(event string, o Occasion, pairs ...any) {
	sent := make(chan struct{})
	o.Sent = func() { close(sent) }
	c.Life.Go(func() { c.Watch(c.Call(c.Life.Context(), event, o, pairs...).Watch) })
	<-sent
}

// Say tells the user what hooks have to say.
func (c *Caller) Say(texts []string) {
	for _, text := range texts {
		c.Out.Tell("type", "system", "subtype", "informational", "content", text, "level", "notice")
	}
}

// failed tells of a callback that was not answered as it should, or of a command that did not
// start.
func (c *Caller) failed(event string, f *Failure) {
	if f.Hook.Callback == "" {
		fmt.Fprintf(c.Stderr, "The %s hook %q failed: %v\n", event, f.Hook.Command, f.Cause)
		return
	}
	fmt.Fprintf(c.Stderr, "Error in hook callback %s: %v\n", f.Hook.Callback, f.Cause)
	if c.Out.Release().Before("2.1.325") {
		return
	}
	after := "Its answer was treated as empty."
	if f.Hook.Block {
		after = `onFailure is "block", so this failure counts as a block.`
	}
	c.Out.Tell("type", "system", "subtype", "informational", "content", fmt.Sprintf("%s: %v %s", event, f, after),
		"level", "warning", "tag", "hook_callback_failed")
}

// Reports are what people are told of each hook of an event.
func (c *Caller) Reports(event, name string) (list []string) {
	for _, h := range c.Match(event, name) {
		name := h.Command
		if h.Callback != "" {
			name = "callback"
		}
		list = append(list, fmt.Sprintf("%s [%s] completed successfully", event, name))
	}
	return list
}

// sdk is the Host of an event.
type sdk struct {
	*Caller
	event string
	name  string
}

// Send sends a request.
func (h *sdk) Send(ctx context.Context, request object.Object) func() (any, error) {
	call, err := h.Calls.Send(ctx, request)
	if err != nil {
		return func() (any, error) { return nil, fmt.Errorf("%w: %w", ErrClosed, err) }
	}
	return func() (any, error) {
		body, err := h.Calls.Await(ctx, call, true)
		switch {
		case errors.Is(err, calls.ErrClosedDuring):
			return nil, fmt.Errorf("%w: %w", ErrClosed, err)
		case err != nil:
			return nil, err
		case body == nil:
			return object.Object{}, nil
		case body.Has(""):
			return body.Get(""), nil
		}
		return body, nil
	}
}

// tells reports whether the SDK is told when commands begin and end.
func (h *sdk) tells() bool { return h.Told || h.event == "SessionStart" || h.event == "Setup" }

// Began tells of a command that starts.
func (h *sdk) Began(_ *Hook, id string) {
	if h.tells() {
		h.Out.Tell("type", "system", "subtype", "hook_started", "hook_id", id, "hook_name", title(h.event, h.name), "hook_event", h.event)
	}
}

// Goes tells what a command has written so far.
func (h *sdk) Goes(_ *Hook, id, stdout, stderr string) {
	if h.tells() {
		h.Out.Tell("type", "system", "subtype", "hook_progress", "hook_id", id, "hook_name", title(h.event, h.name), "hook_event", h.event,
			"stdout", stdout, "stderr", stderr, "output", stderr+stdout)
	}
}

// Ended tells of a command that has ended.
func (h *sdk) Ended(_ *Hook, id string, o shell.Outcome) {
	if !h.tells() {
		return
	}
	outcome, code := "success", o.Code
	switch {
	case o.Interrupted || o.TimedOut:
		outcome, code = "cancelled", 1
	case o.Code != 0:
		outcome = "error"
	}
	h.Out.Tell("type", "system", "subtype", "hook_response", "hook_id", id, "hook_name", title(h.event, h.name), "hook_event", h.event,
		"output", o.Stderr+o.Stdout, "stdout", o.Stdout, "stderr", o.Stderr, "exit_code", code, "outcome", outcome)
}
