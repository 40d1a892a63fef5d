package turn

import (
	"fmt"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/models"
)

// local is a command that the CLI serves without the model.
type local struct {
	run  func(t *Turn, args string) Outcome
	name string // under which it runs, if it was called by another
}

// locals are the commands that are built in, by name.
var locals = map[string]local{
	"context": {run: (*Turn).showContext},
	"cost":    {run: (*Turn).showCost, name: "usage"},
	"usage":   {run: (*Turn).showCost},
	"stats":   {run: (*Turn).showCost, name: "usage"},
	"clear":   {run: (*Turn).clear},
	"compact": {run: (*Turn).compactNow},
	"rename":  {run: (*Turn).rename},
}

// runLocal runs the command that the turn's message is. It reports false if it is none.
func (t *Turn) runLocal() (Outcome, bool) {
	if len(t.prompts) != 1 || t.prompts[0].Origin != nil {
		return Outcome{}, false
	}
	name, args, ok := commandOf(t.prompts[0])
	if !ok || t.stage.Ext.Command(name) != nil {
		return Outcome{}, false
	}
	l, ok := locals[name]
	if !ok {
		return t.speak(name, args)
	}
	o := l.run(t, args)
	o.Subtype, o.Silent = "success", true
	o.Command = name
	t.stage.served = name != "clear"
	return o, true
}

func (t *Turn) showCost(string) Outcome {
	t.stage.Init(t.uuids)
	text := t.stage.CostText()
	return t.say(text, "<local-command-stdout>"+text+"</local-command-stdout>", "local_command_run", object.Of("command", "usage", "args", ""))
}

// rename gives the session a title.
func (t *Turn) rename(title string) Outcome {
	text := "There is nothing yet to make a name of. Usage: /rename <name>"
	if title != "" {
		text = "Session renamed to: " + title
		t.stage.Out.Tell("type", "system", "subtype", "session_title_changed", "title", title)
		t.stage.Transcript.Titled(title)
	}
	t.stage.Init(t.uuids)
	return t.say(text, "<local-command-stdout>"+text+"</local-command-stdout>", "local_command_run", object.Of("command", "rename", "args", title))
}

func (t *Turn) showContext(string) Outcome {
	s := t.stage
	s.Init(t.uuids)
	model := s.ModelOf(s.Main)
	const buffer = 33000
	system, skills := 100, 2067
	if s.Out.Release().Before("2.1.328") {
		system, skills = 90, 2064
	}
	messages := s.Model.CountTokens()
	used, most := system+skills+messages, models.ContextWindow(model)
	text := fmt.Sprintf("Context Usage\n\n%s: %d of %d tokens\n\n"+
		"| what | tokens |\n| --- | --- |\n| what every conversation begins with | %d |\n| skills that the model can look up | %d |\n| messages of this conversation | %d |\n"+
		"| kept free, so that the conversation can be compacted | %d |\n| free for what comes | %d |\n\n"+
		"The numbers are those of a simulated session: plausible, and the same every time.\n", model, used, most, system, skills, messages, buffer, most-used-buffer)
	category := func(name string, tokens int, kind string) object.Object {
		return object.Of("name", name, "tokens", tokens, "kind", kind)
	}
	usage := object.Of("model", model, "total_tokens", used, "raw_max_tokens", most, "percentage", used*100/most,
		"categories", []any{category("System prompt", system, "used"), category("Skills", skills, "used"), category("Messages", messages, "used"),
			category("Autocompact buffer", buffer, "buffer"), category("Free space", most-used-buffer, "free")},
		"mcp_tools", []any{}, "memory_files", []any{}, "agents", []any{},
		"skills", []any{object.Of("name", "dataviz", "source", "built-in", "tokens", 482), object.Of("name", "init", "source", "built-in", "tokens", 22)})
	return t.say(text, text, "context_usage", usage, "local_command_run", object.Of("command", "context", "args", ""))
}

// clear forgets the conversation and begins a new session.
func (t *Turn) clear(string) Outcome {
	s := t.stage
	t.fire("SessionEnd", object.Of("reason", "clear"))
	id := ids.UUID()
	s.Out.Line(object.Of("type", "conversation_reset", "new_conversation_id", id, "uuid", id, "trigger", "clear", "user_message_uuid", ids.UUID(),
		"timestamp", ids.Now(), "session_id", s.Out.ID()))
	s.Tasks.TellBackground()
	s.forget()
	s.Tasks.Clear()
	s.Out.SetID(ids.UUID())
	s.Spent.Clear()
	s.Main.Talk.Begin()
	s.Transcript.Restart()
	if s.Place.Desktop() {
		s.Out.Tell("type", "system", "subtype", "ui_status", "plugin", "cc-plugin-diff", "text", nil)
	}
	t.fire("SessionStart", object.Of("source", "clear"))
	s.Init(t.uuids)
	return Outcome{}
}
