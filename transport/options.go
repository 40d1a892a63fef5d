package transport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport/cli"
)

// Options configure a [Session] or a [Query]. Nil and the zero value work: a session without hooks
// and callbacks.
type Options struct {
	CLI  string   // path or name of the CLI; default: see [cli.Find]
	Args []string // further arguments of the CLI
	Dir  string   // its working directory; default: that of this process
	Env  []string // its environment, "NAME=value"; nil: that of this process

	Model string // default: the CLI's choice
	// PermissionMode is always passed on, because the default of the CLI varies: 2.1.290 starts in
	// auto, others in default. Default: default.
	PermissionMode wire.PermissionMode

	Hooks map[string][]Hook // by the name of the event, such as "PreToolUse"
	// CanUseTool decides whether a tool may run. Without it the CLI does not ask and denies what it
	// would ask for.
	CanUseTool PermissionFunc
	MCPServers map[string]MCPHandler // servers in this process, by name
	// Elicitation answers questions of MCP servers that the CLI runs. Without it they are declined.
	Elicitation func(context.Context, *wire.ElicitationRequest) (*wire.ElicitationResponse, error)
	// UserDialog shows the dialogs whose kinds are in Initialize.SupportedDialogKinds. Without it
	// they get an error reply, because the CLI takes a cancelled dialog for a decision of the user.
	UserDialog func(context.Context, *wire.RequestUserDialogRequest) (wire.RequestUserDialogResponse, error)

	// FileCheckpointing makes the CLI keep what rewind_files needs.
	FileCheckpointing bool
	// Initialize holds further members of the initialize request. Its Hooks and SDKMCPServers must
	// be empty: they come from the fields above.
	Initialize *wire.InitializeRequest

	Policies         Policies
	Limits           Limits
	Timeouts         CallTimeouts // of our requests
	CallbackTimeouts CallbackTimeouts
	WhenFull         FullPolicy // what happens to messages that nobody reads

	// SkipVersionCheck starts the CLI without asking for its version first.
	SkipVersionCheck bool
	NoDeviations     bool         // see [ConnOptions.NoDeviations]
	Logger           *slog.Logger // default: [slog.Default]

	// For these see [cli.Options].
	OnStderr                   func(line string, dropped int)
	StderrLimit                int
	InputGrace, InterruptGrace time.Duration
}

// CallbackTimeouts say how long a callback may take before its policy answers in its place. Zero
// means the default, a negative duration no limit.
type CallbackTimeouts struct {
	Hook        time.Duration // of hooks without a timeout of their own; default 60 s
	Permission  time.Duration // default 60 s
	MCP         time.Duration // default none: the CLI has a limit for tool calls
	Elicitation time.Duration // default none: a person is asked
	UserDialog  time.Duration // default none: a person is asked
}

// envCheckpointing switches file checkpoints on. The member enable_file_checkpointing of initialize
// that some documents have does not.
const envCheckpointing = "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=1"

// Bidirectional reports whether the options need a [Session]: hooks, a permission callback or MCP
// servers are configured. [Query] runs without the control protocol otherwise.
func (o *Options) Bidirectional() bool {
	return o != nil && (len(o.Hooks) > 0 || o.CanUseTool != nil || len(o.MCPServers) > 0)
}

// withDefaults returns a copy in which every default is filled in.
func (o *Options) withDefaults() *Options {
	var c Options
	if o != nil {
		c = *o
	}
	c.PermissionMode = cmp.Or(c.PermissionMode, wire.PermissionModeDefault)
	c.Limits = c.Limits.withDefaults()
	c.CallbackTimeouts.Hook = cmp.Or(c.CallbackTimeouts.Hook, 60*time.Second)
	c.CallbackTimeouts.Permission = cmp.Or(c.CallbackTimeouts.Permission, 60*time.Second)
	c.Policies.Hooks = cmp.Or(c.Policies.Hooks, FailOpen)
	c.Policies.Permissions = cmp.Or(c.Policies.Permissions, FailClosed)
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return &c
}

func (o *Options) validate() error {
	if o.Initialize != nil && (!o.Initialize.Hooks.Absent() || o.Initialize.SDKMCPServers != nil) {
		return errors.New("Options.Initialize has hooks or MCP servers; set Options.Hooks and Options.MCPServers instead")
	}
	for event, hooks := range o.Hooks {
		for i, hook := range hooks {
			if len(hook.Callbacks) == 0 || slices.ContainsFunc(hook.Callbacks, func(f HookFunc) bool { return f == nil }) {
				return fmt.Errorf("hook %d of %s has no callback, or a nil one", i, event)
			}
		}
	}
	for name, server := range o.MCPServers {
		if server == nil {
			return fmt.Errorf("MCP server %q is nil", name)
		}
	}
	return nil
}

// features are what the CLI must have. Every session needs initialize: a CLI without it never
// answers.
func (o *Options) features() []cli.Feature {
	features := []cli.Feature{cli.FeatureControl, cli.FeatureHooks}
	if len(o.MCPServers) > 0 {
		features = append(features, cli.FeatureMCP)
	}
	return features
}

// firstWithSDKServers is the first CLI that needs no --mcp-config for the servers of initialize.
// Both together make some versions do each handshake twice.
var firstWithSDKServers = Version{Major: 1, Minor: 0, Patch: 128}

// sessionArgs returns the arguments of a session.
func (o *Options) sessionArgs(version Version) []string {
	args := []string{"--output-format", "stream-json", "--verbose", "--input-format", "stream-json"}
	if o.CanUseTool != nil {
		args = append(args, "--permission-prompt-tool", "stdio")
	}
	if len(o.MCPServers) > 0 && !version.IsZero() && !version.AtLeast(firstWithSDKServers) {
		args = append(args, "--mcp-config", o.mcpConfig())
	}
	return append(args, o.commonArgs()...)
}

// queryArgs returns the arguments of a query without the control protocol.
func (o *Options) queryArgs(prompt string) []string {
	args := []string{"--print", "--output-format", "stream-json", "--verbose"}
	args = append(args, o.commonArgs()...)
	return append(args, "--", prompt)
}

func (o *Options) commonArgs() []string {
	args := []string{"--permission-mode", string(o.PermissionMode)}
	if o.Model != "" {
		args = append(args, "--model", o.Model)
	}
	return append(args, o.Args...)
}

func (o *Options) environ() []string {
	if !o.FileCheckpointing {
		return o.Env
	}
	env := o.Env
	if env == nil {
		env = os.Environ()
	}
	return append(slices.Clip(env), envCheckpointing)
}

func (o *Options) process(path string, args []string) cli.Options {
	return cli.Options{
		Path: path, Args: args, Dir: o.Dir, Env: o.environ(),
		OnStderr: o.OnStderr, StderrLimit: o.StderrLimit, InputGrace: o.InputGrace, InterruptGrace: o.InterruptGrace,
	}
}

// serverNames returns the names of the MCP servers, sorted.
func (o *Options) serverNames() []string { return slices.Sorted(maps.Keys(o.MCPServers)) }
