package transport

import (
	"context"
	"fmt"

	"github.com/ccwire/ccwire/gen/wire"
)

// FailurePolicy says how a request is answered whose callback gives no usable answer: it failed,
// panicked, returned nil, took too long, gave something that cannot be encoded, is not registered,
// or there are too many requests at once.
type FailurePolicy int

const (
	// FailDefault is FailOpen for hooks and FailClosed for permissions.
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
	policies Policies
	cause    error
}

var _ wire.Handler = fallback{}

func (f fallback) HookCallback(_ context.Context, r *wire.HookCallbackRequest) (*wire.HookOutput, error) {
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
