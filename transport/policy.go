package transport

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
)

// FailurePolicy says how a request is answered whose callback gives no usable answer: it failed, panicked, returned nil, took too long,
// gave something that cannot be encoded, is not registered, or there are too many requests at once.
type FailurePolicy int

const (
	// FailDefault is FailOpen for hooks and FailClosed for permissions.
	FailDefault FailurePolicy = iota
	// FailOpen goes on as if the callback had no objection: a hook answers {"continue":true}, a permission is an allow with the
	// request's own input.
	FailOpen
	// FailClosed prevents what the callback guards: a permission is denied; a hook blocks what it guards and ends the turn, and the CLI is told
	// to do so for answers that it cannot read.
	FailClosed
)

// Policies are the failure policies of a session. A failed MCP message is always answered with a JSON-RPC error, a failed elicitation
// and a failed dialog count as cancelled by the user.
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

var (
	errNilResult   = errors.New("callback returned nil")
	errNoCallback  = errors.New("no callback is registered")
	errCallbackOut = errors.New("callback took too long")
)

// guard runs a callback in a goroutine of its own and returns when it does, when its time is over, or when ctx ends. A panic is an
// error. A callback that ignores its context keeps its goroutine until it returns.
func guard[T any](ctx context.Context, timeout time.Duration, callback func(context.Context) (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, timeout, fmt.Errorf("%w (%v)", errCallbackOut, timeout))
		defer cancel()
	}
	done := make(chan result, 1)
	go func() { // ends when the callback returns
		r := result{err: errGoexit}
		defer func() {
			if v := recover(); v != nil {
				r = result{err: &PanicError{Value: v, Stack: debug.Stack()}}
			}
			done <- r
		}()
		value, err := callback(ctx)
		r = result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}
