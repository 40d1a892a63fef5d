package sim

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/models"
)

func init() {
	controls["set_model"] = control{serve: (*Session).setModel}
	controls["set_permission_mode"] = control{serve: (*Session).setMode}
	controls["set_max_thinking_tokens"] = control{serve: (*Session).setThinking}
	controls["set_proactivity_level"] = control{serve: (*Session).setProactivity}
	controls["apply_flag_settings"] = control{serve: (*Session).applyFlagSettings}
	controls["update_settings"] = control{serve: (*Session).updateSettings}
	controls["get_settings"] = control{serve: (*Session).getSettings}
}

// setModel serves set_model.
func (s *Session) setModel(ctx context.Context, r object.Object) (reply, error) {
	name, ok := r.Get("model").(string)
	current := s.model.Get()
	switch {
	case !ok && r.Get("model") != nil:
		return reply{}, &controlError{"set_model: model must be a string", "invalid_request", object.Of("model", current)}
	case ok && name == "":
		return reply{}, &controlError{`Model "(unrecognized model name)" is not a recognized model id. Run /model to see available models.`, "catalog_unknown", object.Of("model", current)}
	case !ok || name == "default":
		name = models.Default
	}
	model := models.Resolve(name)
	about := []any{"from_model", current, "to_model", model, "requested_model", name, "source", "sdk", "context_tokens", 0, "prompt_cache_warm", false,
		"cache_ttl", "5m", "estimated_cache_write_usd", 0, "pricing", "catalog"}
	if v := s.hooks.Call(ctx, "PreModelSwitch", hooks.Occasion{Name: model}, about...); v.Decision == "deny" {
		return reply{}, &controlError{text: "Model switch blocked by hook: " + v.Reason, more: object.Of("model", current)}
	}
	told := s.model.Set(model) && s.results.Count() > 0 // of a session that nobody has used yet, nothing is told
	return reply{body: object.Of("model", model), ready: func() {
		if told {
			s.out.Said("<local-command-stdout>Set model to `"+model+"`</local-command-stdout>", "isReplay", true)
		}
	}, then: func() {
		s.life.Go(func() { s.hooks.Call(s.life.Context(), "PostModelSwitch", hooks.Occasion{Name: model}, about...) })
	}}, nil
}

// setMode serves set_permission_mode.
func (s *Session) setMode(_ context.Context, r object.Object) (reply, error) {
	mode, _ := r.Get("mode").(string)
	switch {
	case mode == "manual":
		mode = "default"
	case mode == "bypassPermissions" && !s.flags.Has("allow-dangerously-skip-permissions") && !s.flags.Has("dangerously-skip-permissions"):
		return reply{}, &controlError{text: "Cannot set permission mode to bypassPermissions because the session was not launched with --dangerously-skip-permissions", code: "bypass_not_launched"}
	case mode != "default" && !slices.Contains(modes, mode):
		names := slices.Sorted(slices.Values([]string{"acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"}))
		return reply{}, &controlError{text: "Cannot set permission mode: must be one of " + strings.Join(names, ", "), code: "invalid_mode"}
	}
	changed := s.policy.Change(mode)
	return reply{body: object.Of("mode", mode), then: func() {
		if changed {
			s.gate.TellMode(mode)
		}
	}}, nil
}

// setThinking serves set_max_thinking_tokens.
func (s *Session) setThinking(_ context.Context, r object.Object) (reply, error) {
	_, isNumber := r.Get("max_thinking_tokens").(float64)
	display := r.Get("thinking_display")
	if !isNumber && r.Get("max_thinking_tokens") != nil || !slices.Contains([]any{nil, "summarized", "omitted", "highlights"}, display) {
		return reply{}, &controlError{text: `set_max_thinking_tokens: max_thinking_tokens must be an integer or null and thinking_display must be "summarized", "omitted", "highlights", or null`}
	}
	return reply{}, nil
}

// setProactivity serves set_proactivity_level.
func (s *Session) setProactivity(_ context.Context, r object.Object) (reply, error) {
	if !s.host.Proactivity() {
		return reply{}, &controlError{text: "Cannot set proactivity: levels are not enabled for this session (the host must send proactivity: true on initialize, with no kill switch set)"}
	}
	level := r.Text("level")
	switch level {
	case "proactive":
		if s.policy.Change("auto") {
			s.gate.TellMode("auto")
		}
	case "ask", "default":
	default:
		return reply{}, &controlError{text: fmt.Sprintf("Cannot set proactivity: unrecognized level %v (expected one of ask, default, proactive)", r.Get("level"))}
	}
	return reply{body: object.Of("level", level, "permissionMode", s.policy.Mode())}, nil
}
