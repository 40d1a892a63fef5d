package turn

import (
	"fmt"
	"strconv"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/tools"
)

// form is what came of an answer that must have a form of its own.
type form struct {
	answer object.Object // nil for none
	wrong  int           // answers that do not have the form
	nudged bool          // the model was told to use the tool for it
}

// inForm ends a turn with an answer that has the form that it must have, or with too many that have
// not.
func (t *Turn) inForm(m *answer, uses []*Use) (o Outcome, done bool) {
	last := ""
	given := false
	for _, u := range uses {
		switch {
		case u.Name != "StructuredOutput" || !t.stage.Tools.Structured():
		case u.failed:
			t.form.wrong++
			last, _ = u.response.(string)
		default:
			t.form.answer, given = u.Input, true
		}
	}
	if given {
		t.stopHooks(t.stage.Main, m) // the answer is given, whatever they say
		return t.answered("completed", m), true
	}
	if most := t.stage.maxForms(); last != "" && t.form.wrong >= most {
		t.counts.take(m.usage) // the last message is not told
		return Outcome{
			Reason: "structured_output_retry_exhausted", Subtype: "error_max_structured_output_retries", IsError: true, StopReason: m.stopReason,
			Errors: []string{fmt.Sprintf("Failed to provide valid structured output after %d attempts — last StructuredOutput error: %s", most, last)},
		}, true
	}
	return Outcome{}, false
}

// maxForms is how many answers may be without the form that they must have.
func (s *Stage) maxForms() int {
	if n, err := strconv.Atoi(s.Place.Get("MAX_STRUCTURED_OUTPUT_RETRIES")); err == nil && n > 0 {
		return n
	}
	return 5
}

// answered is the outcome of a turn that the model has ended.
func (t *Turn) answered(reason string, m *answer) Outcome {
	o := Outcome{Reason: reason, Subtype: "success", Text: m.text(), StopReason: m.stopReason}
	if t.form.answer != nil {
		o.Structured, o.Text = t.form.answer, object.Text(t.form.answer)
	} else if last := m.lastType(); last == "server_tool_use" && m.stopReason != "end_turn" {
		o.Subtype, o.IsError = "error_during_execution", true
		o.Errors = []string{"[ede_diagnostic] result_type=assistant last_content_type=" + last + " stop_reason=" + jsText(m.stopReason)}
	}
	return o
}

// nudge tells a model that has only said something to answer in the form that its answer must have,
// once in a turn. It reports whether it did.
func (t *Turn) nudge(a *Agent) bool {
	if a.ID != "" || !t.stage.Tools.Structured() || t.form.answer != nil || t.form.nudged {
		return false
	}
	t.form.nudged = true
	block := object.Of("type", "text", "text", "[structured-output-enforce] You MUST call the StructuredOutput tool to complete this request. Call this tool now.")
	a.Talk.Add("user", block)
	t.note(a, block, object.Of("alone", true))
	return true
}

// shown is the input of a tool as the user is told it.
func (s *Stage) shown(tool string, input object.Object) object.Object {
	if form := s.Host.Form(); tool == "StructuredOutput" && form != nil {
		return form.Adapt(input)
	}
	return tools.Shown(tool, input)
}
