package requests

import (
	"slices"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/template"
)

// greeting tells the SDK what the session is.
type greeting struct{ *Parts }

// outputStyle is the style of the model's texts that the settings choose.
func (s greeting) outputStyle() string {
	if style := s.Settings.Effective().Text("outputStyle"); style != "" {
		return style
	}
	return "default"
}

// models are the models that the user can choose, with the one that is chosen if it is not among
// them.
func (s greeting) models() []any {
	list := template.List(s.Out.Release(), "models")
	if s.Place.On("CLAUDE_CODE_DISABLE_FAST_MODE") {
		for i := range list {
			list[i] = list[i].(object.Object).Without("supportsFastMode")
		}
	}
	name, model := s.Chosen.Name(), s.Chosen.Get()
	if i := slices.IndexFunc(list, func(v any) bool { return v.(object.Object).Text("value") == "fable" }); i >= 0 && name == models.Resolve("fable") {
		list[i] = list[i].(object.Object).With("value", name)
	}
	listed := name == "" || models.Short(name) || slices.ContainsFunc(list, func(v any) bool { return v.(object.Object).Text("resolvedModel") == model })
	if listed && name != models.Planned {
		return list
	}
	title := models.Title(name)
	if name == models.Planned {
		title = "Opus Plan Mode"
	}
	can := models.AbilitiesOf(model)
	yes := func(b bool) any { return object.If(b, true) }
	return append(list, object.Of("value", name, "resolvedModel", model, "displayName", title,
		"description", title+", the model that was chosen for this session", "supportsEffort", yes(can.Effort != nil),
		"supportedEffortLevels", object.If(can.Effort != nil, can.Effort), "supportsAdaptiveThinking", yes(can.Adaptive),
		"supportsFastMode", yes(can.Fast), "supportsAutoMode", yes(can.Auto), "supportsThinkingOff", !can.Thinks))
}

// model is the model that is asked.
func (s greeting) model() string { return s.Stage.ModelOf(s.Stage.Main) }

// account is who pays for the model.
func (s greeting) account() object.Object {
	source, key := "none", any("ANTHROPIC_API_KEY")
	for _, name := range []string{"ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"} {
		if s.Place.Get(name) != "" && s.Place.Get("ANTHROPIC_API_KEY") == "" {
			source, key = name, object.Absent
		}
	}
	return object.Of("tokenSource", source, "apiKeySource", key, "apiProvider", "firstParty")
}

// survey reports whether the host is one that asks its users for their opinion.
func (s greeting) survey() bool {
	return slices.Contains([]string{"local-agent", "claude-desktop"}, s.Place.Get("CLAUDE_CODE_ENTRYPOINT"))
}

// keySource is where the key of the API is from.
func (s greeting) keySource() string {
	if s.Place.Get("ANTHROPIC_API_KEY") == "" {
		return "none"
	}
	return "ANTHROPIC_API_KEY"
}

// terminalCommands are the commands that need a terminal.
func (s greeting) terminalCommands() []any {
	return slices.DeleteFunc(template.List(s.Out.Release(), "init.terminal_slash_commands"), func(name any) bool { return name == "doctor" && s.Place.Embedded() })
}

// promptNames are the commands that are prompts of MCP servers.
func (s greeting) promptNames() (list []any) {
	for _, p := range s.Servers.Prompts() {
		list = append(list, p.Command)
	}
	return list
}
