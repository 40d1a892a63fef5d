package requests

import (
	"context"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/control"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/host"
	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/template"
)

// greeting tells the SDK what the session is.
type greeting struct{ *Parts }

func (s greeting) handlers() handlers {
	return handlers{
		"initialize": {Serve: s.initialize},
	}
}

// initialize serves the SDK's first request, and later ones of its kind.
func (s greeting) initialize(_ context.Context, r object.Object) (control.Reply, error) {
	callbacks, err := hooks.ReadInitialize(r.Get("hooks"))
	if err != nil {
		return control.Reply{}, &control.Error{Text: "initialize: " + err.Error()}
	}
	s.Hooks.SetCallbacks(callbacks)
	again := s.Host.Initialize(r)
	s.Ext.SetAgents(r.Object("agents"))
	playing, state := s.Stage.Playing(), "idle"
	again = again || s.Results.Count() > 0 || playing
	if playing {
		state = "running"
	}
	asks := s.Calls.Pending("can_use_tool")
	for i, ask := range asks {
		ask := ask.(object.Object)
		asks[i] = ask.With("request", ask.Object("request").Without("server_policy_ask_only"))
		state = "requires_action"
	}
	title, titled := r.Get("title").(string)
	if titled {
		s.rename(title)
	}
	manifests := r.Object("sdkMcpServerManifests")
	s.Servers.Connect(manifests)
	s.Servers.AddSDK(host.Texts(r.List("sdkMcpServers")), manifests)
	parked := object.Object{}
	for _, m := range manifests {
		parked.Set(m.Name, "parked")
	}
	body := initialized.Object(s.Out.Version(), &introduction{greeting: s, request: r, state: state, parked: parked})
	if s.Flags.Has("await-claim") {
		s.Out.Tell("type", "system", "subtype", "ui_invalidate", "event", "ui.render")
	}
	rep := control.Reply{Body: body, Extra: object.Of("pending_permission_requests", asks, "pending_user_dialog_requests", s.Calls.Pending("request_user_dialog"))}
	if again {
		rep.Then = func() { s.Out.Tell("type", "system", "subtype", "background_tasks_changed", "tasks", []any{}) }
	}
	return rep, nil
}

// promptNames are the commands that are prompts of MCP servers.
func (s greeting) promptNames() (list []any) {
	for _, p := range s.Servers.Prompts() {
		list = append(list, p.Command)
	}
	return list
}

// survey reports whether the host is one that asks its users for their opinion.
func (s greeting) survey() bool {
	return slices.Contains([]string{"local-agent", "claude-desktop"}, s.Place.Get("CLAUDE_CODE_ENTRYPOINT"))
}

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

// outputStyle is the style of the model's texts that the settings choose.
func (s greeting) outputStyle() string {
	if style := s.Settings.Effective().Text("outputStyle"); style != "" {
		return style
	}
	return "default"
}

// models are the models that the user can choose.
func (s greeting) models() []any {
	list := template.List("models")
	if name := s.Flags.Value("model"); name != "" && !models.Short(name) {
		effort := strings.Contains(name, "opus")
		list = append(list, object.Of("value", name, "resolvedModel", name, "displayName", models.Title(name),
			"description", models.Title(name)+", with which this session was started", "supportsEffort", object.If(effort, true),
			"supportedEffortLevels", object.If(effort, []string{"low", "medium", "high"}), "supportsThinkingOff", true))
	}
	return list
}

// Init writes the line that opens every turn. It answers the messages with these ids.
func (p *Parts) Init(uuids []string) {
	opening.Write(p.Out, &introduction{greeting: greeting{p}, uuids: uuids})
}

// terminalCommands are the commands that need a terminal.
func (s greeting) terminalCommands() []any {
	return slices.DeleteFunc(template.List("init.terminal_slash_commands"), func(name any) bool { return name == "doctor" && s.Place.Embedded() })
}

// keySource is where the key of the API is from.
func (s greeting) keySource() string {
	if s.Place.Get("ANTHROPIC_API_KEY") == "" {
		return "none"
	}
	return "ANTHROPIC_API_KEY"
}
