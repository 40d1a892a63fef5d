package sim

import (
	"context"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/settings"
)

// applyFlagSettings serves apply_flag_settings.
func (s *Session) applyFlagSettings(_ context.Context, r object.Object) (reply, error) {
	o, ok := r.Get("settings").(object.Object)
	if !ok {
		kind := "undefined"
		if r.Has("settings") {
			kind = object.Text(r.Get("settings"))
		}
		return reply{}, &controlError{text: "apply_flag_settings requires `settings` to be an object, got " + kind}
	}
	s.settings.AddFlag(o)
	s.settingsChanged()
	return reply{}, nil
}

// writable are the settings that update_settings takes.
var writable = []string{"outputStyle", "autoCompactEnabled", "autoMemoryEnabled", "language", "theme", "prefersReducedMotion", "spinnerTipsEnabled"}

// updateSettings serves update_settings.
func (s *Session) updateSettings(_ context.Context, r object.Object) (reply, error) {
	o, _ := r.Get("settings").(object.Object)
	var refused []string
	for _, m := range o {
		if !slices.Contains(writable, m.Name) {
			refused = append(refused, m.Name)
		}
	}
	if len(refused) > 0 {
		return reply{}, &controlError{text: "update_settings keys not allowed: " + strings.Join(refused, ", ")}
	}
	if err := s.settings.Update(settings.Source(r.Text("source")), o); err != nil {
		return reply{}, err
	}
	return reply{body: object.Object{}}, nil
}

// getSettings serves get_settings.
func (s *Session) getSettings(context.Context, object.Object) (reply, error) {
	model := s.model.Get()
	applied := s.templateBody("get_settings").Object("applied").With("model", model)
	return reply{body: object.Of("effective", s.settings.Effective(), "sources", s.settings.Sources(), "applied", applied)}, nil
}
