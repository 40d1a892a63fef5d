package turn

import (
	"context"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/extensions"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/queue"
	"github.com/ccwire/ccwire/internal/sim/tasks"
)

// review is the command that is built in and has a conversation of its own.
var review = &extensions.Extension{
	Name: "code-review", Fork: true, Text: "Review the changes in the working directory: $ARGUMENTS", Purpose: "Reviews the changes in the working directory.",
}

// forked returns the command of a message if it has a conversation of its own, nil if not.
func (t *Turn) forked(p *queue.Prompt) (x *extensions.Extension, args string) {
	name, args, ok := commandOf(p)
	if !ok || t.stage.Out.Release().Before("2.1.325") {
		return nil, ""
	}
	x = t.stage.Ext.Command(name)
	if x == nil && (name == review.Name || name == "review") {
		x = review
	}
	if x == nil || !x.Fork {
		return nil, ""
	}
	return x, args
}

// runForked plays the command that the turn's message is, if it has a conversation of its own. It
// reports false if not. What is said there comes after the line that opens the turn.
func (t *Turn) runForked() (Outcome, bool) {
	if len(t.prompts) != 1 || t.prompts[0].Origin != nil {
		return Outcome{}, false
	}
	x, args := t.forked(t.prompts[0])
	if x == nil {
		return Outcome{}, false
	}
	f := t.Fork(t.ctx, x, args, nil)
	if f == nil { // its text cannot be made: the turn tells why
		return Outcome{}, false
	}
	s := t.stage
	v := t.callStop("Stop", t.When(nil, ""), false, object.Absent, f.Text)
	s.Init(t.uuids)
	for _, line := range f.Agent.held {
		s.Out.Line(line)
	}
	s.Hooks.Say(v.Messages)
	o := t.say(f.Text, "<local-command-stdout>"+f.Text+"</local-command-stdout>")
	if p := t.prompts[0]; p.UUID != "" {
		s.Queue.Replay(p, true)
	}
	if more := append(v.Blocks, v.Contexts...); len(more) > 0 && !v.Stop && v.Unexpected == nil {
		for _, text := range more {
			s.Main.Talk.Tell(text)
		}
		return t.Converse(s.Main), true
	}
	o.Subtype, o.Silent, o.Command = "success", true, "custom"
	if x == review {
		name, _, _ := commandOf(t.prompts[0])
		o.Command = strings.ReplaceAll(name, "-", "_")
	}
	return o, true
}

// Forked is what came of a command that has a conversation of its own.
type Forked struct {
	Agent *Agent
	Text  string // that was said last
}

// Fork plays a command in a conversation of its own. u is the use of the tool Skill that wants it,
// nil if the user does. It returns nil if the text of the command cannot be made.
func (t *Turn) Fork(ctx context.Context, x *extensions.Extension, args string, u *Use) *Forked {
	s := t.stage
	text, err := x.Expand(args, s.Tools.Inline(ctx))
	if err != nil {
		return nil
	}
	kind := x.As
	if kind == "" {
		kind = "general-purpose"
	}
	a := &Agent{Kind: kind, Task: x.Purpose, Parent: "forked-command-" + x.Name, Depth: 1, Type: s.Ext.Agent(kind), Alone: u == nil}
	if x.Model != "" && x.Model != "inherit" {
		a.Model = s.Chosen.Resolve(x.Model)
	}
	k := &tasks.Task{Run: ids.Run(), Kind: "local_agent", Description: "/" + x.Name, Prompt: text, Ambient: true}
	if u != nil {
		a.Parent, k.Use, a.Depth, k.Parent = u.ID, u.ID, u.Agent.Depth+1, u.Agent.ID
	}
	s.Adopt(a)
	k.ID, k.Agent = a.ID, &tasks.Subagent{Kind: kind, Depth: a.Depth}
	var runs context.Context
	runs, k.Cancel = context.WithCancelCause(ctx)
	s.Tasks.Add(k, false)
	s.Tasks.Started(k)
	sub := t.Sub(runs, k)
	block := object.Of("type", "text", "text", text)
	a.Talk.Add("user", block)
	starts := sub.When(a, kind)
	starts.Sent = func() { sub.UserLine(a, []any{block}) }
	for _, text := range s.Hooks.Call(runs, "SubagentStart", starts).Contexts {
		a.Talk.Tell(text)
	}
	o := sub.Converse(a)
	status := "completed"
	if o.Failure != nil {
		status = "failed"
	}
	if s.Tasks.Finish(k, status, "") {
		k.SetOutput(o.Text)
		s.Tasks.Notify(k, status, k.Description, nil)
	}
	return &Forked{Agent: a, Text: o.Text}
}
