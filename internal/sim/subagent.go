package sim

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/script"
	"github.com/ccwire/ccwire/internal/sim/tasks"
)

// runAgent runs the tool Task: a subagent with a conversation of its own.
func (s *Session) runAgent(ctx context.Context, u *toolUse) toolResult {
	kind := u.input.Text("subagent_type")
	if kind == "" {
		kind = "general-purpose"
	}
	requested, background := "unset", true
	if v, ok := u.input.Lookup("run_in_background"); ok {
		requested, background = "foreground", v == true
		if background {
			requested = "background"
		}
	}
	a := &agent{
		session: s, id: ids.Agent(), kind: kind, task: u.input.Text("description"), parent: u.id, depth: u.agent.depth + 1,
		model: s.agentModel(kind, u.input.Text("model")), background: background,
	}
	if text := s.ext.AgentPrompt(kind); text != "" {
		a.system = []string{text}
	}
	k := &tasks.Task{ID: a.id, Run: ids.Run(), Use: u.id, Kind: "local_agent", Description: a.task, Agent: &tasks.Subagent{Kind: kind, Depth: a.depth},
		Prompt: u.input.Text("prompt"), Parent: u.agent.id}
	parent := ctx
	if background {
		parent = s.life.Context()
	}
	var runs context.Context
	runs, k.Cancel = context.WithCancelCause(parent)
	s.tasks.Add(k, background)
	s.tasks.Spawned(k.Agent, requested, background)
	s.tasks.Started(k)
	sub := &turn{session: s, ctx: runs, cancel: k.Cancel, began: time.Now(), id: u.turn.id, root: u.turn.top(), task: k}
	a.talk.Add("user", object.Of("type", "text", "text", k.Prompt))
	for _, text := range s.hooks.Call(runs, "SubagentStart", sub.when(a, kind)).Contexts {
		a.talk.Tell(text)
	}
	if !background {
		if a.depth == 1 || s.flags.Has("forward-subagent-text") {
			sub.userLine(a, []any{object.Of("type", "text", "text", k.Prompt)})
		}
		return s.agentResult(a, sub, k, sub.converse(a), u)
	}
	sub.firstStep = make(chan struct{})
	u.turn.top().launched = sub.firstStep
	s.life.Go(func() {
		o := sub.converse(a)
		sub.stepped()
		if !s.life.Over() {
			s.agentEnds(a, sub, k, o)
		}
	})
	return okResult(u, []any{object.Of("type", "text", "text", launchedText(k, s.tasks.File(k)))}, object.Of("isAsync", true, "status", "async_launched",
		"agentId", a.id, "description", a.task, "resolvedModel", s.modelOf(a), "prompt", k.Prompt, "outputFile", s.tasks.File(k),
		"canReadOutputFile", true, "canContinueAgent", true))
}

// launchedText is what the model is told of a subagent in the background.
func launchedText(k *tasks.Task, file string) string {
	return fmt.Sprintf("The subagent has been started in the background.\nagentId: %s\noutput_file: %s\n"+
		"It works on its own from here. A note comes into this conversation when it has ended, with what it said last; until then there is nothing to wait for, "+
		"and the output file shows how far it has come. Do something else meanwhile, or end the turn.", k.ID, file)
}

// agentEnds writes how a subagent in the background has ended.
func (s *Session) agentEnds(a *agent, sub *turn, k *tasks.Task, o outcome) {
	status, text := agentStatus(a, sub, o)
	if !s.tasks.Finish(k, status, failureOf(status, text)) {
		return
	}
	k.SetOutput(text)
	s.tasks.Count(status)
	s.tasks.Ended(k, status, text, a.usage(sub, status))
}

func failureOf(status, text string) string {
	if status == "failed" {
		return text
	}
	return ""
}

// usage is what a subagent has used, nil if it has not completed.
func (a *agent) usage(sub *turn, status string) object.Object {
	if status != "completed" {
		return nil
	}
	return object.Of("total_tokens", a.last.All(), "tool_uses", len(a.tools), "duration_ms", time.Since(sub.began).Milliseconds())
}

// agentStatus is how a subagent has ended, and what it said last.
func agentStatus(a *agent, sub *turn, o outcome) (status, text string) {
	if o.failure != nil {
		return "failed", agentFailure(a, sub, o)
	}
	return "completed", o.text
}

// agentFailure says why a subagent has ended early.
func agentFailure(a *agent, sub *turn, o outcome) string {
	var api *script.APIError
	if !errors.As(o.failure, &api) {
		return "Agent terminated early due to an API error: " + o.text
	}
	return fmt.Sprintf("Agent terminated early due to an API error: %s (error type %s, HTTP %d, request id %s, model sent to the API: %s)",
		o.text, errorName(api.Status), api.Status, api.RequestID, sub.session.modelOf(a))
}

// agentResult is the result of the tool Task in the foreground.
func (s *Session) agentResult(a *agent, sub *turn, k *tasks.Task, o outcome, u *toolUse) toolResult {
	if sub.ctx.Err() != nil {
		return s.agentStopped(sub, k, u)
	}
	status, text := agentStatus(a, sub, o)
	if !s.tasks.Finish(k, status, failureOf(status, text)) {
		return s.agentStopped(sub, k, u)
	}
	k.SetOutput(text)
	s.tasks.Count(status)
	s.tasks.Notify(k, status, text, a.usage(sub, status))
	if status == "failed" {
		return badResult(u, text, "Error: "+text)
	}
	content := []any{}
	used := []string{}
	for _, name := range a.tools {
		if name == "Task" {
			name = "Agent"
		}
		if !slices.Contains(used, name) {
			used = append(used, name)
		}
	}
	said := ""
	if len(used) > 0 {
		said = "<tools-used-before-summary>" + strings.Join(used, ", ") + "</tools-used-before-summary>\n"
		content = append(content, object.Of("type", "text", "text", said))
	}
	content = append(content, object.Of("type", "text", "text", text))
	stats := a.stats()
	result := object.Of("status", "completed", "prompt", k.Prompt, "agentId", a.id, "agentType", a.kind,
		"toolsUsed", object.If(len(used) > 0, used), "harnessNoteCount", min(len(used), 1), "harnessTailCount", 0,
		"harnessSectionHash", sectionHash(content), "content", content, "resolvedModel", s.modelOf(a),
		"totalDurationMs", time.Since(sub.began).Milliseconds(), "totalTokens", a.last.All(), "totalToolUseCount", len(a.tools),
		"usage", a.last.Plain(), "toolStats", stats, "canContinueAgent", true)
	shown := fmt.Sprintf("%s%s\nagentId: %s (a message to this agent goes on with its conversation)\n<usage>total_tokens: %d\ntool_uses: %d\nduration_ms: %d</usage>\n"+
		"What is above was said by a subagent, which has seen nothing of this conversation but its task. It was not checked by anybody: look at what it has done before you rely on it.",
		said, text, a.id, a.last.All(), len(a.tools), time.Since(sub.began).Milliseconds())
	return okResult(u, []any{object.Of("type", "text", "text", shown)}, result)
}

// agentStopped is the result of the tool Task when the turn is interrupted.
func (s *Session) agentStopped(sub *turn, k *tasks.Task, u *toolUse) toolResult {
	r := rejected(u)
	r.after = func() {
		for _, tell := range sub.after {
			tell()
		}
		if s.tasks.Finish(k, "killed", "") {
			s.tasks.Count("user")
			s.tasks.Notify(k, "stopped", k.Description, nil)
		}
	}
	return r
}

// unwanted is what the model is told of a tool that an interrupt has kept from running.
const unwanted = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, " +
	"the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed."

// rejected is the result of a tool that was interrupted while it ran. The CLI has a text of its own
// there.
func rejected(u *toolUse) toolResult {
	r := unasked(u)
	r.block.Set("content", unwanted+"\n\nThe tool had begun when it was interrupted: a part of what it does may be done. What it did until then stays as it is.")
	return r
}

// unasked is the result of a tool that was interrupted before it ran.
func unasked(u *toolUse) toolResult {
	r := badResult(u, unwanted, "User rejected tool use")
	r.meta = object.Of("non_execution_kind", "user-rejected")
	return r
}

// progress tells what a subagent does.
func (t *turn) progress(a *agent, u *toolUse) {
	tokens := a.last.Input + a.last.CacheRead + a.last.CacheWrite + (len(u.name)+len(object.Text(u.input))+1)/4
	t.session.tasks.Progress(t.task, activity(u), u.name,
		object.Of("total_tokens", tokens, "tool_uses", len(a.tools), "duration_ms", time.Since(t.began).Milliseconds()))
}

// activity is what people are told that a tool does.
func activity(u *toolUse) string {
	file := filepath.Base(u.input.Text("file_path"))
	switch u.name {
	case "Read":
		return "Reading " + file
	case "Write":
		return "Writing " + file
	case "Edit":
		return "Editing " + file
	case "Bash":
		if d := u.input.Text("description"); d != "" {
			return "Running " + d
		}
		return "Running " + u.input.Text("command")
	case "Grep", "Glob":
		return "Searching for " + u.input.Text("pattern")
	}
	if d := u.input.Text("description"); d != "" {
		return d
	}
	return u.name
}

// count counts the lines of files that a tool would change.
func (a *agent) count(u *toolUse) {
	lines := func(name string) int {
		text := strings.TrimSuffix(u.input.Text(name), "\n")
		if text == "" {
			return 0
		}
		return 1 + strings.Count(text, "\n")
	}
	switch u.name {
	case "Write":
		a.added += lines("content")
	case "Edit":
		a.added += lines("new_string")
		a.removed += lines("old_string")
	}
}

// stats counts the tools that an agent has used.
func (a *agent) stats() any {
	n := map[string]int{}
	for _, name := range a.tools {
		switch name {
		case "Read":
			n["read"]++
		case "Grep", "Glob":
			n["search"]++
		case "Bash":
			n["bash"]++
		case "Write", "Edit", "MultiEdit", "NotebookEdit":
			n["edit"]++
		default:
			n["other"]++
		}
	}
	if n["read"]+n["search"]+n["bash"]+n["edit"] == 0 {
		return object.Absent
	}
	return object.Of("readCount", n["read"], "searchCount", n["search"], "bashCount", n["bash"], "editFileCount", n["edit"],
		"linesAdded", a.added, "linesRemoved", a.removed, "otherToolCount", n["other"])
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
func (s *Session) agentModel(kind, chosen string) string {
	if chosen == "" {
		chosen = s.ext.AgentModel(kind)
	}
	if chosen == "" || chosen == "inherit" {
		return ""
	}
	return models.Resolve(chosen)
}
