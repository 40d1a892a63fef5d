package sim

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/calls"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/shell"
	"github.com/ccwire/ccwire/internal/sim/watch"
)

// hookState are the hooks of a session.
type hookState struct {
	mu        sync.Mutex   // guards the fields below
	callbacks []hooks.Hook // of the last initialize
	commands  []hooks.Hook // of settings and plugins
}

// set replaces the SDK's callbacks.
func (h *hookState) set(list []hooks.Hook) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.callbacks = list
}

// match returns the hooks that an event calls.
func (h *hookState) match(event, name string) []hooks.Hook {
	h.mu.Lock()
	defer h.mu.Unlock()
	return hooks.Match(append(slices.Clone(h.commands), h.callbacks...), event, name)
}

// any reports whether an event has hooks.
func (h *hookState) any(event string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	has := func(k hooks.Hook) bool { return k.Event == event }
	return slices.ContainsFunc(h.callbacks, has) || slices.ContainsFunc(h.commands, has)
}

// anyCommand reports whether the settings or plugins have hooks for an event.
func (h *hookState) anyCommand(event string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.commands, func(k hooks.Hook) bool { return k.Event == event })
}

// occasion is when an event happens.
type occasion struct {
	turn  *turn  // nil outside of a turn
	agent *agent // nil for the session's own
	name  string // what matchers are about
	id    string // of the tool use; "" for a random one
	sent  func() // called when all hooks are on their way
}

// callHooks calls the hooks of an event. pairs are the members of the input that only this event
// has.
func (s *Session) callHooks(ctx context.Context, event string, o occasion, pairs ...any) hooks.Verdict {
	list := s.hooks.match(event, o.name)
	if len(list) == 0 {
		if o.sent != nil {
			o.sent()
		}
		return hooks.Verdict{}
	}
	if o.id == "" {
		o.id = ids.UUID()
	}
	about := hooks.Session{ID: s.out.ID(), Transcript: s.transcript.Path(), Dir: s.place.Cwd(), Mode: s.permissionMode(), Effort: s.effort()}
	if o.turn != nil {
		about.Prompt = o.turn.id
	}
	if o.agent != nil && o.agent.id != "" {
		about.AgentID, about.AgentType = o.agent.id, o.agent.kind
	}
	call := &hooks.Call{Event: event, Name: o.name, Input: about.Input(event, pairs...), ID: o.id, Dir: about.Dir, NewID: ids.UUID, Sent: o.sent}
	named := o.name
	switch event {
	case "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied", "SessionStart", "SessionEnd":
	default:
		named = ""
	}
	v := hooks.Judge(event, named, hooks.Run(ctx, list, call, &hookHost{s, event, named}))
	for _, f := range v.Failures {
		s.hookFailed(event, f)
	}
	return v
}

// effort is how much the model thinks.
func (s *Session) effort() string {
	if e := s.flags.Value("effort"); e != "" {
		return e
	}
	return "medium"
}

func (s *Session) permissionMode() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mode
}

// hookFailed tells of a callback that was not answered as it should.
func (s *Session) hookFailed(event string, f *hooks.Failure) {
	fmt.Fprintf(s.Stderr, "Error in hook callback %s: %v\n", f.Hook.Callback, f.Cause)
	after := "Its answer was treated as empty."
	if f.Hook.Block {
		after = `onFailure is "block", so this failure counts as a block.`
	}
	s.out.Tell("type", "system", "subtype", "informational", "content", fmt.Sprintf("%s: %v %s", event, f, after),
		"level", "warning", "tag", "hook_callback_failed")
}

// say tells the user what hooks have to say.
func (s *Session) say(texts []string) {
	for _, text := range texts {
		s.out.Tell("type", "system", "subtype", "informational", "content", text, "level", "notice")
	}
}

// hookHost lets hooks reach the SDK.
type hookHost struct {
	session *Session
	event   string
	name    string
}

// Send sends a request.
func (h *hookHost) Send(ctx context.Context, request object.Object) func() (any, error) {
	s := h.session
	c, err := s.calls.Send(ctx, request)
	if err != nil {
		return func() (any, error) { return nil, fmt.Errorf("%w: %w", hooks.ErrClosed, err) }
	}
	return func() (any, error) {
		body, err := s.calls.Await(ctx, c, true)
		switch {
		case errors.Is(err, calls.ErrClosedDuring):
			return nil, fmt.Errorf("%w: %w", hooks.ErrClosed, err)
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

// Began tells of a command that starts.
func (h *hookHost) Began(_ *hooks.Hook, id string) {
	if h.session.flags.Has("include-hook-events") {
		h.session.out.Tell("type", "system", "subtype", "hook_started", "hook_id", id, "hook_name", h.title(), "hook_event", h.event)
	}
}

// Ended tells of a command that has ended.
func (h *hookHost) Ended(_ *hooks.Hook, id string, o shell.Outcome) {
	if !h.session.flags.Has("include-hook-events") {
		return
	}
	outcome := "success"
	switch {
	case o.Interrupted || o.TimedOut:
		outcome = "cancelled"
	case o.Code != 0:
		outcome = "error"
	}
	h.session.out.Tell("type", "system", "subtype", "hook_response", "hook_id", id, "hook_name", h.title(), "hook_event", h.event,
		"output", o.Stdout+o.Stderr, "stdout", o.Stdout, "stderr", o.Stderr, "exit_code", o.Code, "outcome", outcome)
}

func (h *hookHost) title() string {
	if h.name == "" {
		return h.event
	}
	return h.event + ":" + h.name
}

// fired is what came of the hooks of an event.
type fired struct {
	reports []string // what people are told of each hook
}

// fire runs the hooks of an event that is not about a tool. more are the event's own members of
// their input.
func (s *Session) fire(t *turn, event string, more object.Object) (f fired) {
	o := occasion{turn: t}
	for _, name := range []string{"trigger", "source", "reason"} {
		if text := more.Text(name); text != "" {
			o.name = text
			break
		}
	}
	if event == "SessionStart" && o.name == "clear" {
		o.turn = nil
	}
	for _, h := range s.hooks.match(event, o.name) {
		name := h.Command
		if h.Callback != "" {
			name = "callback"
		}
		f.reports = append(f.reports, fmt.Sprintf("%s [%s] completed successfully", event, name))
	}
	var pairs []any
	for _, m := range more {
		pairs = append(pairs, m.Name, m.Value)
	}
	v := s.callHooks(t.ctx, event, o, pairs...)
	s.watched.Watch(v.Watch)
	for _, text := range v.Contexts {
		s.main.talk.Tell(text)
	}
	s.say(v.Messages)
	return f
}

// lastOccasion is the occasion of an event that is not bound to a turn.
func (s *Session) lastOccasion(name string) occasion {
	s.mu.Lock()
	defer s.mu.Unlock()
	return occasion{turn: s.latest, name: name}
}

// announce calls the hooks of an event that nothing waits for. It returns when they are on their
// way.
func (s *Session) announce(event string, o occasion, pairs ...any) {
	sent := make(chan struct{})
	o.sent = func() { close(sent) }
	s.life.Go(func() { s.watched.Watch(s.callHooks(s.life.Context(), event, o, pairs...).Watch) })
	<-sent
}

// fileChanged calls the hooks that see a file that has changed.
func (s *Session) fileChanged(c watch.Change) {
	s.announce("FileChanged", s.lastOccasion(filepath.Base(c.Path)), "file_path", c.Path, "event", c.Event)
}

// sessionStarts runs the commands of the start of a session. The SDK's callbacks do not see it:
// they are not known yet.
func (s *Session) sessionStarts() {
	source := "startup"
	if s.flags.Has("resume") || s.flags.Has("continue") {
		source = "resume"
	}
	v := s.callHooks(s.life.Context(), "SessionStart", occasion{name: source}, "source", source, "model", s.modelOf(s.main))
	s.watched.Watch(v.Watch)
	for _, text := range v.Contexts {
		s.main.talk.Tell(text)
	}
	s.say(v.Messages)
}

// sessionEnds runs the commands of the end of a session. The SDK's callbacks do not see it.
func (s *Session) sessionEnds(ctx context.Context) {
	s.hooks.set(nil)
	s.callHooks(ctx, "SessionEnd", occasion{name: "other"}, "reason", "other")
}
