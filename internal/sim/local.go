package sim

import (
	"fmt"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/extensions"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/models"
)

// local is a command that the CLI serves without the model.
type local struct {
	run  func(t *turn, args string) outcome
	name string // under which it runs, if it was called by another
}

// locals are the commands that are built in, by name.
var locals = map[string]local{
	"context": {run: (*turn).showContext},
	"cost":    {run: (*turn).showCost, name: "usage"},
	"usage":   {run: (*turn).showCost},
	"stats":   {run: (*turn).showCost, name: "usage"},
	"clear":   {run: (*turn).clear},
	"compact": {run: (*turn).compactNow},
}

// runLocal runs the command that the turn's message is. It reports false if it is none.
func (t *turn) runLocal() (outcome, bool) {
	if len(t.prompts) != 1 || t.prompts[0].Origin != nil {
		return outcome{}, false
	}
	name, args, ok := extensions.Split(t.prompts[0].Text())
	if !ok || t.session.ext.Command(name) != nil {
		return outcome{}, false
	}
	l, ok := locals[name]
	if !ok {
		return outcome{}, false
	}
	o := l.run(t, args)
	o.subtype, o.silent = "success", true
	o.command = name
	return o, true
}

// say writes what a local command says.
func (t *turn) say(text, source string, more ...any) outcome {
	s := t.session
	o := object.Of("type", "assistant", "message", syntheticMessage(text, "end_turn"), "parent_tool_use_id", nil, "local_command_source", source,
		"session_id", s.out.ID(), "uuid", ids.UUID(), "timestamp", ids.Now())
	s.out.Line(append(o, object.Of(more...)...))
	return outcome{text: text}
}

func (t *turn) showCost(string) outcome {
	t.session.writeInit(t)
	text := t.session.costText()
	return t.say(text, "<local-command-stdout>"+text+"</local-command-stdout>", "local_command_run", object.Of("command", "usage", "args", ""))
}

// costText says what the session has cost.
func (s *Session) costText() string {
	u := s.spent.Total()
	return fmt.Sprintf("Total cost:            $%.4f\nTotal duration (API):  0s\nTotal duration (wall): 0s\n"+
		"Total code changes:    0 lines added, 0 lines removed\nUsage:                 %d input, %d output, %d cache read, %d cache write",
		u.Cost(), u.Input, u.Output, u.CacheRead, u.CacheWrite)
}

func (t *turn) showContext(string) outcome {
	s := t.session
	s.writeInit(t)
	model := s.modelOf(s.main)
	const system, skills, buffer = 90, 2064, 33000
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
func (t *turn) clear(string) outcome {
	s := t.session
	s.fire(t, "SessionEnd", object.Of("reason", "clear"))
	id := ids.UUID()
	s.out.Line(object.Of("type", "conversation_reset", "new_conversation_id", id, "uuid", id, "trigger", "clear", "user_message_uuid", ids.UUID(),
		"timestamp", ids.Now(), "session_id", s.out.ID()))
	s.tasks.TellBackground()
	s.mu.Lock()
	s.latest = nil
	s.mu.Unlock()
	s.out.SetID(ids.UUID())
	s.spent.Clear()
	s.main.talk.Begin()
	s.transcript.Restart()
	if s.place.Desktop() {
		s.out.Tell("type", "system", "subtype", "ui_status", "plugin", "cc-plugin-diff", "text", nil)
	}
	s.fire(t, "SessionStart", object.Of("source", "clear"))
	s.writeInit(t)
	return outcome{}
}
