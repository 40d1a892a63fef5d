package requests

import (
	"context"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/control"
)

// ui serves the requests of user interfaces.
type ui struct{ *Parts }

func (s ui) handlers() handlers {
	return handlers{
		"ui_attach": {Serve: s.attach},
		"ui_detach": {Serve: s.detach},
		"ui_render": {Serve: func(_ context.Context, r object.Object) (control.Reply, error) {
			return control.Reply{Body: object.Of("tree", object.Of("type", "engine", "ref", 0), "props", r.Get("props"), "rewritten", false, "hooked", true,
				"drawn_by", []any{}, "bench", object.If(r.Has("bench"), r.Get("bench")))}, nil
		}},
		"ui_prompt_edit": {Serve: func(_ context.Context, r object.Object) (control.Reply, error) {
			return control.Reply{Body: object.Of("text", r.Get("text"), "cursor", r.Get("cursor"))}, nil
		}},
		"ui_client_module": {Serve: func(_ context.Context, r object.Object) (control.Reply, error) {
			return control.Reply{}, &control.Error{Text: "ui_client_module: plugin " + r.Text("plugin") + " is not loaded or its hooks module names no surface module"}
		}},
		"get_cloud_session": {Serve: func(_ context.Context, r object.Object) (control.Reply, error) {
			if !strings.HasPrefix(r.Text("session_id"), "session_") {
				return control.Reply{}, &control.Error{Text: "get_cloud_session: session_id is not a cloud session id"}
			}
			return control.Reply{Body: s.templateBody("get_cloud_session")}, nil
		}},
		"remote_control": {Serve: s.remoteControl},
		"ultrareview_launch": {Serve: func(_ context.Context, _ object.Object) (control.Reply, error) {
			body := s.templateBody("ultrareview_launch")
			return control.Reply{Body: body, Ready: func() {
				s.synthetic("<command-name>/ultrareview</command-name>")
				s.synthetic("<local-command-stderr>Ultrareview did not launch: " + body.Text("message") + "</local-command-stderr>")
			}}, nil
		}},
	}
}

// synthetic writes a line of the type user that nobody has written.
func (s ui) synthetic(text string) {
	s.Out.Said(text, "isReplay", true, "isSynthetic", true)
}

// uiSurfaces are the places where a client can draw.
var uiSurfaces = []string{"desktop", "terminal", "web", "mobile", "ide"}

// attach serves ui_attach.
func (s ui) attach(_ context.Context, r object.Object) (control.Reply, error) {
	surface := r.Text("surface")
	if !slices.Contains(uiSurfaces, surface) {
		return control.Reply{}, &control.Error{Text: "ui_attach: surface must be one of " + strings.Join(uiSurfaces, ", ") + strings.Repeat(". The CLI says here what it takes", 8)}
	}
	return control.Reply{Body: object.Of("surfaces", s.Host.Attach(r.Text("client_id"), surface))}, nil
}

// detach serves ui_detach.
func (s ui) detach(_ context.Context, r object.Object) (control.Reply, error) {
	gone, surfaces := s.Host.Detach(r.Text("client_id"))
	return control.Reply{Body: object.Of("detached", gone, "surfaces", surfaces), Ready: func() {
		if gone {
			s.Out.Tell(append([]any{"type", "system", "subtype", "ui_panes"}, s.templateBody("ui_panes").Pairs()...)...)
		}
	}}, nil
}

// remoteControl serves remote_control: it can be switched off, not on.
func (s ui) remoteControl(_ context.Context, r object.Object) (control.Reply, error) {
	if !r.Bool("enabled") {
		return control.Reply{}, nil
	}
	const text = "Remote Control is only available when using Claude via api.anthropic.com. ANTHROPIC_BASE_URL is set and does not point at api.anthropic.com, " +
		"so this session is using a custom endpoint — unset it (or run in a shell without it) to use Remote Control."
	s.Out.Tell("type", "system", "subtype", "bridge_state", "state", "failed", "detail", text, "failure_kind", "terminal")
	return control.Reply{}, &control.Error{Text: text}
}
