package sim

import (
	"html"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/control"
	"github.com/ccwire/ccwire/internal/sim/ids"
)

// takeOther takes a line of another type than requests and messages of the user. What is not known
// is ignored.
func (s *Session) takeOther(o object.Object) {
	done := func() { s.queue.Tell(o.Text("uuid"), "completed") }
	switch o.Text("type") {
	case "assistant": // a message that the SDK puts into the conversation
		if content := o.Object("message").List("content"); content != nil && o.Text("uuid") != "" {
			s.stage.Main.Talk.Add("assistant", content...)
			done()
		}
	case "system":
		if o.Text("subtype") == "compact_boundary" && o.Text("uuid") != "" {
			s.stage.Main.Talk.Begin()
			done()
		}
	case "bash_command":
		s.life.Go(func() { s.bashCommand(o) })
	case "update_environment_variables":
		s.updateEnvironment(o)
	case "workflow_launch":
		text := "remote-workflow: error[not-remote-session]: workflow_launch received outside a remote (CCR) session"
		if !o.Has("uuid") {
			text = "remote-workflow: error[launch-payload]: event has no uuid"
		}
		s.out.Line(object.Of("type", "system", "subtype", "workflow_launch_result", "artifact_line", text, "uuid", ids.UUID(), "session_id", s.out.ID(),
			"launch_uuid", object.If(o.Has("uuid"), o.Get("uuid"))))
	}
}

// bashCommand runs a command that the user gives, not the model.
func (s *Session) bashCommand(o object.Object) {
	if s.tools == nil {
		return
	}
	tell := func(state string) {
		if !s.release.Before("2.1.325") {
			s.queue.Tell(o.Text("uuid"), state)
		}
	}
	tell("started")
	echo := func(text string) {
		s.stage.Main.Talk.Add("user", object.Of("type", "text", "text", text))
		s.out.Said(text, "isReplay", true)
	}
	echo("<bash-input>" + html.EscapeString(o.Text("command")) + "</bash-input>")
	r := s.tools.Run(s.life.Context(), "Bash", object.Of("command", o.Text("command")))
	code, out := "0", ""
	if use, ok := r.Use.(object.Object); ok {
		out = use.Text("stdout")
	}
	if text, ok := r.Content.(string); ok && r.Failed {
		text, out, _ = strings.Cut(text, "\n")
		code = strings.TrimPrefix(text, "Exit code ")
	}
	tell("completed")
	echo("<bash-stdout>" + html.EscapeString(out) + "</bash-stdout><bash-stderr></bash-stderr><bash-exit-code>" + code + "</bash-exit-code>")
}

// changeable are the variables that an SDK may change while the CLI runs.
var changeable = []string{"CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY", "CLAUDE_CODE_SESSION_ACCESS_TOKEN"}

// updateEnvironment takes new values of variables. There is a reply if the line has an id.
func (s *Session) updateEnvironment(o object.Object) {
	variables, ok := o.Get("variables").(object.Object)
	applied := []any{}
	for _, m := range variables {
		value, isText := m.Value.(string)
		ok = ok && isText
		if slices.Contains(changeable, m.Name) && isText {
			applied = append(applied, m.Name)
			s.place.Set(m.Name, value)
		}
	}
	switch {
	case !o.Has("request_id"):
	case !ok:
		s.requests.Respond(o, control.Reply{}, &control.Error{Text: "update_environment_variables: variables must be an object of string values"})
	default:
		s.requests.Respond(o, control.Reply{Body: object.Of("applied", applied)}, nil)
	}
}
