package sim

import (
	"context"
	"path/filepath"

	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/watch"
)

// about is what the inputs of all hooks tell of the session.
func (s *Session) about() hooks.Session {
	effort := s.flags.Value("effort")
	switch {
	case !s.release.Before("2.1.325"):
		effort = models.EffortOf(s.model.Get(), effort)
	case effort != "":
	case s.release.Before("2.1.290"):
		effort = "high"
	default:
		effort = "medium"
	}
	return hooks.Session{ID: s.out.ID(), Transcript: s.transcript.Path(), Dir: s.place.Cwd(), Mode: s.policy.Mode(), Effort: effort, Title: s.transcript.Title()}
}

// fileChanged calls the hooks that see a file that has changed.
func (s *Session) fileChanged(c watch.Change) {
	s.hooks.Announce("FileChanged", s.stage.LastOccasion(filepath.Base(c.Path)), "file_path", c.Path, "event", c.Event)
}

// sessionStarts runs the commands of the start of a session. The SDK's callbacks do not see it:
// they are not known yet. What the commands have to say to the user is not shown.
func (s *Session) sessionStarts() {
	source := "startup"
	switch resumed := s.flags.Has("resume") || s.flags.Has("continue"); {
	case resumed && s.flags.Has("fork-session") && !s.release.Before("2.1.325"):
		source = "fork"
	case resumed:
		source = "resume"
	}
	v := s.hooks.Call(s.life.Context(), "SessionStart", hooks.Occasion{Name: source}, "source", source, "model", s.model.Get())
	v.Messages = nil
	if title := v.Specific.Text("sessionTitle"); title != "" {
		s.out.Tell("type", "system", "subtype", "session_title_changed", "title", title)
		s.transcript.Named(title)
	}
	s.stage.Begun(v)
}

// sessionEnds runs the commands of the end of a session. The SDK's callbacks do not see it.
func (s *Session) sessionEnds(ctx context.Context) {
	s.hooks.SetCallbacks(nil)
	s.hooks.Call(ctx, "SessionEnd", hooks.Occasion{Name: "other"}, "reason", "other")
}
