// Package result owns the results of a session: it writes the line with which each turn ends, and
// knows how many there were and how the last one was.
package result

import (
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ledger"
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
	NotFast    string        // why the model does not answer fast; "" for the usual reason
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
	Refusals  int           // answers that were refused in the turn; in the line, in the session
	UUIDs     []string      // that the SDK gave the messages of the turn
	Asked     string        // the id of the one that the model was asked for first; "" for none

	session string
	startup string // why the session could not start; "" for another reason
	index   int
	turns   int // num_turns of a turn in which the model was asked
}

// APIError is the error of the API with which a turn has ended.
type APIError struct {
	Status int // 0 if there was no answer
	Type   string
	Code   string // "" for none
}
