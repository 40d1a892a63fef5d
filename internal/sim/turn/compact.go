package turn

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/conversation"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/script"
	"github.com/ccwire/ccwire/internal/sim/transcript"
)

// summarise asks the model for a summary of the conversation.
func (t *Turn) summarise(instructions string) (string, error) {
	s := t.stage
	model := s.ModelOf(s.Main)
	request := "Write a summary of the conversation so far, in a <summary> element. It takes the place of the conversation. " + instructions
	last := conversation.Message{Role: "user", Content: []any{object.Of("type", "text", "text", request)}}
	taken := "" // the last answer that says something
	for range 2 {
		q := &fakeapi.Ask{Model: models.Asked(model), Tools: 20, System: s.systemPrompt()}
		conversation.Ask(q, append(s.Main.Talk.Messages(), last))
		m, err := t.summary(q)
		if err != nil {
			return "", err
		}
		s.Spent.Spend(m.Text("model"), ledger.Read(m.Object("usage")))
		text := conversation.Text(m.List("content"))
		switch {
		case len(m.List("content")) == 0:
			return "", errNoSummary
		case text == "" && taken == "":
			return "", errEmptySummary
		case text == "":
			return taken, nil
		}
		if id := ids.Agent(); !s.Out.Release().Before("2.1.325") { // to hooks, a subagent has written it
			o := hooks.Occasion{Prompt: t.id, AgentID: id}
			t.callStop("SubagentStop", o, false, s.Transcript.AgentPath(id), text)
		}
		if strings.Contains(text, "<summary>") {
			return text, nil
		}
		taken = text
	}
	return taken, nil // it is taken as it is
}

// summary asks for a summary once. An error in the middle of the answer leaves no summary if a
// block of it is complete; if none is, the model is asked again.
func (t *Turn) summary(q *fakeapi.Ask) (object.Object, error) {
	s := t.stage
	reply := s.Model.Ask(q)
	m, err := reply.Whole(t.ctx)
	if t.ctx.Err() != nil && reply.Begun() && !s.Out.Release().Before("2.1.326") { // a part counts
		opening := reply.Message()
		s.Spent.Spend(opening.Text("model"), ledger.Read(opening.Object("usage")))
	}
	var api *script.APIError
	if !errors.As(err, &api) || api.Status != 0 {
		return m, err
	}
	if len(m.List("content")) > 0 {
		opening := reply.Message()
		s.Spent.Spend(opening.Text("model"), ledger.Read(opening.Object("usage")))
		return nil, errCutSummary
	}
	for range 1 + s.maxRetries() {
		if m, err = s.Model.Ask(q).Whole(t.ctx); !errors.As(err, &api) || api.Status != 0 {
			break
		}
	}
	return m, err
}

// What can be wrong with an answer that is to be a summary.
var (
	errCutSummary   = errors.New("API Error: An error of the server has ended the response before it was complete")
	errNoSummary    = errors.New("no assistant message in summarization response")
	errEmptySummary = errors.New("summarization produced empty response")
)

// noSummary reports whether an answer that was to be a summary was none.
func noSummary(err error) bool {
	return errors.Is(err, errNoSummary) || errors.Is(err, errEmptySummary) || errors.Is(err, errCutSummary)
}

// inner is a summary without its element.
func inner(summary string) string {
	if _, text, ok := strings.Cut(summary, "<summary>"); ok {
		summary, _, _ = strings.Cut(text, "</summary>")
	}
	return strings.TrimSpace(summary)
}

// summaryText is the text that takes the place of a conversation in which tools were used.
func summaryText(summary string, tools []string) string {
	used := ""
	if len(tools) > 0 {
		used = "\n\nTools that were used: " + strings.Join(tools, ", ")
	}
	return "The conversation goes on from an earlier one that had no room left. This is the summary of what was said before:\n\n" + inner(summary) + used +
		"\n\nEverything else of the earlier conversation is gone. The session's own files, the working directory and the tasks in the background are as they were. " +
		"Go on with what was asked last, as if nothing had happened, without asking the user again and without speaking of the summary."
}

// contextTokens is how many tokens the conversation has.
func (s *Stage) contextTokens() int { return s.Main.Last.All() }

// compactNow serves the command /compact.
func (t *Turn) compactNow(args string) Outcome {
	s := t.stage
	switch {
	case len(s.Main.Talk.Messages()) > 0:
	case s.served:
		const text = "Not enough messages to compact."
		s.Out.Note("type", "system", "subtype", "status", "status", "compacting")
		s.Out.Note("type", "system", "subtype", "status", "status", nil, "compact_result", "failed", "compact_error", text)
		s.Init(t.uuids)
		return t.say(text, "<local-command-stdout>"+text+"</local-command-stdout>", "local_command_run", object.Of("command", "compact", "args", ""))
	default:
		s.Init(t.uuids)
		t.compactError("Error: No messages to compact")
		return Outcome{}
	}
	began := time.Now()
	s.Out.Note("type", "system", "subtype", "status", "status", "compacting")
	if !slices.ContainsFunc(s.Main.Talk.Messages(), func(m conversation.Message) bool { return m.Role == "assistant" }) {
		const text = "Not enough messages to compact."
		s.Out.Note("type", "system", "subtype", "status", "status", nil, "compact_result", "failed", "compact_error", text)
		s.Init(t.uuids)
		return t.say(text, "<local-command-stdout>"+text+"</local-command-stdout>", "local_command_run", object.Of("command", "compact", "args", args))
	}
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
	c := s.compact(summary, keptRounds(s.Main.Talk.Rounds()), false)
	boundary, metadata, parent := ids.UUID(), c.metadata("manual", before, 0, began), c.parent(ids.UUID())
	s.Out.Line(object.Of("type", "system", "subtype", "compact_boundary", "session_id", s.Out.ID(), "uuid", boundary,
		"compact_metadata", metadata, "logical_parent_uuid", parent))
	kept := s.Transcript.Main()
	kept.Compacted(transcript.Compaction{Prompt: t.id, Boundary: boundary, Parent: parent, Metadata: metadata, Summary: c.text, Anchor: c.anchor})
	s.Out.Line(object.Of("type", "user", "message", object.Of("role", "user", "content", c.text), "session_id", s.Out.ID(),
		"parent_tool_use_id", nil, "uuid", c.anchor, "timestamp", ids.Now(), "isReplay", false, "isSynthetic", true))
	said := "<local-command-stdout>Compacted " + strings.Join(reports, "\n") + "</local-command-stdout>"
	s.Out.Said(said, "isReplay", true)
	kept.Words(t.id, ids.UUID(), "<local-command-caveat>The user has given this command to the CLI, which has served it: it is not a request to the model.</local-command-caveat>", true)
	kept.Words(t.id, ids.UUID(), transcript.CommandText("compact", args), false)
	kept.Words(t.id, ids.UUID(), said, false)
	kept.Reintroduce(func() *transcript.About { return s.About(s.Main) }, s.left(c)...)
	return Outcome{}
}

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
	text := "Error during compaction: "
	if noSummary(err) {
		text += err.Error()
	} else {
		text += s.describe(s.ModelOf(s.Main), err).text
	}
	s.Out.Note("type", "system", "subtype", "status", "status", nil, "compact_result", "failed", "compact_error", text)
	s.Init(t.uuids)
	return t.compactError(text)
}

// compactError says why the command /compact did nothing.
func (t *Turn) compactError(text string) Outcome {
	return t.say(text, "<local-command-stderr>"+text+"</local-command-stderr>",
		"local_command_run", object.Of("command", "compact", "args", ""), "local_command_outcome", object.Of("kind", "failed"))
}
