package driver

import (
	"context"
	"encoding/json"
)

// Features that an SDK may have besides sessions and a function for one prompt. Name one if the
// documentation of the SDK does, not if it works: that is for the scenarios to find out.
const (
	CanUseTool             = "can_use_tool"             // a permission callback
	Hooks                  = "hooks"                    // hook callbacks
	MCPServers             = "mcp_servers"              // MCP servers in the SDK's process
	Interrupt              = "interrupt"                // a session is an [Interrupter]
	SetModel               = "set_model"                // a session is a [ModelSetter]
	SetPermissionMode      = "set_permission_mode"      // a session is a [PermissionModeSetter]
	MCPStatus              = "mcp_status"               // a session is an [MCPStatuser]
	CloseInput             = "close_input"              // a session is an [InputCloser]
	Resume                 = "resume"                   // the option
	IncludePartialMessages = "include_partial_messages" // the option
	Cancel                 = "cancel"                   // the context of a callback ends when its call is cancelled
	Nothing                = "nothing"                  // callbacks can return nothing
	Raise                  = "raise"                    // callbacks can fail
	UpdatedInput           = "updated_input"            // an allow can change the input
	UpdatedPermissions     = "updated_permissions"      // an allow can change permissions
	Stderr                 = "stderr"                   // errors have the CLI's stderr, see [SDK.Exit]
	ExitCode               = "exit_code"                // errors have the CLI's exit code, see [SDK.Exit]
	AllowedTools           = "allowed_tools"            // the option
	DisallowedTools        = "disallowed_tools"         // the option
	CLIPath                = "cli_path"                 // an option for the path of the CLI
	StartContext           = "start_context"            // the context of Open bounds the start alone
	Sessions               = "sessions"                 // several sessions at once
	Pull                   = "pull"                     // lines are read only while messages are
)

// SDK says how an SDK is driven. At least one of Open and Query is set.
type SDK struct {
	Name     string // what reports call it
	Version  string
	Features []string

	// Open starts a session and waits until it is initialised. If ctx ends before that, it is given
	// up. With the feature [StartContext] it may end later, and the session goes on.
	Open func(ctx context.Context, o *Options) (Session, error)
	// Query calls the SDK's function for one prompt, and waits for nothing. The end of ctx ends it.
	Query func(ctx context.Context, prompt string, o *Options) (Stream, error)
	// Exit returns what an error tells of the end of the CLI: its exit code, nil if it tells none,
	// and its stderr. A nil Exit tells nothing.
	Exit func(err error) (code *int, stderr string)

	// Panics says that callbacks which a scenario wants to fail panic, since the SDK promises to
	// survive that. Otherwise they return an error.
	Panics bool
}

// Stream is what comes from the CLI.
type Stream interface {
	// Next waits for the next message. The error is io.EOF at the end.
	Next() (Message, error)
	// Close ends the CLI and waits until the SDK says that it is closed.
	Close() error
}

// Session is a conversation. It has the features of the interfaces below that it implements.
type Session interface {
	Stream
	// Prompt sends a user message.
	Prompt(ctx context.Context, text string) error
}

// Operations of a session that an SDK may have. What they return is what the SDK's call returned,
// and is written as JSON.
type (
	Interrupter interface {
		Interrupt(context.Context) (any, error)
	}
	ModelSetter interface {
		SetModel(context.Context, string) (any, error)
	}
	PermissionModeSetter interface {
		SetPermissionMode(context.Context, string) (any, error)
	}
	MCPStatuser interface {
		MCPStatus(context.Context) (any, error)
	}
	// InputCloser says that no more prompts come; the session goes on until the CLI has finished.
	InputCloser interface{ CloseInput(context.Context) error }
)

// Message is a message as the SDK gave it to its user.
type Message struct {
	// Type and Subtype are as they are on the wire, as far as the SDK tells them.
	Type, Subtype string
	// JSON is the message in whatever shape the SDK has; scenarios look for texts in it.
	JSON json.RawMessage
}

// Options are what to configure. What is empty or nil is left to the SDK.
type Options struct {
	CLI string   // the path of the CLI
	Dir string   // the working directory of the CLI
	Env []string // NAME=value, to be added to the environment

	Model                  string
	PermissionMode         string
	IncludePartialMessages bool
	Resume                 string
	SystemPrompt           string
	MaxTurns               int
	AllowedTools           []string // rules for tools that run without a question
	DisallowedTools        []string // rules for tools that must not run

	CanUseTool func(ctx context.Context, r PermissionRequest) (*Decision, error)
	Hooks      []Hook
	MCPServers []MCPServer
}

// PermissionRequest is what a permission callback was given.
type PermissionRequest struct {
	Tool        string
	Input       json.RawMessage
	Suggestions json.RawMessage // permission updates, a JSON array; nil if there are none
}

// Decision is what a permission callback says. A nil Decision without an error is nothing: what a
// callback returns that forgot to decide.
type Decision struct {
	Allow              bool
	UpdatedInput       json.RawMessage // of an allow; nil leaves it to the SDK
	UpdatedPermissions json.RawMessage // of an allow: permission updates, a JSON array
	Message            string          // of a denial
}

// Hook is a hook callback to register.
type Hook struct {
	Event   string
	Matcher string // "" for none
	// Call returns the output as it is on the wire. Nil without an error is nothing.
	Call func(ctx context.Context, input json.RawMessage) (output json.RawMessage, err error)
}

// MCPServer is an MCP server in the SDK's process.
type MCPServer struct {
	Name  string
	Tools []MCPTool
}

// MCPTool takes one argument, text, and returns a text.
type MCPTool struct {
	Name string
	Call func(ctx context.Context, text string) (string, error)
}
