package transport

import (
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/gen/wire"
)

// Outcome is what became of a turn.
type Outcome int

// The outcomes. A turn that Completed, or was Deferred, did not fail: [Result.Err] is nil.
const (
	// Completed: the model came to its end, or a command of the CLI did.
	Completed Outcome = iota
	// Interrupted: an interrupt ended it, or the end of the CLI, or a permission that was denied
	// with one. CLIs before 2.1.290 do not tell of a compaction.
	Interrupted
	// StoppedByHook: a hook said not to go on, or blocked the prompt. CLIs before 2.1.90 do not
	// tell of it, and those before 2.1.325 not of a prompt.
	StoppedByHook
	// Deferred: a hook deferred a tool call, which the result names.
	Deferred
	// TurnLimit: it took as many turns of the model as [cli.Flags.MaxTurns] allows.
	TurnLimit
	// BudgetLimit: it cost as much as [cli.Flags.MaxBudgetUSD] allows.
	BudgetLimit
	// Refused: the model refused to answer.
	Refused
	// APIFailed: the API answered with an error, or not at all.
	APIFailed
	// TurnFailed: anything else, also a result that cannot be read.
	TurnFailed
)

var outcomeNames = [...]string{
	"completed", "interrupted", "stopped by a hook", "deferred", "limit of turns", "limit of the budget", "refused", "failed by the API", "failed",
}

func (o Outcome) String() string {
	if o < 0 || int(o) >= len(outcomeNames) {
		return fmt.Sprintf("Outcome(%d)", int(o))
	}
	return outcomeNames[o]
}

// sentence begins the message of an error.
func (o Outcome) sentence() string {
	switch o {
	case Interrupted, StoppedByHook:
		return "the turn was " + o.String()
	case TurnLimit, BudgetLimit:
		return "the turn reached the " + o.String()
	case Refused:
		return "the model refused"
	}
	return "the turn failed"
}

// Outcome returns what became of the turn. Neither the subtype nor is_error alone says it: a turn
// that was interrupted can have the subtype success and no error.
func (r *Result) Outcome() Outcome {
	switch f := r.Frame.(type) {
	case *wire.ResultSuccess:
		if o, ok := terminalOutcome(f.TerminalReason); ok {
			return o
		}
		return r.successOutcome(f)
	case *wire.ResultError:
		if o, ok := terminalOutcome(f.TerminalReason); ok {
			return o
		}
		return errorOutcome(f)
	}
	return TurnFailed
}

// terminalOutcome returns the outcome that a terminal reason stands for, if that is all there is to
// know. CLIs up to 2.1.200 say completed where the API failed.
func terminalOutcome(reason *wire.TerminalReason) (Outcome, bool) {
	if reason == nil {
		return 0, false
	}
	switch *reason {
	case wire.TerminalReasonAbortedStreaming, wire.TerminalReasonAbortedTools:
		return Interrupted, true
	case wire.TerminalReasonHookStopped, wire.TerminalReasonStopHookPrevented:
		return StoppedByHook, true
	case wire.TerminalReasonToolDeferred:
		return Deferred, true
	case wire.TerminalReasonMaxTurns:
		return TurnLimit, true
	case wire.TerminalReasonBudgetExhausted:
		return BudgetLimit, true
	}
	return 0, false
}

func (r *Result) successOutcome(f *wire.ResultSuccess) Outcome {
	switch {
	case f.IsError && f.StopReason.Value == wire.StopReasonRefusal:
		return Refused
	case f.IsError && f.TerminalReason != nil && *f.TerminalReason == wire.TerminalReasonTurnSetupFailed:
		return TurnFailed
	case f.IsError:
		return APIFailed
	case r.signs.blocked:
		return StoppedByHook
	case r.signs.notCompacted && f.NumTurns == 0 && f.Result == "":
		return Interrupted
	case r.signs.notCompacted && f.NumTurns == 0:
		return TurnFailed
	case f.Result == "" && f.TerminalReason == nil && f.StopReason.Value == wire.StopReasonToolUse: // up to 2.1.90
		return StoppedByHook
	}
	return Completed
}

// diagnosticLabel begins the error of a turn that ended without a word of the model, as one that
// was interrupted does. From 2.1.200 on the terminal reason says more.
const diagnosticLabel = "[ede_diagnostic]"

func errorOutcome(f *wire.ResultError) Outcome {
	switch f.Subtype {
	case wire.ResultErrorSubtypeErrorMaxTurns:
		return TurnLimit
	case wire.ResultErrorSubtypeErrorMaxBudgetUSD:
		return BudgetLimit
	case wire.ResultErrorSubtypeErrorDuringExecution:
		diagnosed := len(f.Errors) > 0 && strings.HasPrefix(f.Errors[0], diagnosticLabel)
		if f.TerminalReason == nil && (diagnosed || !f.IsError) { // the latter up to 2.0.77
			return Interrupted
		}
	}
	return TurnFailed
}

// signs is what the messages of a turn say of its outcome that its result does not.
type signs struct {
	blocked      bool // a hook has blocked the prompt
	notCompacted bool // the last compaction failed; that of /compact is all that its turn is about
}

// see notices what a message says.
func (s *signs) see(f wire.Frame) {
	switch f := f.(type) {
	case *wire.SystemInformational:
		outcome := f.PromptSubmitOutcome
		if outcome != nil && outcome.Kind == wire.SystemInformationalPromptSubmitOutcomeKindBlockedByHook {
			s.blocked = true
		}
	case *wire.SystemStatus:
		if f.CompactResult != nil {
			s.notCompacted = *f.CompactResult == wire.SystemStatusCompactResultFailed
		}
	}
}
