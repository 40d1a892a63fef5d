package turn

import (
	"errors"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/script"
	"github.com/ccwire/ccwire/internal/sim/transcript"
)

// autoCompact compacts a conversation that has nearly filled the model's window.
func (t *Turn) autoCompact() {
	const margin = 33000
	if s := t.stage; s.contextTokens() >= models.ContextWindow(s.ModelOf(s.Main))-margin {
		_ = t.compactAlone(keptRounds(s.Main.Talk.Rounds()), false) // the request that comes tells what is wrong
	}
}

// shorten compacts a conversation that the API finds too long, once in a turn. It reports whether
// the model is asked again.
func (t *Turn) shorten(a *Agent, err error) bool {
	var api *script.APIError
	if a.ID != "" || t.shortened || !errors.As(err, &api) || !tooLong(api) && api.Status != 413 || t.ctx.Err() != nil {
		return false
	}
	n := a.Talk.Rounds()
	if n < 2 {
		return false // there is nothing before what was asked
	}
	t.shortened = true
	keep := keptRounds(n)
	if tooLong(api) && keep > 0 {
		keep = n / 2
	}
	var failed error
	if api.Status == 413 && !tooLong(api) && keep == 0 {
		t.beginCompaction()
		failed = errTooFew
	} else {
		failed = t.compactAlone(keep, keep == 0)
	}
	if failed == nil {
		return true
	}
	reason := "exhausted"
	switch {
	case failed == errTooFew:
		reason = failed.Error()
	case noSummary(failed):
		reason = failed.Error()
		t.uncompacted = reason
	}
	t.stage.Out.Note("type", "system", "subtype", "status", "status", nil, "compact_result", "failed", "compact_error", reason)
	return false
}

// errTooFew says that a request that is too large has too few rounds before what was asked last.
var errTooFew = errors.New("too_few_groups")

// beginCompaction tells that the conversation is compacted without being told to.
func (t *Turn) beginCompaction() {
	t.stage.Out.Note("type", "system", "subtype", "status", "status", "compacting", "compact_output_chars", 0)
	t.fire("PreCompact", object.Of("trigger", "auto", "custom_instructions", nil))
}

// compactAlone compacts the conversation without being told to, up to its last rounds. Of one with
// fewer it keeps what the user has asked last; lost says that what came before it was too large.
func (t *Turn) compactAlone(rounds int, lost bool) error {
	s := t.stage
	began := time.Now()
	before := s.contextTokens() + said(s.Main.Talk.Last())
	t.beginCompaction()
	summary, err := t.summarise("")
	if err != nil {
		return err
	}
	t.fire("SessionStart", object.Of("source", "compact", "model", s.ModelOf(s.Main)))
	t.fire("PostCompact", object.Of("trigger", "auto", "compact_summary", summary))
	s.Out.Note("type", "system", "subtype", "status", "status", nil, "compact_result", "success")
	parent := s.Main.Talk.LastUUID()
	c := s.compact(summary, rounds, true)
	if lost {
		c.tokens += tokensIn(lostChars)
	}
	boundary, metadata, parent := ids.UUID(), c.metadata("auto", before, max(before-c.tokens, 0), began), c.parent(parent)
	s.Out.Line(object.Of("type", "system", "subtype", "compact_boundary", "uuid", boundary,
		"compact_metadata", metadata, "logical_parent_uuid", parent, "session_id", s.Out.ID()))
	kept := s.Transcript.Main()
	kept.Compacted(transcript.Compaction{Prompt: t.id, Boundary: boundary, Parent: parent, Metadata: metadata, Summary: c.text, Anchor: c.anchor})
	kept.Reintroduce(func() *transcript.About { return s.About(s.Main) }, s.left(c)...)
	s.Main.Last = ledger.Usage{}
	t.counts.count(&t.counts.users)
	s.Out.Line(object.Of("type", "user", "message", object.Of("role", "user", "content", []any{object.Of("type", "text", "text", c.text)}), "parent_tool_use_id", nil, "session_id", s.Out.ID(),
		"uuid", c.anchor, "timestamp", ids.Now(), "isSynthetic", true))
	return nil
}
