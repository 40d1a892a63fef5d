package turn

import (
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/ids"
)

// fire runs the hooks of an event that is not about a tool. more are the event's own members of
// their input. It returns what people are told of each hook.
func (t *Turn) fire(event string, more object.Object) (reports []string) {
	s := t.stage
	o := t.When(nil, "")
	for _, name := range []string{"trigger", "source", "reason"} {
		if text := more.Text(name); text != "" {
			o.Name = text
			break
		}
	}
	if event == "SessionStart" && o.Name == "clear" {
		o.Prompt = ""
	}
	reports = s.Hooks.Reports(event, o.Name)
	s.Begun(s.Hooks.Call(t.ctx, event, o, more.Pairs()...))
	return reports
}

// HookStopped is the outcome of a turn that a hook ends.
func HookStopped() *Outcome {
	return &Outcome{Reason: "hook_stopped", Subtype: "success"}
}

// crash is what ends the session: an output for another event, where the CLI does not expect one.
// Versions before 2.1.325 are not known to do that.
func (s *Stage) crash(v *hooks.Verdict) error {
	if v.Unexpected == nil || s.Out.Release().Before("2.1.325") {
		return nil
	}
	return v.Unexpected
}

// display calls the hooks that see a text before it is written.
func (t *Turn) display(text string) {
	id := ids.UUID()
	t.stage.Hooks.Call(t.ctx, "MessageDisplay", hooks.Occasion{Prompt: t.id, ID: id + "-0"}, "turn_id", ids.UUID(), "message_id", id, "index", 0, "final", true, "delta", text)
}

// Begun takes what the hooks of a session's events have to say.
func (s *Stage) Begun(v hooks.Verdict) {
	s.Hooks.Watch(v.Watch)
	for _, text := range v.Contexts {
		s.Main.Talk.Tell(text)
	}
	s.Hooks.Say(v.Messages)
}
