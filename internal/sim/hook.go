package sim

import (
	"context"
	"path/filepath"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/watch"
)

// about is what the inputs of all hooks tell of the session.
func (s *Session) about() hooks.Session {
	return hooks.Session{ID: s.out.ID(), Transcript: s.transcript.Path(), Dir: s.place.Cwd(), Mode: s.policy.Mode(), Effort: s.effort()}
}

// effort is how much the model thinks.
func (s *Session) effort() string {
	if e := s.flags.Value("effort"); e != "" {
		return e
	}
	return "medium"
}

// when is the occasion of an event in the turn, for an agent if that is not nil. The turn may be
// nil.
func (t *turn) when(a *agent, name string) hooks.Occasion {
	o := hooks.Occasion{Name: name}
	if t != nil {
		o.Prompt = t.id
	}
	if a != nil && a.id != "" {
		o.AgentID, o.AgentType = a.id, a.kind
	}
	return o
}

// fire runs the hooks of an event that is not about a tool. more are the event's own members of
// their input. It returns what people are told of each hook.
func (s *Session) fire(t *turn, event string, more object.Object) (reports []string) {
	o := t.when(nil, "")
	for _, name := range []string{"trigger", "source", "reason"} {
		if text := more.Text(name); text != "" {
			o.Name = text
			break
		}
	}
	if event == "SessionStart" && o.Name == "clear" {
		o.Prompt = ""
	}
	reports = s.hooks.Reports(event, o.Name)
	s.begun(s.hooks.Call(t.ctx, event, o, more.Pairs()...))
	return reports
}

// begun takes what the hooks of a session's events have to say.
func (s *Session) begun(v hooks.Verdict) {
	s.watched.Watch(v.Watch)
	for _, text := range v.Contexts {
		s.main.talk.Tell(text)
	}
	s.hooks.Say(v.Messages)
}

// lastOccasion is the occasion of an event that is not bound to a turn.
func (s *Session) lastOccasion(name string) hooks.Occasion {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.latest.when(nil, name)
}

// fileChanged calls the hooks that see a file that has changed.
func (s *Session) fileChanged(c watch.Change) {
	s.hooks.Announce("FileChanged", s.lastOccasion(filepath.Base(c.Path)), "file_path", c.Path, "event", c.Event)
}

// sessionStarts runs the commands of the start of a session. The SDK's callbacks do not see it:
// they are not known yet.
func (s *Session) sessionStarts() {
	source := "startup"
	if s.flags.Has("resume") || s.flags.Has("continue") {
		source = "resume"
	}
	s.begun(s.hooks.Call(s.life.Context(), "SessionStart", hooks.Occasion{Name: source}, "source", source, "model", s.modelOf(s.main)))
}

// sessionEnds runs the commands of the end of a session. The SDK's callbacks do not see it.
func (s *Session) sessionEnds(ctx context.Context) {
	s.hooks.SetCallbacks(nil)
	s.hooks.Call(ctx, "SessionEnd", hooks.Occasion{Name: "other"}, "reason", "other")
}
