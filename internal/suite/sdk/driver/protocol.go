package driver

import "encoding/json"

// Names of commands.
const (
	Start             = "start"
	Prompt            = "prompt"
	Read              = "read"
	Interrupt         = "interrupt"
	SetModel          = "set_model"
	SetPermissionMode = "set_permission_mode"
	MCPStatus         = "mcp_status"
	CloseInput        = "close_input"
	Close             = "close"
)

// Command is a line that the runner writes.
type Command struct {
	ID      int    `json:"id"`
	Command string `json:"command"`
	// Session names one of several sessions; "" is the one of a scenario that has no other.
	Session string `json:"session,omitempty"`

	// Of start.
	CLI     string            `json:"cli,omitempty"`
	Cwd     string            `json:"cwd,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	Prompt  *string           `json:"prompt,omitempty"` // use the SDK's function for one prompt
	Options *Options          `json:"options,omitempty"`

	Text  *string `json:"text,omitempty"`  // of prompt
	Count int     `json:"count,omitempty"` // of read: so many messages
	Until string  `json:"until,omitempty"` // of read: "result" or "end"
	Model string  `json:"model,omitempty"` // of set_model
	Mode  string  `json:"mode,omitempty"`  // of set_permission_mode
}

// Options are what to configure; what is absent is left to the SDK.
type Options struct {
	Model                  string    `json:"model,omitempty"`
	PermissionMode         string    `json:"permission_mode,omitempty"`
	IncludePartialMessages bool      `json:"include_partial_messages,omitempty"`
	Resume                 string    `json:"resume,omitempty"`
	SystemPrompt           string    `json:"system_prompt,omitempty"`
	MaxTurns               int       `json:"max_turns,omitempty"`
	AllowedTools           []string  `json:"allowed_tools,omitempty"`
	DisallowedTools        []string  `json:"disallowed_tools,omitempty"`
	CanUseTool             *Behavior `json:"can_use_tool,omitempty"` // nil: no callback
	Hooks                  []Hook    `json:"hooks,omitempty"`
	MCPServers             []Server  `json:"mcp_servers,omitempty"`
	// CancelStartContext ends what bounds the start, such as its context, once it has returned.
	CancelStartContext bool `json:"cancel_start_context,omitempty"`
}

// Calls reports whether there is something that the CLI may ask for.
func (o *Options) Calls() bool {
	return o.CanUseTool != nil || len(o.Hooks) > 0 || len(o.MCPServers) > 0
}

// Hook is a callback for an event.
type Hook struct {
	Event    string   `json:"event"`
	Matcher  string   `json:"matcher,omitempty"`
	Behavior Behavior `json:"behavior"`
}

// Server is an MCP server in the SDK's process.
type Server struct {
	Name  string `json:"name"`
	Tools []Tool `json:"tools"`
}

// Tool takes one argument, text.
type Tool struct {
	Name     string   `json:"name"`
	Behavior Behavior `json:"behavior"`
}

// What callbacks do.
const (
	Allow              = "allow"
	Deny               = "deny"
	Output             = "output" // of a hook
	Echo               = "echo"   // of a tool
	Nothing            = "nothing"
	Raise              = "raise"
	Hang               = "hang"
	HangUntilCancelled = "hang_until_cancelled"
)

// Behavior is what a callback does once it was reported.
type Behavior struct {
	Do           string          `json:"do"`
	UpdatedInput json.RawMessage `json:"updated_input,omitempty"`
	Suggestions  bool            `json:"suggestions,omitempty"` // give them back as updated permissions
	Message      string          `json:"message,omitempty"`
	Output       json.RawMessage `json:"output,omitempty"`
	AfterMS      int             `json:"after_ms,omitempty"` // wait so long first
}

// Names of reports.
const (
	Ready     = "ready"
	Message   = "message"
	Callback  = "callback"
	Cancelled = "cancelled"
	Done      = "done"
	Error     = "error"
	End       = "end"
)

// Report is a line that a driver writes.
type Report struct {
	Report string `json:"report"`
	// Session is that of the command, of message, callback, cancelled and end.
	Session string `json:"session,omitempty"`

	// Of ready.
	SDK      string   `json:"sdk,omitempty"`
	Version  string   `json:"version,omitempty"`
	Features []string `json:"features,omitempty"`

	// Of message.
	Type    string          `json:"type,omitempty"`
	Subtype string          `json:"subtype,omitempty"`
	Message json.RawMessage `json:"message,omitempty"`

	// Of callback; cancelled has the call alone.
	Call        int             `json:"call,omitempty"`
	Kind        string          `json:"kind,omitempty"`
	Name        string          `json:"name,omitempty"`
	Input       json.RawMessage `json:"input,omitempty"`
	Suggestions json.RawMessage `json:"suggestions,omitempty"`

	// Of done and error.
	ID       int             `json:"id,omitempty"`
	Value    json.RawMessage `json:"value,omitempty"`
	Text     string          `json:"text,omitempty"`
	ExitCode *int            `json:"exit_code,omitempty"`
	Stderr   string          `json:"stderr,omitempty"`
}

// Features are the words that a ready report can have.
var Features = []string{
	"session", "query", "can_use_tool", "hooks", "mcp_servers", "interrupt", "set_model", "set_permission_mode", "mcp_status", "resume",
	"include_partial_messages", "close_input", "cancel", "nothing", "raise", "updated_input", "updated_permissions", "stderr", "exit_code",
	"allowed_tools", "disallowed_tools", "cli_path", "start_context", "sessions", "pull",
}
