package permit

import (
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/hooks"
)

// Use is a use of a tool.
type Use struct {
	ID, Name string
	Input    object.Object // as hooks and the SDK see it
	Told     object.Object // the input as the SDK is told it; nil if that is Input
	Agent    string        // the subagent that uses it; "" for the session itself
	Mode     string        // of the subagent; "" for the session's
	Server   any           // the member mcp_server, Absent for none
	Title    string        // for people
	Now      string        // where a command runs; "" for the working directory
	Fresh    bool          // no command has run yet
	Changes  bool          // a tool of a server may change something
	Brings   bool          // a skill brings rules for tools
	About    string        // what a skill is for
	Alone    bool          // nobody can be asked for it, and a denial is not told
	Occasion hooks.Occasion
	// Observed returns another input as hooks and the SDK see it.
	Observed func(input object.Object) object.Object
	// Denied is called when the tool is denied, Interrupt when the turn is to end by it.
	Denied, Interrupt func()
	// Yields is closed when the answer is not waited for any more; nil for never.
	Yields <-chan struct{}
	// Asked is called when the SDK was asked for the tool, and Answered when it has answered.
	Asked, Answered func()
}

// told is the input as the SDK is told it.
func (u *Use) told() object.Object {
	if u.Told != nil {
		return u.Told
	}
	return u.Input
}

// Permit is what was decided of a use.
type Permit struct {
	Input    object.Object // in place of the one that was asked for; nil to leave it
	Decision object.Object // the member permission_decision
	Refusal  *Refusal      // why the tool is not used; nil if it is
}

// Refusal is why a tool is not used.
type Refusal struct {
	Text     string // that the model is told
	Kind     string // non_execution_kind; "" for none
	Decision object.Object
	// Wrong says that the tool is refused as one with a wrong input, Interrupted that the turn has
	// ended before it was decided on.
	Wrong, Interrupted bool
}

func accept(source, reason string) object.Object { return decision("accept", source, reason) }

func reject(source, reason string) object.Object { return decision("reject", source, reason) }

// decision is the member permission_decision of a result.
func decision(what, source, reason string) object.Object {
	return object.Of("decision", what, "source", source, "reason_type", object.If(reason != "", reason))
}

// refuse is the permit for a tool that is not used.
func refuse(text, kind string, decision object.Object) Permit {
	return Permit{Refusal: &Refusal{Text: text, Kind: kind, Decision: decision}}
}

// interrupted is the permit for a tool whose turn has ended.
func interrupted() Permit { return Permit{Refusal: &Refusal{Interrupted: true}} }
