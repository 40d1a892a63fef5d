package turn

import (
	"context"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
)

// Tools uses tools for a turn.
type Tools interface {
	// Use uses a tool, if that is allowed.
	Use(ctx context.Context, u *Use) Result
	// Refused returns the result of a use that is refused for what the model wrote alone, nil if it
	// is not, and whether that is because the session has no such tool.
	Refused(u *Use) (r *Result, missing bool)
	// Pace returns when a use is told of that is over at once, false for another.
	Pace(u *Use) (Pace, bool)
	// Unused is the result of a tool that an interrupt keeps from being used.
	Unused(u *Use) Result
	// Concurrent reports whether a tool may be used at the same time as others.
	Concurrent(u *Use) bool
	// Folder is where the next command runs; "" where none does.
	Folder() string
	// Structured reports whether the answer of the model must have a form of its own.
	Structured() bool
	// Inline returns what runs the commands in the text of an extension, nil if nothing does.
	Inline(ctx context.Context) func(command string) (string, error)
	// Found returns the tools that the model has searched for since it was last called.
	Found() []string
	// Searched are the tools that the model has searched for.
	Searched() []string
	// Todo is the list of the model's tasks.
	Todo() []any
	// Contents returns what is in a file that tools may read.
	Contents(path string) ([]byte, error)
	// Read reads a file as the tool does, if that needs no permission, and returns what the tool
	// tells of it and the text for the model.
	Read(ctx context.Context, in object.Object) (use object.Object, text string, ok bool)
	// Listing is the names in a folder that tools may read; those of folders end with a slash.
	Listing(path string) (names []string, ok bool)
	// Crons are the jobs that the model has planned.
	Crons() []any
}

// Use is one use of a tool by the model.
type Use struct {
	Turn  *Turn
	Agent *Agent
	ID    string
	Name  string
	Input object.Object

	Changed bool   // the user has changed the input
	Folder  string // where commands run that are used at once; "" for where the last one has ended

	said     object.Object // the input as the model wrote it
	response any           // what the model is told of it
	told     bool          // its result was told while the message came
	failed   bool          // that is an error
	begun    *begun        // nil if it has not begun while the message came
	asks     *asks
	next     chan struct{} // closed when the turn goes on; nil if other uses come first
}

// asks says whether the SDK was asked for a use.
type asks struct {
	once sync.Once
	sent chan struct{} // closed when it was

	waits sync.Once
	going chan struct{} // closed when the use waits for the SDK, or is allowed
}

func newAsks() *asks { return &asks{sent: make(chan struct{}), going: make(chan struct{})} }

// Asks says that the SDK is asked for a use.
func (u *Use) Asks() {
	if u.asks != nil {
		u.asks.once.Do(func() { close(u.asks.sent) })
	}
	u.Waits()
}

// Result is what came of a tool use.
type Result struct {
	Block  object.Object // the tool_result; nil if it is for later
	Detail any           // the member tool_use_result; nil for none
	Beside object.Object // what an MCP server said beside the detail, which is then wrapped; nil for nothing
	Meta   object.Object // the element of tool_result_meta; nil for none
	Note   string        // what the model is told after an error, in the same text

	Told []string // what the model is told beside it
	Said []string // what the user is told before it

	SaidAfter []string // and after it
	End       *Outcome // the turn ends with it
	After     func()   // what is written after the line

	own object.Object // the members that only its entry in the transcript has
}

// Deny notes that a tool was not allowed, with the input that was asked for.
func (t *Turn) Deny(u *Use, input object.Object) {
	name := u.Name
	if name == "Agent" {
		name = "Task"
	}
	t.top().counts.deny(object.Of("tool_name", name, "tool_use_id", u.ID, "tool_input", input))
}
