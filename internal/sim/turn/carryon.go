package turn

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/result"
	"github.com/ccwire/ccwire/internal/sim/script"
)

// maxCuts is how often the model may go on with an answer that was cut.
const maxCuts = 3

// carryOn lets the model go on with an answer that was cut. It reports true if it is asked again,
// or that the turn is done because it was cut too often.
func (t *Turn) carryOn(a *Agent, m *answer) (o Outcome, again, done bool) {
	full := m.stopReason == "model_context_window_exceeded"
	if m.stopReason != "max_tokens" && !full || len(m.toolUses(t, a)) > 0 {
		return Outcome{}, false, false
	}
	if t.counts.count(&t.counts.cuts) <= maxCuts {
		t.prompt(a, "The answer has reached the limit of its length. Go on where it ends, without a repetition, in smaller steps.")
		return Outcome{}, true, false
	}
	cut, text := "output_limit", fmt.Sprintf("API Error: Claude's response exceeded the %d output token maximum.", models.MaxOutput(m.model))
	if full {
		cut, text = "context_window", "API Error: The model has reached its context window limit."
	}
	const name = "max_output_tokens"
	if a.ID != "" {
		return Outcome{Text: text}, false, true
	}
	t.synthetic(a, text, "stop_sequence", nil, "error", name, "is_api_error_message", true, "api_error", name, "api_error_params", object.Of("cut", cut))
	t.stage.Hooks.Call(t.ctx, "StopFailure", t.When(nil, name), "error", name, "last_assistant_message", text)
	return Outcome{Reason: "api_error", Subtype: "success", IsError: true, Text: text, StopReason: "stop_sequence", API: &result.APIError{Code: name}}, false, true
}

// errCut says that an error has ended a message of which blocks are kept.
var errCut = errors.New("the message was cut")

// brokenOff ends a message in which the API gives an error. The tools that the model has asked for
// are used, and with text it goes on, unless that has happened too often or would not help. Where
// nothing is complete nothing is kept. closing writes what comes after the line of the error.
func (t *Turn) brokenOff(st *streaming, err *script.APIError) (closing func(), failed error) {
	opening := ledger.Read(st.message.Object("usage"))
	kept, uses := len(st.got.content), len(st.got.toolUses(t, st.agent)) > 0
	newer := !t.stage.Out.Release().Before("2.1.325")
	over := newer && kept > 0 && final(err)
	nothing := func() {}
	end := func() {
		if st.events() {
			st.close(kept, over)
		}
	}
	switch {
	case newer && uses:
		st.keep()
		st.got.usage, st.got.stopReason = opening, "tool_use"
		text, name := "API Error: An error of the server has ended the response before it was complete.", "server_error"
		if over {
			text, name = "API Error: "+err.Message, "unknown"
		} else {
			t.spend(st.agent, st.model, opening)
			end()
		}
		t.synthetic(st.agent, text, "tool_use", nil, "error", name, "request_id", object.If(over, err.RequestID), "is_api_error_message", true,
			"api_error_status", object.If(over && err.Type == rateLimit, 429), "api_error_type", object.If(over, err.Type))
		if over {
			t.ends = end
		}
		return nothing, nil
	case over:
		st.keep()
		return end, errors.Join(err, errFinal)
	case kept == 0 || uses || t.counts.count(&t.counts.cuts) > maxCuts:
		kept = 0
		t.counts.waste(opening) // only the turn tells it
		end()
		return nothing, err
	}
	end()
	st.keep()
	t.spend(st.agent, st.model, opening)
	return nothing, errCut
}

// errFinal says that an error in a message would come again.
var errFinal = errors.New("the error is final")

// rateLimit is the one type of an error inside a stream that has a status.
const rateLimit = "rate_limit_error"

// final reports whether an error is not one of the server's.
func final(err *script.APIError) bool {
	return err.Type != "api_error" && err.Type != "overloaded_error" && err.Type != "timeout_error"
}

// speakUp asks a model that has said nothing to say something, once in a turn. It reports whether
// it did.
func (t *Turn) speakUp(a *Agent, m *answer, uses []*Use) bool {
	if len(uses) > 0 || m.stopReason != "end_turn" || a.ID != "" || t.silent {
		return false
	}
	for _, b := range m.content {
		o, _ := b.(object.Object)
		switch o.Text("type") {
		case "text":
			if strings.TrimSpace(o.Text("text")) != "" {
				return false
			}
		case "thinking", "redacted_thinking":
		default:
			return false
		}
	}
	t.silent = true
	t.prompt(a, "[Nothing of your last answer can be seen. Go on, and say something that the user can see.]")
	return true
}

// prompt tells the model to go on.
func (t *Turn) prompt(a *Agent, text string) {
	block := object.Of("type", "text", "text", text)
	a.Talk.Add("user", block)
	t.note(a, block, nil)
}
