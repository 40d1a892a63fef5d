package wire

import (
	"strings"
	"time"
)

// A Result is the line that ends a turn, whatever came of it: [*ResultSuccess] or [*ResultError].
type Result interface {
	Frame
	// Outcome returns the member subtype: "success", or what ended the turn, such as
	// "error_max_turns".
	Outcome() string
	// Failed returns the member is_error. It is not the opposite of success: the outcome of a turn
	// that an error of the API ended is "success" too, and an interrupt need not be an error.
	Failed() bool
	// Text returns what the model said last, or the errors, one on each line.
	Text() string
	// Turns returns how many turns of the model there were.
	Turns() int64
	// Cost returns the member total_cost_usd, in US dollars.
	Cost() float64
	// Tokens returns the member usage. It is part of the result.
	Tokens() *Usage
	// Duration returns how long it took.
	Duration() time.Duration
	// APIDuration returns how much of that was spent in the API.
	APIDuration() time.Duration
	// Session returns the member session_id.
	Session() string
	// Lacks reports whether a required member, such as "total_cost_usd", is missing or of another
	// kind, so that what the other methods return of it is zero and means nothing.
	Lacks(member string) bool
}

var (
	_ Result = (*ResultSuccess)(nil)
	_ Result = (*ResultError)(nil)
)

// Outcome returns "success".
func (v *ResultSuccess) Outcome() string { return "success" }

// Failed returns the member is_error.
func (v *ResultSuccess) Failed() bool { return v.IsError }

// Text returns what the model said last, or what the CLI says of an error of the API.
func (v *ResultSuccess) Text() string { return v.Result }

// Turns returns the member num_turns.
func (v *ResultSuccess) Turns() int64 { return v.NumTurns }

// Cost returns the member total_cost_usd.
func (v *ResultSuccess) Cost() float64 { return v.TotalCostUSD }

// Tokens returns the member usage.
func (v *ResultSuccess) Tokens() *Usage { return &v.Usage }

// Duration returns the member duration_ms.
func (v *ResultSuccess) Duration() time.Duration { return milliseconds(v.DurationMS) }

// APIDuration returns the member duration_api_ms.
func (v *ResultSuccess) APIDuration() time.Duration { return milliseconds(v.DurationAPIMS) }

// Session returns the member session_id.
func (v *ResultSuccess) Session() string { return v.SessionID }

// Lacks reports whether a required member is missing or of another kind.
func (v *ResultSuccess) Lacks(member string) bool { return v.Extra.Has(member) }

// Outcome returns the member subtype.
func (v *ResultError) Outcome() string { return string(v.Subtype) }

// Failed returns the member is_error.
func (v *ResultError) Failed() bool { return v.IsError }

// Text returns the errors, one on each line.
func (v *ResultError) Text() string { return strings.Join(v.Errors, "\n") }

// Turns returns the member num_turns.
func (v *ResultError) Turns() int64 { return v.NumTurns }

// Cost returns the member total_cost_usd.
func (v *ResultError) Cost() float64 { return v.TotalCostUSD }

// Tokens returns the member usage.
func (v *ResultError) Tokens() *Usage { return &v.Usage }

// Duration returns the member duration_ms.
func (v *ResultError) Duration() time.Duration { return milliseconds(v.DurationMS) }

// APIDuration returns the member duration_api_ms.
func (v *ResultError) APIDuration() time.Duration { return milliseconds(v.DurationAPIMS) }

// Session returns the member session_id.
func (v *ResultError) Session() string { return v.SessionID }

// Lacks reports whether a required member is missing or of another kind.
func (v *ResultError) Lacks(member string) bool { return v.Extra.Has(member) }

func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
