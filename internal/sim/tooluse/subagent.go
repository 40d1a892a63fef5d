package tooluse

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/host"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/script"
	"github.com/ccwire/ccwire/internal/sim/tasks"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// startsAgent reports whether a use starts a subagent.
func startsAgent(u *turn.Use) bool { return u.Name == "Task" || u.Name == "Agent" }

// runAgent runs the tool Task: a subagent with a conversation of its own.
func (b *Box) runAgent(ctx context.Context, u *turn.Use) turn.Result {
	kind := u.Input.Text("subagent_type")
	if kind == "" {
		kind = "general-purpose"
	}
	if names := b.Ext.AgentNames(); !slices.Contains(names, any(kind)) && !b.Out.Release().Before("2.1.325") { // lists of older versions are short
		text := fmt.Sprintf("Agent type '%s' not found. Available agents: %s", kind, strings.Join(host.Texts(names), ", "))
		return badResult(u, text, "Error: "+text)
	}
	if rule, source, denied := b.Policy.DeniesAgent(kind); denied {
		text := fmt.Sprintf("Agent type '%s' has been denied by permission rule '%s' from %s.", kind, rule, source)
		return badResult(u, text, "Error: "+text)
	}
	requested, background := "unset", u.Agent.Depth == 0
	if v, ok := u.Input.Lookup("run_in_background"); ok {
		requested, background = "foreground", v == true
		if background {
			requested = "background"
		}
	}
	kindOf := b.Ext.Agent(kind)
	background = background || kindOf.Background
	a := &turn.Agent{
		Kind: kind, Task: u.Input.Text("description"), Parent: u.ID, Depth: u.Agent.Depth + 1,
		Model: b.agentModel(kind, u.Input.Text("model")), Background: background, Type: kindOf, Unread: u.Unread() && !background,
	}
	b.Stage.Adopt(a)
	if r := b.isolate(ctx, u, a); r != nil {
		return *r
	}
	if text := b.Ext.AgentPrompt(kind); text != "" {
		a.System = []string{text}
	}
	k := &tasks.Task{ID: a.ID, Run: ids.Run(), Use: u.ID, Kind: "local_agent", Description: a.Task, Agent: &tasks.Subagent{Kind: kind, Depth: a.Depth},
		Prompt: u.Input.Text("prompt"), Parent: u.Agent.ID}
	parent := ctx
	if background {
		parent = b.Life.Context()
	}
	var runs context.Context
	runs, k.Cancel = context.WithCancelCause(parent)
	b.Tasks.Add(k, background)
	b.Tasks.Spawned(k.Agent, requested, background)
	b.Tasks.Started(k)
	sub := u.Turn.Sub(runs, k)
	a.Talk.Add("user", object.Of("type", "text", "text", k.Prompt))
	tell := sub.Begin(a, background, k.Prompt)
	starts := sub.When(a, kind)
	starts.Sent = func() {
		if !background && (a.Depth == 1 || b.Flags.Has("forward-subagent-text")) {
			tell()
		}
		if !background || len(b.Hooks.Match("SubagentStart", kind)) > 0 {
			u.Waits()
		}
	}
	started := b.Hooks.Call(runs, "SubagentStart", starts)
	for _, text := range started.Contexts {
		a.Talk.Tell(text)
	}
	converse := func() turn.Outcome {
		if started.Unexpected != nil && !b.Out.Release().Before("2.1.325") {
			return turn.Outcome{Failure: started.Unexpected}
		}
		return sub.Converse(a)
	}
	if !background {
		u.Await(ctx)
		o := converse()
		sub.Finish(a)
		return b.agentResult(a, sub, k, o, u)
	}
	u.Turn.Launch(sub)
	b.Life.Go(func() {
		u.Await(runs)
		o := converse()
		sub.Finish(a)
		sub.Stepped()
		sub.Ended()
		if !b.Life.Over() {
			b.agentEnds(a, sub, k, o)
		}
	})
	return okResult(u, []any{object.Of("type", "text", "text", launchedText(k, b.Tasks.File(k)))}, object.Of("isAsync", true, "status", "async_launched",
		"agentId", a.ID, "description", a.Task, "resolvedModel", b.Stage.ModelOf(a), "prompt", k.Prompt, "outputFile", b.Tasks.File(k),
		"canReadOutputFile", true, "canContinueAgent", true))
}

// launchedText is what the model is told of a subagent in the background.
func launchedText(k *tasks.Task, file string) string {
	return fmt.Sprintf("The subagent has been started in the background.\nagentId: %s\noutput_file: %s\n"+
		"It works on its own from here. A note comes into this conversation when it has ended, with what it said last; until then there is nothing to wait for, "+
		"and the output file shows how far it has come. Do something else meanwhile, or end the turn.", k.ID, file)
}

// agentEnds writes how a subagent in the background has ended.
func (b *Box) agentEnds(a *turn.Agent, sub *turn.Turn, k *tasks.Task, o turn.Outcome) {
	status, text := b.agentStatus(a, o)
	k.SetOutput(text)
	b.Tasks.End(k, status, failureOf(status, text), text, b.agentUsage(a, sub, status))
}

func failureOf(status, text string) string {
	if status == "failed" {
		return text
	}
	return ""
}

// agentUsage is what a subagent has used, nil if it has not completed. Before 2.1.328 the CLI tells
// its estimate, if that is more than the model says.
func (b *Box) agentUsage(a *turn.Agent, sub *turn.Turn, status string) object.Object {
	if status != "completed" {
		return nil
	}
	tokens := a.Last.All()
	if b.Out.Release().Before("2.1.328") {
		tokens = max(tokens, a.Estimate())
	}
	return object.Of("total_tokens", tokens, "tool_uses", len(a.Tools), "duration_ms", sub.Took().Milliseconds())
}

// agentStatus is how a subagent has ended, and what it said last.
func (b *Box) agentStatus(a *turn.Agent, o turn.Outcome) (status, text string) {
	if o.Failure != nil {
		return "failed", b.agentFailure(a, o)
	}
	return "completed", o.Text
}

// agentFailure says why a subagent has ended early.
func (b *Box) agentFailure(a *turn.Agent, o turn.Outcome) string {
	var api *script.APIError
	var hook *hooks.EventError
	if errors.As(o.Failure, &hook) {
		return hook.Error()
	}
	if !errors.As(o.Failure, &api) {
		return "Agent terminated early due to an API error: " + o.Text
	}
	return fmt.Sprintf("Agent terminated early due to an API error: %s (error type %s, HTTP %d, request id %s, model sent to the API: %s)",
		o.Text, turn.ErrorName(api.Status), api.Status, api.RequestID, b.Stage.ModelOf(a))
}

// agentResult is the result of the tool Task in the foreground.
func (b *Box) agentResult(a *turn.Agent, sub *turn.Turn, k *tasks.Task, o turn.Outcome, u *turn.Use) turn.Result {
	if sub.Over() {
		return b.agentStopped(sub, k, u)
	}
	status, text := b.agentStatus(a, o)
	if !b.Tasks.Finish(k, status, failureOf(status, text)) {
		return b.agentStopped(sub, k, u)
	}
	k.SetOutput(text)
	b.Tasks.Count(status)
	b.Tasks.Notify(k, status, text, b.agentUsage(a, sub, status))
	if status == "failed" {
		return badResult(u, text, "Error: "+text)
	}
	content := []any{}
	used := []string{}
	for _, name := range a.Tools {
		has := b.missing(a, name) == nil
		if name == "Task" {
			name = "Agent"
		}
		if (has || b.Tasks.Noted(name)) && !slices.Contains(used, name) {
			used = append(used, name)
		}
	}
	slices.Sort(used)
	said := ""
	fresh := b.Tasks.Note(used)
	if len(fresh) > 0 {
		said = "<tools-used-before-summary>" + strings.Join(fresh, ", ") + "</tools-used-before-summary>\n"
		content = append(content, object.Of("type", "text", "text", said))
	}
	content = append(content, object.Of("type", "text", "text", text))
	notes := 0
	if o.Reason == "max_turns" {
		notes = 1
	}
	stats := a.Stats()
	result := object.Of("status", "completed", "prompt", k.Prompt, "agentId", a.ID, "agentType", a.Kind,
		"toolsUsed", object.If(len(used) > 0, used), "harnessNoteCount", min(len(fresh), 1)+notes, "harnessTailCount", 0,
		"harnessSectionHash", sectionHash(content), "content", content, "resolvedModel", b.Stage.ModelOf(a),
		"totalDurationMs", sub.Took().Milliseconds(), "totalTokens", a.Last.All(), "totalToolUseCount", len(a.Tools),
		"usage", a.Last.Plain(), "toolStats", stats, "canContinueAgent", true)
	shown := "What follows was said by a subagent, which has seen nothing of this conversation but its task. It was not checked by anybody: " +
		"look at what it has done before you rely on it.\n" + indent(text)
	if said != "" {
		shown = indent(said) + "\n" + shown
	}
	if !oneShot[a.Kind] {
		shown += fmt.Sprintf("\nagentId: %s (a message to this agent goes on with its conversation)\n<usage>total_tokens: %d\ntool_uses: %d\nduration_ms: %d</usage>",
			a.ID, a.Last.All(), len(a.Tools), sub.Took().Milliseconds())
	}
	return okResult(u, []any{object.Of("type", "text", "text", shown)}, result)
}

// oneShot are the types of subagents that are not talked to again.
var oneShot = map[string]bool{"Explore": true, "Plan": true}

// indent sets apart what a subagent says.
func indent(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

// agentStopped is the result of the tool Task when the turn is interrupted.
func (b *Box) agentStopped(sub *turn.Turn, k *tasks.Task, u *turn.Use) turn.Result {
	r := rejected(u)
	r.After = func() {
		for _, tell := range sub.Left() {
			tell()
		}
		if b.Tasks.Finish(k, "killed", "") {
			b.Tasks.Count("user")
			b.Tasks.Notify(k, "stopped", k.Description, nil)
		}
	}
	return r
}

// sectionHash is a digest of the texts that a subagent hands back: of how many there are, and of
// the length and the text of each.
func sectionHash(content []any) string {
	h := sha256.New()
	fmt.Fprint(h, len(content))
	for _, b := range content {
		text := b.(object.Object).Text("text")
		fmt.Fprintf(h, ":%d:%s", len(utf16.Encode([]rune(text))), text)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// agentModel is the model of a subagent; "" for that of the session.
func (b *Box) agentModel(kind, chosen string) string {
	if chosen == "" {
		chosen = b.Ext.AgentModel(kind)
	}
	if chosen == "" || chosen == "inherit" {
		return ""
	}
	return b.Chosen.Resolve(chosen)
}
