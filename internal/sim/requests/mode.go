package requests

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/control"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/permission"
)

// modes serves the requests about the model and the mode.
type modes struct{ *Parts }

func (s modes) handlers() handlers {
	return handlers{
		"set_model":               {Serve: s.setModel, Slow: func() bool { return s.Hooks.Any("PreModelSwitch") }},
		"set_permission_mode":     {Serve: s.setMode},
		"set_max_thinking_tokens": {Serve: s.setThinking},
		"set_proactivity_level":   {Serve: s.setProactivity},
	}
}

// setModel serves set_model.
func (s modes) setModel(ctx context.Context, r object.Object) (control.Reply, error) {
	name, ok := r.Get("model").(string)
	current := s.Chosen.Get()
	switch {
	case !ok && r.Get("model") != nil:
		return control.Reply{}, &control.Error{Text: "set_model: model must be a string", Code: "invalid_request", More: object.Of("model", current)}
	case ok && name == "":
		return control.Reply{}, &control.Error{Text: `Model "(unrecognized model name)" is not a recognized model id. Run /model to see available models.`, Code: "catalog_unknown", More: object.Of("model", current)}
	case !ok || name == "default":
		name = s.Chosen.Resolve("default")
	}
	if models.LacksLong(name) {
		return control.Reply{}, &control.Error{Text: "there is no 1M form of the model of '" + name + "': choose /model " + models.Asked(name) + " or /model sonnet[1m]",
			Code: "alias_1m_unsupported", More: object.Of("model", current)}
	}
	model := s.Chosen.Resolve(name)
	about := []any{"from_model", current, "to_model", model, "requested_model", name, "source", "sdk", "context_tokens", 0, "prompt_cache_warm", false,
		"cache_ttl", "5m", "estimated_cache_write_usd", 0, "pricing", "catalog"}
	if v := s.Hooks.Call(ctx, "PreModelSwitch", hooks.Occasion{Name: model}, about...); v.Decision == "deny" {
		return control.Reply{}, &control.Error{Text: "Model switch blocked by hook: " + v.Reason, More: object.Of("model", current)}
	}
	shown := model
	if models.Short(models.Asked(name)) {
		shown = name + " (" + model + ")"
	}
	told := s.Chosen.Set(name) && s.used() && !s.Out.Release().Before("2.0.77")
	var body any = object.Of("model", model)
	if s.Out.Release().Before("2.1.325") {
		body = nil
	}
	return control.Reply{Body: body, Ready: func() {
		if told {
			s.Out.Said("<local-command-stdout>Set model to `"+shown+"`</local-command-stdout>", "isReplay", true)
			s.Results.Passed()
		}
	}, Then: func() {
		s.Life.Go(func() { s.Hooks.Call(s.Life.Context(), "PostModelSwitch", hooks.Occasion{Name: model}, about...) })
	}}, nil
}

// used reports whether the session has a conversation, which may be one that is resumed. Of a
// change before it nothing is told.
func (p *Parts) used() bool {
	return p.Results.Count() > 0 || p.Stage.Playing() || len(p.Stage.Main.Talk.Messages()) > 0
}

// setMode serves set_permission_mode.
func (s modes) setMode(_ context.Context, r object.Object) (control.Reply, error) {
	mode, _ := r.Get("mode").(string)
	switch {
	case mode == "manual":
		mode = "default"
	case mode == "bypassPermissions" && !s.Flags.Has("allow-dangerously-skip-permissions") && !s.Flags.Has("dangerously-skip-permissions"):
		return control.Reply{}, &control.Error{Text: "Cannot set permission mode to bypassPermissions because the session was not launched with --dangerously-skip-permissions", Code: "bypass_not_launched"}
	case mode != "default" && !slices.Contains(permission.FlagModes, mode):
		names := slices.Sorted(slices.Values([]string{"acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"}))
		return control.Reply{}, &control.Error{Text: "Cannot set permission mode: must be one of " + strings.Join(names, ", "), Code: "invalid_mode"}
	}
	changed := s.Policy.Change(mode)
	return control.Reply{Body: object.Of("mode", mode), Then: func() {
		if changed {
			s.Gate.TellMode(mode)
		}
	}}, nil
}

// setThinking serves set_max_thinking_tokens.
func (s modes) setThinking(_ context.Context, r object.Object) (control.Reply, error) {
	_, isNumber := r.Get("max_thinking_tokens").(float64)
	display := r.Get("thinking_display")
	if !isNumber && r.Get("max_thinking_tokens") != nil || !slices.Contains([]any{nil, "summarized", "omitted", "highlights"}, display) {
		return control.Reply{}, &control.Error{Text: `set_max_thinking_tokens: max_thinking_tokens must be an integer or null and thinking_display must be "summarized", "omitted", "highlights", or null`}
	}
	return control.Reply{}, nil
}

// setProactivity serves set_proactivity_level.
func (s modes) setProactivity(_ context.Context, r object.Object) (control.Reply, error) {
	if !s.Host.Proactivity() {
		return control.Reply{}, &control.Error{Text: "Cannot set proactivity: levels are not enabled for this session (the host must send proactivity: true on initialize, with no kill switch set)"}
	}
	level := r.Text("level")
	switch level {
	case "proactive":
		if s.Policy.Change("auto") {
			s.Gate.TellMode("auto")
		}
	case "ask", "default":
	default:
		return control.Reply{}, &control.Error{Text: fmt.Sprintf("Cannot set proactivity: unrecognized level %v (expected one of ask, default, proactive)", r.Get("level"))}
	}
	return control.Reply{Body: object.Of("level", level, "permissionMode", s.Policy.Mode())}, nil
}
