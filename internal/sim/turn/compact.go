package turn

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/conversation"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/script"
)

// summarise asks the model for a summary of the conversation.
func (t *Turn) summarise(instructions string) (string, error) {
	s := t.stage
	model := s.ModelOf(s.Main)
	request := "Write a summary of the conversation so far, in a <summary> element. It takes the place of the conversation. " + instructions
	last := conversation.Message{Role: "user", Content: []any{object.Of("type", "text", "text", request)}}
	for range 2 {
		q := &fakeapi.Ask{Model: models.Asked(model), Tools: 20, System: s.systemPrompt()}
		conversation.Ask(q, append(s.Main.Talk.Messages(), last))
		answer := s.Model.Ask(q)
		m, err := answer.Whole(t.ctx)
		if err != nil {
			return "", err
		}
		used := ledger.Read(m.Object("usage"))
		s.Spent.Spend(m.Text("model"), used)
		if text := conversation.Text(m.List("content")); strings.Contains(text, "<summary>") {
			return text, nil
		}
	}
	return "", context.DeadlineExceeded
}

// summaryText is the text that takes the place of a conversation.
func summaryText(summary string) string {
	_, inner, _ := strings.Cut(summary, "<summary>")
	inner, _, _ = strings.Cut(inner, "</summary>")
	return "The conversation goes on from an earlier one that had no room left. This is the summary of what was said before:\n\n" + strings.TrimSpace(inner) +
		"\n\nEverything else of the earlier conversation is gone. The session's own files, the working directory and the tasks in the background are as they were. " +
		"Go on with what was asked last, as if nothing had happened, without asking the user again and without speaking of the summary."
}

// contextTokens is how many tokens the conversation has.
func (s *Stage) contextTokens() int { return s.Main.Last.All() }

// compactNow serves the command /compact.
func (t *Turn) compactNow(args string) Outcome {
	s := t.stage
	began := time.Now()
	s.Out.Note("type", "system", "subtype", "status", "status", "compacting")
	reports := t.fire("PreCompact", object.Of("trigger", "manual", "custom_instructions", textOrNil(args)))
	before := s.contextTokens()
	summary, err := t.summarise(args)
	if err != nil {
		return t.compactFailed(err)
	}
	t.fire("SessionStart", object.Of("source", "compact", "model", s.ModelOf(s.Main)))
	reports = append(reports, t.fire("PostCompact", object.Of("trigger", "manual", "compact_summary", summary))...)
	s.Out.Note("type", "system", "subtype", "status", "status", nil, "compact_result", "success")
	s.Init(t.uuids)
	s.Out.Line(object.Of("type", "system", "subtype", "compact_boundary", "session_id", s.Out.ID(), "uuid", ids.UUID(),
		"compact_metadata", object.Of("trigger", "manual", "pre_tokens", before, "post_tokens", compactedTokens(summary, 0), "cumulative_dropped_tokens", 0,
			"duration_ms", time.Since(began).Milliseconds()), "logical_parent_uuid", ids.UUID()))
	text := summaryText(summary)
	s.Main.Talk.Begin(object.Of("type", "text", "text", text))
	s.Out.Said(text, "isReplay", false, "isSynthetic", true)
	s.Out.Said("<local-command-stdout>Compacted "+strings.Join(reports, "\n")+"</local-command-stdout>", "isReplay", true)
	return Outcome{}
}

// compactedTokens is how many tokens a conversation has that was compacted; plausible, not true.
func compactedTokens(summary string, kept int) int { return 2520 + len(summary)/4 + kept }

// compactFailed is the outcome of a compaction that the model did not do.
func (t *Turn) compactFailed(err error) Outcome {
	s := t.stage
	if t.ctx.Err() != nil {
		t.AwaitReceipt()
		s.Out.Note("type", "system", "subtype", "status", "status", nil, "compact_result", "failed", "compact_error", "API Error: Request was aborted.")
		s.Init(t.uuids)
		const text = "Compaction canceled."
		t.say(text, "<local-command-stdout>"+text+"</local-command-stdout>")
		return Outcome{}
	}
	text := "Error during compaction: " + s.describe(s.ModelOf(s.Main), err).text
	s.Out.Note("type", "system", "subtype", "status", "status", nil, "compact_result", "failed", "compact_error", text)
	s.Init(t.uuids)
	return t.say(text, "<local-command-stderr>"+text+"</local-command-stderr>",
		"local_command_run", object.Of("command", "compact", "args", ""), "local_command_outcome", object.Of("kind", "failed"))
}

// autoCompact compacts a conversation that has nearly filled the model's window.
func (t *Turn) autoCompact() {
	const margin = 33000
	if s := t.stage; s.contextTokens() >= models.ContextWindow(s.ModelOf(s.Main))-margin {
		_ = t.compactAlone() // the request that comes tells what is wrong
	}
}

// shorten compacts a conversation that the API finds too long, once in a turn. It reports whether
// the model is asked again.
func (t *Turn) shorten(a *Agent, err error) bool {
	var api *script.APIError
	if a.ID != "" || t.shortened || !errors.As(err, &api) || !tooLong(api) || t.ctx.Err() != nil {
		return false
	}
	if !slices.ContainsFunc(a.Talk.Messages(), func(m conversation.Message) bool { return m.Role == "assistant" }) {
		return false // there is nothing before what was asked
	}
	t.shortened = true
	if t.compactAlone() != nil {
		t.stage.Out.Note("type", "system", "subtype", "status", "status", nil, "compact_result", "failed", "compact_error", "exhausted")
		return false
	}
	return true
}

// compactAlone compacts the conversation without being told to.
func (t *Turn) compactAlone() error {
	s := t.stage
	began := time.Now()
	last := t.prompts[len(t.prompts)-1]
	before := s.contextTokens() + (len(last.Text())+2)/4
	s.Out.Note("type", "system", "subtype", "status", "status", "compacting", "compact_output_chars", 0)
	t.fire("PreCompact", object.Of("trigger", "auto", "custom_instructions", nil))
	kept := s.Main.Talk.Last()
	summary, err := t.summarise("")
	if err != nil {
		return err
	}
	t.fire("SessionStart", object.Of("source", "compact", "model", s.ModelOf(s.Main)))
	t.fire("PostCompact", object.Of("trigger", "auto", "compact_summary", summary))
	s.Out.Note("type", "system", "subtype", "status", "status", nil, "compact_result", "success")
	after := compactedTokens(summary, 57)
	head, anchor := ids.UUID(), ids.UUID()
	s.Out.Line(object.Of("type", "system", "subtype", "compact_boundary", "uuid", ids.UUID(),
		"compact_metadata", object.Of("trigger", "auto", "pre_tokens", before, "post_tokens", after, "cumulative_dropped_tokens", max(before-after, 0),
			"duration_ms", time.Since(began).Milliseconds(), "preserved_segment", object.Of("head_uuid", head, "anchor_uuid", anchor, "tail_uuid", head),
			"preserved_messages", object.Of("anchor_uuid", anchor, "uuids", []string{head}, "all_uuids", []string{head})),
		"logical_parent_uuid", head, "session_id", s.Out.ID()))
	text := object.Of("type", "text", "text", summaryText(summary))
	s.Main.Talk.Begin(append([]any{text}, kept.Content...)...)
	s.Main.Last = ledger.Usage{}
	t.counts.count(&t.counts.users)
	s.Out.Line(object.Of("type", "user", "message", object.Of("role", "user", "content", []any{text}), "parent_tool_use_id", nil, "session_id", s.Out.ID(),
		"uuid", anchor, "timestamp", ids.Now(), "isSynthetic", true))
	return nil
}
