package transport

import (
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/gen/wire"
)

// maxQuotedResult is how much of a result's text the message of a TurnError shows.
const maxQuotedResult = 2 << 10

// Result is the message that ended a turn.
type Result struct {
	// Frame is a [*wire.ResultSuccess], a [*wire.ResultError], or a [*wire.UnknownFrame] for a
	// result that could not be read.
	Frame wire.Frame

	blocked bool // a message of the turn says that a hook has blocked the prompt
}

// Text returns the text of the result: what the model said last, or what the CLI says of an error.
func (r *Result) Text() string {
	switch f := r.Frame.(type) {
	case *wire.ResultSuccess:
		return f.Result
	case *wire.ResultError:
		return strings.Join(f.Errors, "\n")
	}
	return ""
}

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
