package requests

import (
	"context"
	"fmt"
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
		return control.Reply{}, &control.Error{Text: "apply_flag_settings requires `settings` to be an object, got " + given(r, "settings")}
	}
	set := slices.DeleteFunc(slices.Clone(o), func(m object.Member) bool { return m.Value == nil }) // null takes a member away
	if wrong := settings.Wrong(set); len(wrong) > 0 && !s.Out.Release().Before("2.1.326") {
		return control.Reply{}, &control.Error{Text: "apply_flag_settings: nothing in this request was applied and earlier settings stay in force. " +
			"Fix or remove these invalid settings and send it again: " + strings.Join(wrong, ", ")}
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

// writable are the settings that update_settings takes, by the source that it writes.
var writable = map[settings.Source][]string{settings.Local: {"outputStyle"}, settings.User: {"effortLevel"}}

// updateSettings serves update_settings.
func (s stored) updateSettings(_ context.Context, r object.Object) (control.Reply, error) {
	o, ok := r.Get("settings").(object.Object)
	source := settings.Source(r.Text("source"))
	names, known := writable[source]
	switch {
	case !ok:
		return control.Reply{}, &control.Error{Text: "update_settings requires `settings` to be an object, got " + given(r, "settings")}
	case !known:
		said := given(r, "source")
		if source != "" {
			said = string(source)
		}
		return control.Reply{}, &control.Error{Text: "update_settings: unsupported source " + said}
	}
	var refused []string
	for _, m := range o {
		if !slices.Contains(names, m.Name) {
			refused = append(refused, m.Name)
		}
	}
	if !s.Settings.Reads(source) {
		return control.Reply{}, &control.Error{Text: fmt.Sprintf("update_settings: the %s source is disabled for this session (--setting-sources)", source)}
	}
	if len(refused) > 0 {
		return control.Reply{}, &control.Error{Text: "update_settings keys not allowed: " + strings.Join(refused, ", ")}
	}
	if o.Has("effortLevel") { // it is kept for the model
		o = object.Of("modelSettings", object.Of(s.Chosen.Get(), o))
	}
	if err := s.Settings.Update(source, o); err != nil {
		return control.Reply{}, err
	}
	return control.Reply{Body: object.Object{}}, nil
}

// given is a member of a request as an error tells it.
func given(r object.Object, name string) string {
	if !r.Has(name) {
		return "undefined"
	}
	return object.Text(r.Get(name))
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
	body := object.Of("effective", s.Settings.Effective(), "sources", s.Settings.Sources())
	if !s.Out.Release().Before("2.1.328") {
		body.Set("served_settings_state", "ineligible")
	}
	body.Set("applied", applied)
	return control.Reply{Body: body}, nil
}
