package transport

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/tail"
	"github.com/ccwire/ccwire/transport/cli"
)

// maxQuotedOutput is how much of the output the message of an error shows. The field has more.
const maxQuotedOutput = 2 << 10

// InitTimeoutError says that the CLI did not answer initialize in time.
type InitTimeoutError struct {
	After  time.Duration
	Output string // the end of stderr, and what the CLI wrote to stdout that is not a message
}

func (e *InitTimeoutError) Error() string {
	return fmt.Sprintf("the CLI did not answer initialize within %v%s", e.After, quoteOutput(e.Output))
}

// Timeout marks the error for those who ask by interface.
func (e *InitTimeoutError) Timeout() bool { return true }

// Unwrap returns [context.DeadlineExceeded].
func (e *InitTimeoutError) Unwrap() error { return context.DeadlineExceeded }

// InitError says that the CLI refused initialize.
type InitError struct {
	Refusal *CallError
}

func (e *InitError) Error() string {
	return "the CLI refused to initialise: " + e.Refusal.Response.Error
}

// Unwrap returns the refusal.
func (e *InitError) Unwrap() error { return e.Refusal }

// InitExitError says that the CLI ended before it answered initialize.
type InitExitError struct {
	Exit   *ExitError
	Output string // what the CLI wrote to stdout that is not a message; stderr is in Exit
}

func (e *InitExitError) Error() string {
	return fmt.Sprintf("initialise: %v%s", e.Exit, quoteOutput(e.Output))
}

// Unwrap returns the exit.
func (e *InitExitError) Unwrap() error { return e.Exit }

func quoteOutput(output string) string {
	if output = strings.TrimSpace(output); output == "" {
		return ""
	}
	return "; it wrote:\n" + tail.Lines(output, maxQuotedOutput)
}

// initializeRequest returns the request that opens the session. The wire names are those of the
// CLI: sdkMcpServers, and no member for file checkpoints.
func (o *Options) initializeRequest(hooks map[string][]wire.HookMatcher) *wire.InitializeRequest {
	var r wire.InitializeRequest
	if o.Initialize != nil {
		r = *o.Initialize
	}
	if len(hooks) > 0 {
		r.Hooks = codec.Some(hooks)
	}
	if len(o.MCPServers) > 0 {
		r.SDKMCPServers = o.serverNames()
	}
	return &r
}

// probeTimeout is how long the CLI may take to say its version. Tests shorten it.
var probeTimeout = cli.ProbeTimeout

// probe asks the CLI for its version and refuses one that is known to be too old.
func (o *Options) probe(ctx context.Context, path string) (Version, error) {
	version, err := o.askVersion(ctx, path)
	if err != nil || version.IsZero() {
		return version, err
	}
	if err := version.Require(o.features()...); err != nil {
		return version, err
	}
	return version, o.Flags.Check(version)
}

// askVersion asks the CLI for its version. One that cannot be found out does not stop the session:
// the zero Version.
func (o *Options) askVersion(ctx context.Context, path string) (Version, error) {
	if o.SkipVersionCheck || o.Spawn != nil {
		return Version{}, nil
	}
	limited, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	version, err := cli.Probe(limited, path, o.environ())
	if err := context.Cause(ctx); err != nil {
		return Version{}, err
	}
	if err != nil {
		newJournal(o.Logger).Warn("the version of the CLI is unknown; going on", "error", err)
		return Version{}, nil
	}
	return version, nil
}

// awaitInit waits for the answer to initialize and leaves the states before Running.
func (s *Session) awaitInit(init *call) {
	body, err := s.conn.wait(context.Background(), init)
	if err != nil {
		err = s.initFailure(err)
		if !s.failInit(err) && s.State() == Running {
			s.log.Warn("initialize was not answered with success, but the session is past it", "error", err)
		}
		return
	}
	response := new(wire.InitializeResponse)
	if body != nil {
		if err := response.UnmarshalJSON(body); err != nil {
			s.log.Warn("answer to initialize does not decode; going on without it", "error", err)
			response = new(wire.InitializeResponse)
		}
	}
	s.mu.Lock()
	s.initialized = response
	s.mu.Unlock()
	s.confirm()
}

// asked confirms the initialisation if the request is one that initialize registers for. Messages
// do not.
func (s *Session) asked(r wire.Request) {
	switch r.(type) {
	case *wire.HookCallbackRequest, *wire.CanUseToolRequest, *wire.MCPMessageRequest:
		s.confirm()
	}
}

// confirm makes the session Running and begins what was queued, in its order and without waiting
// for answers.
func (s *Session) confirm() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != InitSent {
		return
	}
	s.enterLocked(Running, nil)
	for _, op := range s.queue {
		op.begun <- op.start()
	}
	s.queue = nil
}

// failInit makes the session Failed if it is before Running, and also later if the CLI refused
// initialize: it has not registered the hooks then, and one that guards something would be off.
func (s *Session) failInit(err error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	var refused *InitError
	if s.state != InitSent && !(s.state == Running && errors.As(err, &refused)) {
		return false
	}
	s.failure = err
	s.enterLocked(Failed, err)
	s.dropQueueLocked(fmt.Errorf("%w: %w", ErrNotInitialized, err))
	return true
}

// initFailure says why initialize was not answered with success.
func (s *Session) initFailure(err error) error {
	var timeout *TimeoutError
	var refusal *CallError
	var exit *ExitError
	switch {
	case errors.As(err, &timeout):
		return &InitTimeoutError{After: timeout.After, Output: s.output()}
	case errors.As(err, &refusal):
		return &InitError{Refusal: refusal}
	case errors.As(err, &exit) && refusesFlag(exit.Stderr+s.noise.String(), s.opts.commonArgs(s.version)):
		old := &UnsupportedVersionError{Version: s.version, Minimum: cli.FeatureHooks.Since(), Feature: cli.FeatureHooks}
		return fmt.Errorf("%w: %w", old, exit)
	case errors.As(err, &exit):
		return &InitExitError{Exit: exit, Output: s.noise.String()}
	}
	return fmt.Errorf("initialise: %w", err)
}

// refusesFlag reports whether a CLI's last words are that it does not know a flag that a session
// needs. One from [Options.Args] or [Options.Flags] says nothing about its age.
func refusesFlag(output string, userArgs []string) bool {
	for _, arg := range userArgs {
		name, _, _ := strings.Cut(arg, "=")
		if strings.HasPrefix(name, "-") && name != "--permission-mode" && strings.Contains(output, name) {
			return false
		}
	}
	output = strings.ToLower(output)
	for _, sign := range []string{"unknown option", "unknown flag", "invalid option", "unrecognized option"} {
		if strings.Contains(output, sign) {
			return true
		}
	}
	return false
}
