package turn

import (
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/models"
)

// refused is what the CLI does with an answer that the model has stopped by a refusal. It reports
// true if the model is asked again.
func (t *Turn) refused(a *Agent, m *answer) (Outcome, bool) {
	s := t.stage
	if t.counts.count(&t.counts.refusals) == 1 {
		text := models.Title(m.model) + "'s safeguards stopped the response above · continuing once with that noted"
		s.Out.Tell("type", "system", "subtype", "informational", "content", text, "level", "notice")
		s.Transcript.Main().Notice(ids.UUID(), "informational", "content", text, "isMeta", false, "level", "notice")
		block := object.Of("type", "text", "text", "Your response above was stopped by a safety classifier — this is not a tool or API error. "+
			"The rest of it was withheld, and tool calls in it that had not finished did not run. Do not produce that content again, even reworded.")
		a.Talk.Add("user", block)
		t.note(a, block, nil, "refused_message_id", m.id)
		a.refused = 2
		t.spared++
		return Outcome{}, true
	}
	if s.fallsBack(m.model) {
		t.fallBack(m)
		return Outcome{}, true
	}
	id, asked := ids.UUID(), t.prompts[len(t.prompts)-1].ID()
	s.Out.Line(object.Of("type", "system", "subtype", "model_refusal_no_fallback", "uuid", id, "original_model", m.model, "request_id", m.requestID,
		"api_refusal_category", nil, "api_refusal_explanation", nil, "refused_user_message_uuid", asked, "content", "", "session_id", s.Out.ID()))
	s.Transcript.Main().Notice(id, "model_refusal_no_fallback", "content", "", "level", "warning", "originalModel", m.model, "requestId", m.requestID,
		"apiRefusalCategory", nil, "apiRefusalExplanation", nil, "refusedUserMessageUuid", asked, "isMeta", false)
	text := "API Error: " + models.Title(m.model) + " has refused to answer, twice. Nothing of what it said is kept. Ask in other words, or begin a new conversation: " +
		"as long as the refused request is part of this one, the model will very likely refuse again. A message that goes before the refused one can be edited and sent once more. " +
		"What the tools have done up to here stays as it is."
	t.synthetic(a, text, "refusal", object.Of("refusingModel", m.model), "error", "invalid_request", "request_id", m.requestID, "is_api_error_message", true, "refused_message_id", m.id)
	return Outcome{Reason: "api_error", Subtype: "success", IsError: true, Text: text, StopReason: "refusal"}, false
}

// refusalModel is asked in place of a model that has refused.
const refusalModel = "claude-opus-5"

// fallsBack reports whether another model is asked when one has refused.
func (s *Stage) fallsBack(model string) bool {
	if !s.Place.On("CLAUDE_CODE_REFUSAL_FALLBACK_CATCH_ALL") {
		return false
	}
	switch models.Canonical(model) {
	case "claude-fable-5-2", "claude-opus-5-5", "claude-sonnet-5-5":
		return true
	}
	return false
}

// fallBack has another model answer from now on, and takes back what the one before has said.
func (t *Turn) fallBack(m *answer) {
	s := t.stage
	id, asked := ids.UUID(), t.prompts[len(t.prompts)-1].ID()
	t.supersedes = []string{s.Main.Talk.LastLine()}
	text := models.Title(m.model) + "'s safeguards flagged this message. This sometimes happens with safe, normal conversations. Switched to " +
		models.Title(refusalModel) + ". You can learn more: https://support.claude.com/en/articles/15363606"
	s.Out.Note("type", "system", "subtype", "model_refusal_fallback", "trigger", "refusal", "direction", "retry", "scope", "session",
		"original_model", m.model, "fallback_model", refusalModel, "request_id", m.requestID, "api_refusal_category", nil, "api_refusal_explanation", nil,
		"retracted_message_uuids", t.supersedes, "refused_user_message_uuid", asked, "content", text)
	s.Transcript.Main().Notice(id, "model_refusal_fallback", "content", text, "level", "warning", "trigger", "refusal", "direction", "retry", "scope", "session",
		"originalModel", m.model, "fallbackModel", refusalModel, "requestId", m.requestID, "apiRefusalCategory", nil, "apiRefusalExplanation", nil,
		"retractedMessageUuids", t.supersedes, "refusedUserMessageUuid", asked, "isMeta", false)
	s.Main.Talk.Retract()
	t.counts.take(m.usage)
	s.Chosen.Set(refusalModel)
}
