package turn

import (
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/extensions"
	"github.com/ccwire/ccwire/internal/sim/permission"
	"github.com/ccwire/ccwire/internal/sim/queue"
	"github.com/ccwire/ccwire/internal/sim/transcript"
)

// commandRules is the source of the rules that a command brings with it.
const commandRules permission.Source = "command"

// commandOf returns the name and the arguments of the command that a message is. It reports false
// if it is none.
func commandOf(p *queue.Prompt) (name, args string, ok bool) {
	if p.Verbatim {
		return "", "", false
	}
	return extensions.Split(p.Text())
}

// chooseModel has the model of a command asked up to the end of the turn.
func (t *Turn) chooseModel() {
	s := t.stage
	for _, p := range t.prompts {
		name, _, ok := commandOf(p)
		if x := s.Ext.Command(name); ok && x != nil && x.Model != "" && x.Model != "inherit" {
			s.Main.Model = s.Chosen.Resolve(x.Model)
		}
	}
}

// Bring allows the tools of a command or skill up to the end of the turn.
func (t *Turn) Bring(x *extensions.Extension) {
	t.stage.Policy.Add(permission.Allow, commandRules, x.Allowed...)
}

// expand puts the text of a command into the conversation. If only the model can use it, or a
// command of the shell in it fails, the turn ends with the outcome, and expand reports false.
func (t *Turn) expand(p *queue.Prompt, x *extensions.Extension, args string) (Outcome, bool) {
	s := t.stage
	if x.Hidden {
		text := "Only the model can use the skill \"" + x.Name + "\"; it can be asked to."
		o := t.say(text, "<local-command-stdout>"+text+"</local-command-stdout>")
		o.Subtype, o.Silent, o.Command = "success", true, "custom"
		return o, false
	}
	head := headOf(x, args)
	t.Bring(x)
	text, err := x.Expand(args, s.Tools.Inline(t.ctx))
	if err != nil {
		o := t.say(err.Error(), "<local-command-stderr>"+err.Error()+"</local-command-stderr>", "local_command_run", object.Of("command", x.Name, "args", args),
			"local_command_outcome", object.Of("kind", "failed"))
		o.Subtype, o.Silent, o.Command = "success", true, "custom"
		return o, false
	}
	s.Main.Talk.Add("user", object.Of("type", "text", "text", head), object.Of("type", "text", "text", text))
	if t.commands == nil {
		t.commands = map[*queue.Prompt]string{}
	}
	t.commands[p] = text
	kept := s.Transcript.Main()
	kept.Expanded(transcript.Prompt{ID: t.id, UUID: p.ID(), Content: strings.TrimSuffix(head, "\n")}, text)
	t.beside = append(t.beside, kept.Skill(transcript.Skill{Name: x.Name, Source: x.Source, Text: text, Allowed: x.Allowed}))
	return Outcome{}, true
}

// headOf is what a command is in the conversation, before its text.
func headOf(x *extensions.Extension, args string) string {
	head := "<command-message>" + x.Name + "</command-message>\n<command-name>/" + x.Name + "</command-name>\n"
	if args != "" {
		head += "<command-args>" + args + "</command-args>\n"
	}
	return head
}

// replay repeats a message to the SDK: a command as it is in the conversation.
func (t *Turn) replay(p *queue.Prompt) {
	name, args, ok := commandOf(p)
	if x := t.stage.Ext.Command(name); ok && x != nil && !x.Hidden {
		t.stage.Queue.ReplayAs(p, strings.TrimSuffix(headOf(x, args), "\n"))
		return
	}
	t.stage.Queue.Replay(p, true)
}

// collapse takes back what a command has brought with it.
func (t *Turn) collapse() {
	t.stage.Main.Model = ""
	t.stage.Policy.Replace(permission.Allow, commandRules)
}
