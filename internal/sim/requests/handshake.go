package requests

import (
	"context"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/control"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/host"
)

func (s greeting) handlers() handlers {
	return handlers{
		"initialize": {Serve: s.initialize},
		"list_models": {Serve: func(context.Context, object.Object) (control.Reply, error) {
			return control.Reply{Body: object.Of("models", s.models())}, nil
		}},
	}
}

// initialize serves the SDK's first request, and later ones of its kind.
func (s greeting) initialize(_ context.Context, r object.Object) (control.Reply, error) {
	mark := s.marks()
	mark("initialize_handling_started")
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
	connect := func() {
		s.Servers.Connect(manifests)
		s.Servers.AddSDK(host.Texts(r.List("sdkMcpServers")), manifests)
	}
	late := s.Out.Release().Before("2.1.250") // these reply before they talk to servers
	if !late {
		connect()
	}
	parked := object.Object{}
	for _, m := range manifests {
		parked.Set(m.Name, "parked")
	}
	body := initialized.Object(s.Out.Release(), &introduction{greeting: s, request: r, state: state, parked: parked})
	if s.Flags.Has("await-claim") || s.Settings.Effective().Bool("disableAllHooks") && !s.Out.Release().Before("2.1.325") {
		s.Out.Tell("type", "system", "subtype", "ui_invalidate", "event", "ui.render")
	}
	mark("initialize_after_workspace_trust")
	mark("initialize_before_reply")
	model := s.Chosen.Get()
	s.listed.Store(&model)
	rep := control.Reply{Body: body}
	dialogs := s.Calls.Pending("request_user_dialog")
	if len(asks)+len(dialogs) > 0 || !s.Out.Release().Before("2.1.290") { // older ones do not tell that there are none
		rep.Extra = object.Of("pending_permission_requests", asks, "pending_user_dialog_requests", dialogs)
	}
	rep.Then = func() {
		if again {
			s.Out.Tell("type", "system", "subtype", "background_tasks_changed", "tasks", []any{})
		}
		if late {
			connect()
		}
	}
	return rep, nil
}

// marks returns what tells an SDK that reads it how far the first initialize has come.
func (s greeting) marks() func(name string) {
	if !s.Place.On("CLAUDE_CODE_SDK_READS_STARTUP_MARKS") || s.Host.Initialized() || s.Out.Release().Before("2.1.327") {
		return func(string) {}
	}
	return func(name string) { s.Out.Line(object.Of("type", "keep_alive", "startup_mark", name)) }
}

// Init writes the line that opens every turn. It answers the messages with these ids.
func (p *Parts) Init(uuids []string) {
	opening.Write(p.Out, &introduction{greeting: greeting{p}, uuids: uuids})
}
