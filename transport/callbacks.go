package transport

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// callbacks answers the requests from the CLI with the callbacks of a session. Its methods of
// [wire.Handler] only run the callback; answer does what all of them need.
type callbacks struct {
	opts    *Options
	hooks   hookTable
	mcpLast map[string]<-chan struct{} // of the last message for each [MCPReceiver], see mcpTurn
	log     *slog.Logger
	report  func(Event)
}

var _ wire.Handler = (*callbacks)(nil)

var (
	errNilResult   = errors.New("callback returned nil")
	errNoCallback  = errors.New("no callback is registered")
	errCallbackOut = errors.New("callback took too long")
)

// refusal is an error that the CLI gets as an error reply. For all others the policy answers.
type refusal string

func (e refusal) Error() string { return string(e) }

// answer is the [AnswerFunc] of a session. If the callback gives no answer that can be sent, the
// policy does. The answer is encoded here, once.
func (c *callbacks) answer(ctx context.Context, r wire.Request) (codec.Appender, error) {
	body, err := wire.Dispatch(ctx, c, r)
	if errors.Is(err, wire.ErrNotHandled) {
		return nil, ErrUnsupported
	}
	if _, ok := err.(refusal); ok {
		return nil, err
	}
	if errors.Is(err, wire.ErrNilAnswer) {
		err = errNilResult
	}
	if err == nil {
		var raw codec.Raw
		if raw, err = encodeBody(body); err == nil {
			return encoded(raw), nil
		}
	}
	if ctx.Err() == nil { // nobody needs to know if the request is over
		c.log.Warn("callback gave no answer; the policy answers", "subtype", r.Subtype(), "request_id", RequestID(ctx), "error", err)
		c.report(&CallbackEvent{RequestID: RequestID(ctx), Subtype: r.Subtype(), Err: err})
	}
	return c.fallBack(ctx, r, err)
}

// overflow answers a request over the limit by its policy.
func (c *callbacks) overflow(ctx context.Context, r wire.Request) (codec.Appender, error) {
	return c.fallBack(ctx, r, errInboundFull)
}

func (c *callbacks) fallBack(ctx context.Context, r wire.Request, cause error) (codec.Appender, error) {
	body, err := wire.Dispatch(ctx, fallback{c.opts.Policies, cause}, r)
	if errors.Is(err, wire.ErrNotHandled) {
		return nil, ErrUnsupported
	}
	return body, err
}

// guard runs a callback in a goroutine of its own and returns when it does, when its time is over,
// or when ctx ends. A panic is an error. A callback that ignores its context keeps its goroutine
// until it returns. A timeout of 0 or less means none.
func guard[R, T any](ctx context.Context, timeout time.Duration, callback func(context.Context, R) (T, error), r R) (T, error) {
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
		end := result{err: errGoexit}
		defer func() { done <- end }()
		defer recoverTo(&end.err)
		end.value, end.err = callback(ctx, r)
		if errors.Is(end.err, wire.ErrNotHandled) {
			end.err = fmt.Errorf("callback: %v", end.err) // the request is; the policy answers
		}
	}()
	select {
	case end := <-done:
		return end.value, end.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// Elicitation implements [wire.Handler].
func (c *callbacks) Elicitation(ctx context.Context, r *wire.ElicitationRequest) (*wire.ElicitationResponse, error) {
	if c.opts.Elicitation == nil {
		return &wire.ElicitationResponse{Action: wire.ElicitationActionDecline}, nil
	}
	return guard(ctx, c.opts.CallbackTimeouts.Elicitation, c.opts.Elicitation, r)
}

// RequestUserDialog implements [wire.Handler].
func (c *callbacks) RequestUserDialog(ctx context.Context, r *wire.RequestUserDialogRequest) (wire.RequestUserDialogResponse, error) {
	if c.opts.UserDialog == nil {
		return nil, refusal(fmt.Sprintf("this session shows no dialogs of kind %q", r.DialogKind))
	}
	return guard(ctx, c.opts.CallbackTimeouts.UserDialog, c.opts.UserDialog, r)
}
