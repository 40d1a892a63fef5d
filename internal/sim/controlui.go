package sim

import (
	"context"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

func init() {
	controls["ui_attach"] = control{serve: (*Session).attach}
	controls["ui_detach"] = control{serve: (*Session).detach}
	controls["ui_render"] = control{serve: func(_ *Session, _ context.Context, r object.Object) (reply, error) {
		return reply{body: object.Of("tree", object.Of("type", "engine", "ref", 0), "props", r.Get("props"), "rewritten", false, "hooked", true,
			"drawn_by", []any{}, "bench", object.If(r.Has("bench"), r.Get("bench")))}, nil
	}}
	controls["ui_prompt_edit"] = control{serve: func(_ *Session, _ context.Context, r object.Object) (reply, error) {
		return reply{body: object.Of("text", r.Get("text"), "cursor", r.Get("cursor"))}, nil
	}}
	controls["ui_client_module"] = control{serve: func(_ *Session, _ context.Context, r object.Object) (reply, error) {
		return reply{}, &controlError{text: "ui_client_module: plugin " + r.Text("plugin") + " is not loaded or its hooks module names no surface module"}
	}}
	controls["get_cloud_session"] = control{serve: func(s *Session, _ context.Context, r object.Object) (reply, error) {
		if !strings.HasPrefix(r.Text("session_id"), "session_") {
			return reply{}, &controlError{text: "get_cloud_session: session_id is not a cloud session id"}
		}
		return reply{body: s.templateBody("get_cloud_session")}, nil
	}}
	controls["remote_control"] = control{serve: (*Session).remoteControl}
	controls["ultrareview_launch"] = control{serve: func(s *Session, _ context.Context, _ object.Object) (reply, error) {
		body := s.templateBody("ultrareview_launch")
		return reply{body: body, ready: func() {
			s.synthetic("<command-name>/ultrareview</command-name>")
			s.synthetic("<local-command-stderr>Ultrareview did not launch: " + body.Text("message") + "</local-command-stderr>")
		}}, nil
	}}
}

// synthetic writes a line of the type user that nobody has written.
func (s *Session) synthetic(text string) {
	s.out.Said(text, "isReplay", true, "isSynthetic", true)
}

// uiSurfaces are the places where a client can draw.
var uiSurfaces = []string{"desktop", "terminal", "web", "mobile", "ide"}

// attach serves ui_attach.
func (s *Session) attach(_ context.Context, r object.Object) (reply, error) {
	surface := r.Text("surface")
	if !slices.Contains(uiSurfaces, surface) {
		return reply{}, &controlError{text: "ui_attach: surface must be one of " + strings.Join(uiSurfaces, ", ") + strings.Repeat(". The CLI says here what it takes", 8)}
	}
	return reply{body: object.Of("surfaces", s.host.Attach(r.Text("client_id"), surface))}, nil
}

// detach serves ui_detach.
func (s *Session) detach(_ context.Context, r object.Object) (reply, error) {
	gone, surfaces := s.host.Detach(r.Text("client_id"))
	return reply{body: object.Of("detached", gone, "surfaces", surfaces), ready: func() {
		if gone {
			s.out.Tell(append([]any{"type", "system", "subtype", "ui_panes"}, s.templateBody("ui_panes").Pairs()...)...)
		}
	}}, nil
}

// remoteControl serves remote_control: it can be switched off, not on.
func (s *Session) remoteControl(_ context.Context, r object.Object) (reply, error) {
	if !r.Bool("enabled") {
		return reply{}, nil
	}
	const text = "Remote Control is only available when using Claude via api.anthropic.com. ANTHROPIC_BASE_URL is set and does not point at api.anthropic.com, " +
		"so this session is using a custom endpoint — unset it (or run in a shell without it) to use Remote Control."
	s.out.Tell("type", "system", "subtype", "bridge_state", "state", "failed", "detail", text, "failure_kind", "terminal")
	return reply{}, &controlError{text: text}
}
