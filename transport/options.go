package transport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport/cli"
)

// Options configure a [Session] or a [Query]. Nil and the zero value work: a session without hooks
// and callbacks.
type Options struct {
	CLI  string   // path or name of the CLI; default: see [cli.Find]
	Args []string // further arguments of the CLI, after those of Flags
	Dir  string   // its working directory; default: that of this process
	// Env is added to the environment of this process: "NAME=value", where the last value of a name
	// counts.
	Env      []string
	CleanEnv bool // Env is the whole environment of the CLI

	// Spawn, if set, starts the CLI in place of package cli: in a container, over ssh, in a test.
	// Nothing is looked for then, and the version of the CLI is not asked for. The context ends if
	// that of [Open] does before Spawn has returned, and not later: a process that is bound to it
	// lives as long as the session.
	Spawn func(ctx context.Context, c Command) (Process, error)

	// Flags are the arguments that have a name here. The permission mode is always passed on,
	// because the default of the CLI varies: 2.1.290 starts in auto, others in default. It is
	// default if it is empty.
	Flags Flags

	// Stream has the model's text come as it is written, piece by piece, for [Turn.Text]: it sets
	// [cli.Flags.IncludePartialMessages] for a CLI that has that flag. The text of others, those
	// before 1.0.109, comes by blocks.
	Stream bool

	// VerbatimPrompts marks every user message as one that the user did not type: mentions of files
	// and slash commands in it are text. It is for prompts that are put together from what others
	// wrote. CLIs before 2.1.248 take no notice of it.
	VerbatimPrompts bool

	Hooks map[string][]Hook // by the name of the event, such as "PreToolUse"
	// CanUseTool decides whether a tool may run. Without it the CLI does not ask and denies what it
	// would ask for.
	CanUseTool PermissionFunc
	MCPServers map[string]MCPServer // servers in this process, by name
	// Elicitation answers questions of MCP servers that the CLI runs. Without it they are declined.
	Elicitation func(context.Context, *wire.ElicitationRequest) (*wire.ElicitationResponse, error)
	// UserDialog shows the dialogs whose kinds are in Initialize.SupportedDialogKinds. Without it
	// they get an error reply, because the CLI takes a cancelled dialog for a decision of the user.
	UserDialog func(context.Context, *wire.RequestUserDialogRequest) (wire.RequestUserDialogResponse, error)

	// OnTranscript is given what the CLI adds to the transcripts of the session and of its
	// subagents, in the order of the stream, before others receive the message: the Mirror of
	// package sessions keeps it elsewhere. It sets [cli.Flags.SessionMirror]. The reader calls it,
	// so it must not wait, and must not change the message.
	OnTranscript func(*wire.TranscriptMirror)

	// FileCheckpointing makes the CLI keep what rewind_files needs.
	FileCheckpointing bool
	// QuestionPreview is the format of previews in questions of the tool AskUserQuestion,
	// "markdown" or "html"; default: that of the CLI.
	QuestionPreview string
	// Initialize holds further members of the initialize request. Its Hooks and SDKMCPServers must
	// be empty: they come from the fields above. With Plugins in it the CLI is started with
	// --await-initialize, which those from 2.1.261 on know.
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

	// For these see [cli.Options]. They are errors with Spawn.
	OnStderr        func(line string, dropped int)
	StderrLimit     int
	InputGrace      time.Duration
	InterruptGrace  time.Duration
	TerminateGrace  time.Duration
	KeepDescendants bool
}

// CallbackTimeouts say how long a callback may take before its policy answers in its place. Zero
// means the default, a negative duration no limit.
type CallbackTimeouts struct {
	Hook        time.Duration // of hooks without a timeout of their own; default 60 s
	Permission  time.Duration // default none: a person may be asked, and the CLI waits
	MCP         time.Duration // default none: the CLI has a limit for tool calls
	Elicitation time.Duration // default none: a person is asked
	UserDialog  time.Duration // default none: a person is asked
}

// Bidirectional reports whether the options need a [Session], because they have callbacks, MCP
// servers or members of initialize. [Query] runs without the control protocol otherwise.
func (o *Options) Bidirectional() bool {
	return o != nil && (len(o.Hooks) > 0 || o.CanUseTool != nil || len(o.MCPServers) > 0 ||
		o.Elicitation != nil || o.UserDialog != nil || o.OnTranscript != nil || o.Initialize != nil)
}

// withDefaults returns a copy in which every default is filled in.
func (o *Options) withDefaults() *Options {
	var c Options
	if o != nil {
		c = *o
	}
	c.Flags.PermissionMode = cmp.Or(c.Flags.PermissionMode, string(wire.PermissionModeDefault))
	c.Limits = c.Limits.withDefaults()
	c.CallbackTimeouts.Hook = cmp.Or(c.CallbackTimeouts.Hook, 60*time.Second)
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return &c
}

func (o *Options) validate() error {
	if o.Initialize != nil && (!o.Initialize.Hooks.Absent() || o.Initialize.SDKMCPServers != nil) {
		return errors.New("Options.Initialize has hooks or MCP servers; set Options.Hooks and Options.MCPServers instead")
	}
	for _, event := range slices.Sorted(maps.Keys(o.Hooks)) {
		for i, hook := range o.Hooks[event] {
			if err := hook.validate(event); err != nil {
				return fmt.Errorf("hook %d of %s: %w", i, event, err)
			}
		}
	}
	if o.UserDialog != nil && (o.Initialize == nil || len(o.Initialize.SupportedDialogKinds) == 0) {
		return errors.New("Options.UserDialog would never be called; name the kinds in Options.Initialize.SupportedDialogKinds")
	}
	if o.CanUseTool != nil && o.Flags.PermissionPromptTool != "" {
		return errors.New("Options.CanUseTool and Flags.PermissionPromptTool are both to be asked for permissions; set one of them")
	}
	for name, server := range o.MCPServers {
		if server == nil {
			return fmt.Errorf("MCP server %q is nil", name)
		}
	}
	if o.Spawn != nil {
		for _, option := range o.forProcess() {
			if option.set {
				return fmt.Errorf("cannot honour Options.%s: it is for a CLI that runs as a process of its own; leave it out with Options.Spawn, which starts this one, as that of a simulated CLI does", option.name)
			}
		}
	}
	return o.Flags.Validate()
}

// option is a field of the options.
type option struct {
	name string
	set  bool
}

// forProcess returns the options that only package cli can honour.
func (o *Options) forProcess() []option {
	return []option{
		{"OnStderr", o.OnStderr != nil}, {"StderrLimit", o.StderrLimit != 0},
		{"InputGrace", o.InputGrace != 0}, {"InterruptGrace", o.InterruptGrace != 0}, {"TerminateGrace", o.TerminateGrace != 0},
		{"KeepDescendants", o.KeepDescendants},
	}
}

// validatePipe refuses what only the start of a process can give.
func (o *Options) validatePipe() error {
	if o == nil {
		return nil
	}
	for _, option := range append(o.forProcess(), []option{
		{"CLI", o.CLI != ""}, {"Args", o.Args != nil}, {"Dir", o.Dir != ""}, {"Env", o.Env != nil}, {"CleanEnv", o.CleanEnv}, {"Spawn", o.Spawn != nil},
		{"Flags", len(o.Flags.Args()) > 0}, {"Stream", o.Stream}, {"FileCheckpointing", o.FileCheckpointing}, {"QuestionPreview", o.QuestionPreview != ""},
	}...) {
		if option.set {
			return fmt.Errorf("the CLI runs already; Options.%s is for one that is started", option.name)
		}
	}
	return nil
}

// validate refuses what the CLI would take for a hook that is never called.
func (h *Hook) validate(event string) error {
	if known := wire.HookEvents(); !h.NewEvent && !slices.Contains(known, event) {
		return fmt.Errorf("no such event; set NewEvent if the CLI has it; known are %s", strings.Join(known, ", "))
	}
	if err := checkMatcher(h.Matcher); err != nil {
		return fmt.Errorf("matcher %q is not a regular expression: %w", h.Matcher, err)
	}
	if len(h.Callbacks) == 0 || slices.ContainsFunc(h.Callbacks, func(f HookFunc) bool { return f == nil }) {
		return errors.New("it has no callback, or a nil one")
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
	if o.Initialize != nil && o.Initialize.Plugins != nil && !slices.Contains(o.Args, argAwaitInitialize) {
		args = append(args, argAwaitInitialize)
	}
	return append(args, o.commonArgs(version)...)
}

// argAwaitInitialize has the CLI load the plugins that initialize names. CLIs before 2.1.261 do not
// know it.
const argAwaitInitialize = "--await-initialize"

// queryArgs returns the arguments of a query without the control protocol. The prompt is not among
// them: others can read the arguments of a process, and their length is limited.
func (o *Options) queryArgs(version Version) []string {
	args := []string{"--print", "--output-format", "stream-json", "--verbose", "--input-format", "stream-json"}
	return append(args, o.commonArgs(version)...)
}

// firstWithStream is the first CLI that has the flag of Stream.
var firstWithStream = Version{Major: 1, Minor: 0, Patch: 109}

func (o *Options) commonArgs(version Version) []string {
	flags := o.Flags
	if o.Stream && (version.IsZero() || version.AtLeast(firstWithStream)) {
		flags.IncludePartialMessages = true
	}
	flags.SessionMirror = flags.SessionMirror || o.OnTranscript != nil
	return append(flags.Args(), o.Args...)
}

// serverNames returns the names of the MCP servers, sorted.
func (o *Options) serverNames() []string { return slices.Sorted(maps.Keys(o.MCPServers)) }
