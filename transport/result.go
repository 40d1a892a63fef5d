package transport

import (
	"fmt"
	"strings"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
)

// maxQuotedResult is how much of a result's text the message of a TurnError shows.
const maxQuotedResult = 2 << 10

// Result is the message that ended a turn.
type Result struct {
	// Frame is a [*wire.ResultSuccess], a [*wire.ResultError], or a [*wire.UnknownFrame] for a
	// result that could not be read.
	Frame wire.Frame

	signs signs // of the messages before it
}

// known returns the result if it could be read, else one in which everything is zero.
func (r *Result) known() wire.Result {
	if f, ok := r.Frame.(wire.Result); ok {
		return f
	}
	return &wire.ResultError{}
}

// Text returns the text of the result: what the model said last, or what the CLI says of an error.
func (r *Result) Text() string { return r.known().Text() }

// Session returns the id of the session, with which it can be resumed.
func (r *Result) Session() string { return r.known().Session() }

// Cost returns what the session has cost since the CLI was started, in US dollars: the turns before
// this one, too.
func (r *Result) Cost() float64 { return r.known().Cost() }

// Tokens returns what the turn has used.
func (r *Result) Tokens() *wire.Usage { return r.known().Tokens() }

// Turns returns how often the model was asked. CLIs up to 1.0.128 count the turns before, too.
func (r *Result) Turns() int64 { return r.known().Turns() }

// Duration returns how long the turn took.
func (r *Result) Duration() time.Duration { return r.known().Duration() }

// Err returns a [*TurnError] if the turn did not come to its end, else nil: see [Result.Outcome].
func (r *Result) Err() error {
	e := &TurnError{Result: r, Outcome: r.Outcome()}
	if e.Outcome == Completed || e.Outcome == Deferred {
		return nil
	}
	switch f := r.Frame.(type) {
	case *wire.ResultSuccess:
		e.Status = int(f.APIErrorStatus.Value)
	case *wire.ResultError:
		e.Subtype = string(f.Subtype)
	case *wire.UnknownFrame:
		e.Err = f.Err
	}
	return e
}

// TurnError says that a turn did not come to its end. The session goes on.
type TurnError struct {
	Result  *Result
	Outcome Outcome // why; never Completed
	Status  int     // the HTTP status of the API's error, 0 if there was none or the CLI does not say it
	Subtype string  // of a result whose subtype is an error, such as "error_max_turns"
	Err     error   // why the result cannot be read
}

func (e *TurnError) Error() string {
	var b strings.Builder
	b.WriteString(e.Outcome.sentence())
	if e.Subtype != "" {
		b.WriteString(": " + e.Subtype)
	}
	if e.Status != 0 {
		fmt.Fprintf(&b, ": status %d of the API", e.Status)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": the result cannot be read: %v", e.Err)
	}
	if text := strings.TrimSpace(e.Result.Text()); text != "" {
		b.WriteString(": " + strings.ToValidUTF8(text[:min(len(text), maxQuotedResult)], ""))
	}
	return b.String()
}

// Unwrap returns why the result cannot be read, nil if it can.
func (e *TurnError) Unwrap() error { return e.Err }

// isResult reports whether a message ends a turn.
func isResult(f wire.Frame) bool {
	switch f := f.(type) {
	case *wire.ResultSuccess, *wire.ResultError:
		return true
	case *wire.UnknownFrame:
		return f.Type() == "result"
	}
	return false
}
