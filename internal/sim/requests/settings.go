package requests

import (
	"context"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/control"
	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/settings"
)

// stored serves the requests about settings.
type stored struct{ *Parts }

func (s stored) handlers() handlers {
	return handlers{
		"apply_flag_settings": {Serve: s.applyFlagSettings},
		"update_settings":     {Serve: s.updateSettings},
		"get_settings":        {Serve: s.getSettings},
	}
}

// applyFlagSettings serves apply_flag_settings.
func (s stored) applyFlagSettings(_ context.Context, r object.Object) (control.Reply, error) {
	o, ok := r.Get("settings").(object.Object)
	if !ok {
		kind := "undefined"
		if r.Has("settings") {
			kind = object.Text(r.Get("settings"))
		}
		return control.Reply{}, &control.Error{Text: "apply_flag_settings requires `settings` to be an object, got " + kind}
	}
	s.Settings.AddFlag(o)
	s.SettingsChanged()
	if !o.Has("model") || s.Out.Release().Before("2.1.325") {
		return control.Reply{}, nil
	}
	told := s.Chosen.Set(o.Text("model")) && s.used()
	return control.Reply{Ready: func() {
		if told {
			s.Out.Said("<local-command-stdout>Set model to `"+s.Chosen.Get()+"`</local-command-stdout>", "isReplay", true)
		}
	}}, nil
}

// writable are the settings that update_settings takes.
var writable = []string{"outputStyle", "autoCompactEnabled", "autoMemoryEnabled", "language", "theme", "prefersReducedMotion", "spinnerTipsEnabled"}

// updateSettings serves update_settings.
func (s stored) updateSettings(_ context.Context, r object.Object) (control.Reply, error) {
	o, _ := r.Get("settings").(object.Object)
	var refused []string
	for _, m := range o {
		if !slices.Contains(writable, m.Name) {
			refused = append(refused, m.Name)
		}
	}
	if len(refused) > 0 {
		return control.Reply{}, &control.Error{Text: "update_settings keys not allowed: " + strings.Join(refused, ", ")}
	}
	if err := s.Settings.Update(settings.Source(r.Text("source")), o); err != nil {
		return control.Reply{}, err
	}
	return control.Reply{Body: object.Object{}}, nil
}

// getSettings serves get_settings.
func (s stored) getSettings(context.Context, object.Object) (control.Reply, error) {
	model := s.Chosen.Get()
	applied := s.templateBody("get_settings").Object("applied").With("model", model)
	if !s.Out.Release().Before("2.1.325") {
		var effort any
		if level := models.EffortOf(model, s.Flags.Value("effort")); level != "" {
			effort = level
		}
		applied = applied.With("effort", effort, "ultracodeAvailable", slices.Contains(models.AbilitiesOf(model).Effort, "xhigh"))
	}
	return control.Reply{Body: object.Of("effective", s.Settings.Effective(), "sources", s.Settings.Sources(), "applied", applied)}, nil
}
