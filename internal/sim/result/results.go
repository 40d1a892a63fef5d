package result

import (
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/output"
)

// Results are the results of a session. Its methods may be called at the same time.
type Results struct {
	out  *output.Session
	form output.Form
	json bool // the only output is the result itself, not its text

	mu     sync.Mutex // guards the fields below
	count  int
	failed bool
	users  int // messages of the user, with the results of tools
	stops  int // answers that were stopped for safety
}

// New returns the results of a session. If form is that of a text, only the result is written: as
// JSON or as its text.
func New(out *output.Session, form output.Form, json bool) *Results {
	return &Results{out: out, form: form, json: json}
}

// Count is how many results were written.
func (r *Results) Count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count
}

// Passed says that something was told after the last result: the session does not end with it.
func (r *Results) Passed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = false
}

// Failed reports whether the last result is an error, and nothing was told after it.
func (r *Results) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

// Write writes the result of a turn.
func (r *Results) Write(v *Result) {
	r.mu.Lock()
	v.index = r.count
	r.count++
	r.failed = v.IsError
	r.users += v.Users + 1
	switch v.turns = 1 + v.Users; {
	case !r.out.Release().Before("2.0.77"):
	case v.Subtype == "error_during_execution":
		v.turns = 0
	default: // these count all messages of the session
		v.turns = 2*r.users - 1
	}
	r.stops += v.Refusals
	v.Refusals = r.stops
	r.mu.Unlock()
	v.session = r.out.ID()
	switch {
	case r.form != output.Text:
		turn.Write(r.out, v)
	case r.json:
		r.out.Text(object.Text(r.out.Fit(turn.Object(r.out.Release(), v))) + "\n")
	default:
		text := v.Text
		if len(v.Errors) > 0 {
			text = v.Errors[0]
		}
		r.out.Text(text + "\n")
	}
}

// Crash writes the result of a session that ends by an error. spent is what it has spent.
func (r *Results) Crash(err error, spent ledger.Statement) {
	v := &Result{Errors: []string{err.Error(), "[session_crash] error_name=TelemetrySafeError api_error_status=none cause_name=none"}, Spent: spent, session: r.out.ID(), index: r.Count()}
	crashed.Write(r.out, v)
}

// NoSession writes the result of a session that cannot go on with an earlier one.
func (r *Results) NoSession(text string) { r.NoStart(text, "") }

// NoStart writes the result of a session that cannot start, for a reason that an SDK can read.
func (r *Results) NoStart(text, reason string) {
	noSession.Write(r.out, &Result{Errors: []string{text}, session: r.out.ID(), startup: reason})
}
