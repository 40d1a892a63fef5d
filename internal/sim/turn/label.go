package turn

import (
	"context"
	"strings"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/conversation"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/models"
)

// label is a few words of the model on what tools have done.
type label struct {
	uses []string    // their ids
	text chan string // has it once the model has answered; "" for nothing
}

// askForLabel asks the model, beside the conversation, what tools have done, if the SDK wants to be
// told.
func (t *Turn) askForLabel(uses []*Use) {
	s := t.stage
	if !s.Place.On("CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES") || s.Out.Release().Before("2.1.90") {
		return
	}
	l := &label{text: make(chan string, 1)}
	var done strings.Builder
	for _, u := range uses {
		l.uses = append(l.uses, u.ID)
		done.WriteString("\n" + u.Name + " " + object.Text(u.Input))
	}
	t.label = l
	s.Life.Go(func() { l.text <- s.labelOf(t.ctx, done.String()) }) // ends with the turn
}

// labelOf returns what the model calls some uses of tools.
func (s *Stage) labelOf(ctx context.Context, uses string) string {
	model := s.ModelOf(s.Main)
	if s.Out.Release().Before("2.1.200") {
		model = s.Chosen.Resolve("haiku")
	}
	q := &fakeapi.Ask{Model: models.Asked(model), System: "Write a short summary label of what these tools have done."}
	conversation.Ask(q, []conversation.Message{{Role: "user", Content: []any{object.Of("type", "text", "text", "Tools completed:"+uses)}}})
	m, err := s.Model.Ask(q).Whole(ctx)
	if err != nil {
		return ""
	}
	s.Spent.Spend(model, ledger.Read(m.Object("usage")))
	return strings.TrimSpace(conversation.Text(m.List("content")))
}

// tellLabel tells what the tools have done that the model was asked to name, once it has.
func (t *Turn) tellLabel() {
	l := t.label
	if l == nil {
		return
	}
	t.label = nil
	select {
	case text := <-l.text:
		if text != "" {
			tell := t.stage.Out.Tell
			if t.stage.Out.Release().Before("2.1.290") {
				tell = t.stage.Out.Note
			}
			tell("type", "tool_use_summary", "summary", text, "preceding_tool_use_ids", l.uses)
		}
	case <-t.ctx.Done():
	}
}
