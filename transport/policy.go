package transport

import (
	"context"
	"fmt"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// FailurePolicy says how a request is answered whose callback gives no usable answer: it failed,
// panicked, returned nil, took too long, gave something that cannot be encoded, is not registered,
// or could not run because of too many requests or of one that cannot be read.
type FailurePolicy int

const (
	// FailDefault is FailClosed for permissions and FailOpen for hooks. A PreToolUse or
	// PermissionRequest hook that could not run blocks the tool all the same.
	FailDefault FailurePolicy = iota
	// FailOpen goes on as if the callback had no objection: a hook answers {"continue":true}, a
	// permission is an allow with the request's own input.
	FailOpen
	// FailClosed prevents what the callback guards: a permission is denied; a hook blocks what it
	// guards and ends the turn, and the CLI is told to do so for answers that it cannot read.
	FailClosed
)

// Policies are the failure policies of a session. A failed MCP message is always answered with a
// JSON-RPC error, a failed elicitation and a failed dialog count as cancelled by the user.
type Policies struct {
	Hooks       FailurePolicy
	Permissions FailurePolicy
}

// fallback answers in place of a callback, by the policies. It never blocks.
type fallback struct {
	wire.BaseHandler
	policies Policies
	cause    error
	ran      bool // the callback was called
}

var _ wire.Handler = fallback{}

func (f fallback) answer(ctx context.Context, r wire.Request) (codec.Appender, error) {
	return wire.Dispatch(ctx, f, r)
}

func (f fallback) HookCallback(_ context.Context, r *wire.HookCallbackRequest) (*wire.HookOutput, error) {
	if !f.ran && f.policies.Hooks == FailDefault && isGuard(r.Input.HookEventName()) {
		return blocked(f.cause), nil
	}
	goOn := f.policies.Hooks != FailClosed
	output := &wire.HookOutput{Continue: &goOn}
	if goOn {
		return output, nil
	}
	reason := fmt.Sprintf("hook failed: %v", f.cause)
	output.StopReason = &reason
	switch r.Input.(type) {
	case *wire.StopInput, *wire.SubagentStopInput: // to block these is to make the model go on
	default:
		block := wire.HookOutputDecisionBlock
		output.Decision, output.Reason = &block, &reason
	}
	return output, nil
}

// isGuard reports whether a hook decides if a tool may run.
func isGuard(event string) bool {
	return event == string(wire.HookEventPreToolUse) || event == string(wire.HookEventPermissionRequest)
}

// blocked is the output of a guard that could not run. The turn goes on without the tool.
func blocked(cause error) *wire.HookOutput {
	block, reason := wire.HookOutputDecisionBlock, fmt.Sprintf("hook could not run: %v", cause)
	return &wire.HookOutput{Decision: &block, Reason: &reason}
}

func (f fallback) CanUseTool(_ context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
	if f.policies.Permissions == FailOpen {
		return r.Allow(), nil
	}
	return r.Deny(fmt.Sprintf("permission denied: %v", f.cause)), nil
}

func (f fallback) MCPMessage(_ context.Context, r *wire.MCPMessageRequest) (*wire.MCPMessageResponse, error) {
	return mcpFailure(r.Message, f.cause), nil
}

func (fallback) Elicitation(context.Context, *wire.ElicitationRequest) (*wire.ElicitationResponse, error) {
	return &wire.ElicitationResponse{Action: wire.ElicitationActionCancel}, nil
}

func (fallback) RequestUserDialog(context.Context, *wire.RequestUserDialogRequest) (wire.RequestUserDialogResponse, error) {
	return &wire.RequestUserDialogCancelled{}, nil
}
