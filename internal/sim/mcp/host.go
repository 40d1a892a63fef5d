package mcp

import (
	"context"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/fence"
)

// Host is what the servers need of their session. Its functions may be called from any goroutine.
type Host struct {
	Version string       // of the CLI
	Terse   bool         // it tells servers no more than its name and what it wants, as old versions do
	Cwd     string       // where programs run
	Fence   *fence.Fence // behind which programs run
	// Local are the servers whose configuration is a file of the working directory: the model may
	// have written it.
	Local map[string]bool

	// Send sends a message to a server of the SDK. It returns when the message is written; wait
	// returns the answer.
	Send func(server string, message object.Object) (wait func(context.Context) (Answer, error))
	// Elicit asks the user what a server wants to know: the params of elicitation/create. It
	// returns the result.
	Elicit func(ctx context.Context, server string, params object.Object) (object.Object, error)
	// Elicited tells that the page that a server has sent the user to is done.
	Elicited func(server, id string)
	// Changed tells that the tools or prompts of a server are others now.
	Changed func(server string)
}

// Answer is the answer to a message.
type Answer struct {
	Body    any
	Present bool // the answer has a body, which may be null
}

// Tool is a tool of a server.
type Tool struct {
	Name     string // mcp__SERVER__TOOL
	Server   string
	Host     string // the server, for people
	Source   string // of the server: sdk, dynamic
	Tool     string // its name at the server
	Title    string // for people
	ReadOnly bool
	Spec     object.Object // as the server lists it
}

// Result is what a call has returned.
type Result struct {
	Content    []any
	IsError    bool
	Structured any           // structuredContent, nil if there is none
	Whole      object.Object // everything that the server returned
}
