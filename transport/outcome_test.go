package transport

import (
	"path"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
)

// recordedOutcomes are the outcomes that a recorded scenario has beside Completed, by its name,
// from the first version on that tells.
var recordedOutcomes = map[string]struct {
	outcome Outcome
	since   string
}{
	"permission/deny-interrupt":         {Interrupted, "1.0.59"},
	"end/sigint-mid-turn":               {Interrupted, "1.0.59"},
	"interrupt/compaction":              {Interrupted, "2.1.290"},
	"turn/compact-fails":                {TurnFailed, "2.1.290"},
	"hook/pre-tool-use-continue-false":  {StoppedByHook, "2.1.90"},
	"hook/post-tool-use-continue-false": {StoppedByHook, "2.1.90"},
	"hook/user-prompt-submit-block":     {StoppedByHook, "2.1.325"},
	"hook/pre-tool-use-defer":           {Deferred, "2.1.200"},
	"turn/max-turns":                    {TurnLimit, "1.0.59"},
	"end/max-turns":                     {TurnLimit, "1.0.59"},
	"turn/max-budget":                   {BudgetLimit, "1.0.59"},
	"turn/refusal":                      {Refused, "1.0.59"},
	"turn/api-error-400":                {APIFailed, "1.0.59"},
	"turn/api-error-413":                {APIFailed, "1.0.59"},
	"turn/api-error-529":                {APIFailed, "1.0.59"},
	"turn/api-unreachable":              {APIFailed, "1.0.59"},
	"turn/pdf-password":                 {APIFailed, "1.0.59"},
	"end/resume-unknown":                {TurnFailed, "1.0.59"},
}

// outcomesOf returns the outcomes of the results in a recording, and whether the conversation says
// before each that it was interrupted.
func outcomesOf(t *testing.T, lines []recording.Line) (outcomes []Outcome, interrupted []bool) {
	t.Helper()
	marked, said := false, signs{}
	for _, line := range lines {
		if line.Dir != recording.ToSDK {
			continue
		}
		f, err := wire.Decode(line.Text)
		if err != nil {
			continue
		}
		said.see(f)
		if user, ok := f.(*wire.User); ok && !user.ParentToolUseID.Valid {
			marked = marked || strings.Contains(string(line.Text), `"[Request interrupted by user`)
		}
		marked = marked || strings.Contains(string(line.Text), `"compact_error":"API Error: Request was aborted."`)
		if !isResult(f) {
			continue
		}
		outcomes = append(outcomes, (&Result{Frame: f, signs: said}).Outcome())
		interrupted = append(interrupted, marked)
		marked, said = false, signs{}
	}
	return outcomes, interrupted
}

func TestOutcomesOfRecordedTurns(t *testing.T) {
	all, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, session := range all {
		outcomes, interrupted := outcomesOf(t, session.Lines)
		for i, outcome := range outcomes {
			if (outcome == Interrupted) != interrupted[i] {
				t.Errorf("%s: result %d is %v; the conversation says that it was interrupted: %v", session.Path, i, outcome, interrupted[i])
			}
		}
		name := path.Join(path.Base(path.Dir(session.Path)), strings.TrimSuffix(path.Base(session.Path), ".ndjson"))
		want, ok := recordedOutcomes[name]
		if !ok || corpus.Compare(session.Version, want.since) < 0 {
			continue
		}
		seen[name] = true
		var found bool
		for _, outcome := range outcomes {
			found = found || outcome == want.outcome
			if outcome != want.outcome && outcome != Completed {
				t.Errorf("%s: a result is %v, want %v", session.Path, outcome, want.outcome)
			}
		}
		if len(outcomes) > 0 && !found {
			t.Errorf("%s: the results are %v, want %v among them", session.Path, outcomes, want.outcome)
		}
	}
	for name := range recordedOutcomes {
		if !seen[name] {
			t.Errorf("%s is not recorded", name)
		}
	}
}

func TestOnlyATurnThatCameToItsEndHasNoError(t *testing.T) {
	reason := func(r wire.TerminalReason) *wire.TerminalReason { return &r }
	for _, test := range []struct {
		name  string
		frame wire.Frame
		want  Outcome
	}{
		{"success", &wire.ResultSuccess{Result: "Done."}, Completed},
		{"interrupted before a word", &wire.ResultSuccess{TerminalReason: reason(wire.TerminalReasonAbortedStreaming)}, Interrupted},
		{"interrupted in a tool", &wire.ResultSuccess{TerminalReason: reason(wire.TerminalReasonAbortedTools)}, Interrupted},
		{"stopped by a hook", &wire.ResultSuccess{TerminalReason: reason(wire.TerminalReasonStopHookPrevented)}, StoppedByHook},
		{"deferred", &wire.ResultSuccess{TerminalReason: reason(wire.TerminalReasonToolDeferred)}, Deferred},
		{"unknown reason", &wire.ResultSuccess{Result: "Done.", TerminalReason: reason("new")}, Completed},
		{"unknown subtype", &wire.ResultError{Subtype: "error_new"}, TurnFailed},
		{"unreadable", wire.Unreadable([]byte(`{"type":"result"}`), errOversize), TurnFailed},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &Result{Frame: test.frame}
			if got := r.Outcome(); got != test.want {
				t.Errorf("outcome = %v, want %v", got, test.want)
			}
			e, failed := r.Err().(*TurnError)
			if ended := test.want == Completed || test.want == Deferred; failed == ended || failed && e.Outcome != test.want {
				t.Errorf("error = %v", r.Err())
			}
		})
	}
}
