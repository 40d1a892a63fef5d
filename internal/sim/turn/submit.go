package turn

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/queue"
)

// submitHooks calls the hooks that see the user's messages before the model does.
func (t *Turn) submitHooks() (v hooks.Verdict) {
	for _, p := range t.prompts {
		if p.Line == nil && p.Origin != nil { // the CLI's own
			continue
		}
		t.expansionHooks(p)
		v = t.stage.Hooks.Call(t.ctx, "UserPromptSubmit", t.When(nil, ""), "prompt", p.Text())
		t.contexts = append(t.contexts, v.Contexts...)
		if v.Decision == "deny" || v.Stop || v.TimedOut != nil || v.Unexpected != nil {
			return v
		}
		if title := v.Specific.Text("sessionTitle"); title != "" && title != t.stage.Transcript.Title() {
			t.stage.Out.Tell("type", "system", "subtype", "session_title_changed", "title", title)
			t.stage.Transcript.Named(title)
		}
	}
	return v
}

// blank is the outcome of a turn whose only message is white space. It reports false for any other.
func (t *Turn) blank() (Outcome, bool) {
	text, ok := t.prompts[0].Content.(string)
	if !ok || len(t.prompts) > 1 || text == "" || strings.TrimSpace(text) != "" || t.stage.Out.Release().Before("2.1.325") {
		return Outcome{}, false
	}
	const notice = "The message was blank: the model was not asked, and nothing of it is kept."
	t.stage.Init(t.uuids)
	t.stage.Out.Tell("type", "system", "subtype", "informational", "content", notice, "level", "warning")
	return Outcome{Subtype: "success", Text: notice, Silent: true}, true
}

// expansionHooks calls the hooks that see a command before its text takes its place.
func (t *Turn) expansionHooks(p *queue.Prompt) {
	name, args, ok := commandOf(p)
	x := t.stage.Ext.Command(name)
	if !ok || x == nil {
		return
	}
	v := t.stage.Hooks.Call(t.ctx, "UserPromptExpansion", t.When(nil, name), "expansion_type", "slash_command", "command_name", name,
		"command_args", args, "command_source", x.Source, "prompt", p.Text())
	t.contexts = append(t.contexts, v.Contexts...)
}

// blocked is the outcome of a turn whose message a hook does not let through. It reports false if
// the turn goes on.
func (t *Turn) blocked(v hooks.Verdict) (Outcome, bool) {
	s := t.stage
	text, kept := "", false
	var how object.Object
	switch {
	case v.TimedOut != nil:
		text = fmt.Sprintf("UserPromptSubmit operation blocked by hook:\nUserPromptSubmit hook callback timed out after %dms", v.TimedOut.Timeout.Milliseconds())
		how = object.Of("kind", "no_verdict", "prompt_kept", false, "no_verdict_kind", "callback_timed_out")
	case v.Decision == "deny":
		text = fmt.Sprintf("UserPromptSubmit operation blocked by hook:\n%s\n\nOriginal prompt: %s", v.Reason, t.prompts[len(t.prompts)-1].Text())
		reason := cmp.Or(v.Bare, v.Reason)
		how = object.Of("kind", "blocked_by_hook", "prompt_kept", false, "reason", object.If(reason != "", reason))
	case v.Stop:
		text, kept = "Operation stopped by hook: "+v.StopReason, true
		how = object.Of("kind", "stopped_by_hook", "prompt_kept", true, "reason", v.StopReason)
	default:
		s.Hooks.Say(v.Messages)
		return Outcome{}, false
	}
	if kept {
		for _, p := range t.prompts {
			s.Main.Talk.Mark(p.UUID, p.Text())
			s.Main.Talk.Add("user", p.Blocks()...)
		}
	}
	last, command := t.prompts[len(t.prompts)-1], ""
	if v.Stop && kept {
		command = s.commandName(last)
	}
	x, _ := t.forked(last)
	s.Out.Tell("type", "system", "subtype", "informational", "content", text, "level", "warning", "prevent_continuation", true,
		"prompt_submit_outcome", object.If(x == nil, how))
	return Outcome{Subtype: "success", Text: text, Silent: true, Command: command}, true
}

// commandName is what a result calls the command that a message is: "custom" for one of the user,
// "" if the message is none.
func (s *Stage) commandName(p *queue.Prompt) string {
	name, _, ok := commandOf(p)
	switch {
	case !ok:
		return ""
	case s.Ext.Command(name) != nil:
		return "custom"
	case slices.Contains(s.Ext.CommandNames(), any(name)):
		return strings.ReplaceAll(name, "-", "_")
	}
	return ""
}
