// Package result owns the results of a session: it writes the line with which each turn ends, and
// knows how many there were and how the last one was.
package result

import (
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/output"
)

// Result is what the result of a turn tells.
type Result struct {
	Subtype    string // "success", "error_during_execution", "error_max_turns"
	IsError    bool
	Reason     string // terminal_reason
	StopReason any
	Text       string
	Errors     []string      // in place of the text; nil for none
	Silent     bool          // the model was not asked
	Deferred   object.Object // the tool use that a hook has put off; nil for none
	API        *APIError     // nil for none
	Structured object.Object // the answer in a form of its own; nil for none
	Command    string        // that the CLI has served itself; "" for none

	Began     time.Time
	Took      time.Duration
	Users     int           // lines of the type user
	Usage     object.Object // of the turn
	First     ledger.Usage  // of the first request
	Spent     ledger.Statement
	Denials   []any
	Origin    object.Object // of the turn; nil for the user
	Subagents object.Object // subagent_stats
	Refusals  int           // answers that the model has refused
	UUIDs     []string      // that the SDK gave the messages of the turn

	session string
	index   int
}

// APIError is the error of the API with which a turn has ended.
type APIError struct {
	Status int // 0 if there was no answer
	Type   string
	Code   string // "" for none
}

// Results are the results of a session. Its methods may be called at the same time.
type Results struct {
	out  *output.Session
	form output.Form
	json bool // the only output is the result itself, not its text

	mu     sync.Mutex // guards the fields below
	count  int
	failed bool
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

// Failed reports whether the last result is an error.
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
	r.mu.Unlock()
	v.session = r.out.ID()
	switch {
	case r.form != output.Text:
		turn.Write(r.out, v)
	case r.json:
		r.out.Text(object.Text(turn.Object(r.out.Version(), v)) + "\n")
	default:
		text := v.Text
		if len(v.Errors) > 0 {
			text = v.Errors[0]
		}
		r.out.Text(text + "\n")
	}
}

// NoSession writes the result of a session that cannot go on with an earlier one.
func (r *Results) NoSession(text string) {
	noSession.Write(r.out, &Result{Errors: []string{text}, session: r.out.ID()})
}
