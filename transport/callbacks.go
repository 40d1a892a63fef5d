package transport

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// callbacks answers the requests from the CLI with the callbacks of a session. Its methods of
// [wire.Handler] only run the callback; where that gives no answer, instead does. Requests that
// have no callback are refused.
type callbacks struct {
	wire.BaseHandler
	opts    *Options
	hooks   hookTable
	servers map[string]*mcpServer
	log     *journal
	report  func(Event)
}

var _ wire.Handler = (*callbacks)(nil)

var (
	errNilResult  = fmt.Errorf("callback: %w", wire.ErrNilAnswer)
	errNoCallback = errors.New("no callback is registered")
)

// refusal is an error that the CLI gets as an error reply. For all others the policy answers.
type refusal struct{ error }

func (e refusal) Unwrap() error { return e.error }

// plan sets the limits of a request and, where its server wants that, its place in the order of the
// stream.
func (c *callbacks) plan(s *serving) {
	s.slots, s.timeout = c.slotsOf(s.request), c.timeout(s.request)
	c.queueMCP(s)
}

// answer runs the callback of a request.
func (c *callbacks) answer(ctx context.Context, r wire.Request) (codec.Appender, error) {
	return wire.Dispatch(ctx, c, r)
}

// timeout returns how long the callback of a request may take, 0 or less for no limit.
func (c *callbacks) timeout(r wire.Request) time.Duration {
	switch r := r.(type) {
	case *wire.HookCallbackRequest:
		return c.hooks[r.CallbackID].timeout
	case *wire.CanUseToolRequest:
		return c.opts.CallbackTimeouts.Permission
	case *wire.MCPMessageRequest:
		return c.opts.CallbackTimeouts.MCP
	case *wire.ElicitationRequest:
		return c.opts.CallbackTimeouts.Elicitation
	case *wire.RequestUserDialogRequest:
		return c.opts.CallbackTimeouts.UserDialog
	}
	return 0
}

// instead answers a request whose callback gave no answer that can be sent, or did not run: by the
// policy. Nobody needs to know if the request is over.
func (c *callbacks) instead(s *serving, cause error, ran bool) (codec.Raw, error) {
	switch e := cause.(type) {
	case callbackError:
		cause = e.cause
	case refusal:
		return nil, e
	default:
		if errors.Is(e, wire.ErrNotHandled) {
			return nil, ErrUnsupported
		}
	}
	if s.Err() != context.Canceled {
		subtype := s.request.Subtype()
		c.log.Warn("callback gave no answer; the policy answers", "subtype", subtype, "request_id", s.id, "error", cause)
		c.report(&CallbackEvent{RequestID: s.id, Subtype: subtype, Err: cause})
	}
	body := new(buffer)
	err := runAnswer(s, fallback{policies: c.opts.Policies, cause: cause, ran: ran}.answer, s.request, body)
	if errors.Is(err, wire.ErrNotHandled) {
		return nil, ErrUnsupported
	}
	return body.bytes, err
}

// unreadable answers a request that does not decode, or whose line was over the limit. A guard
// blocks its tool; everything else gets an error reply, which the CLI takes for a denied
// permission.
func (c *callbacks) unreadable(f *wire.UnknownFrame) (codec.Raw, error) {
	if entry, ok := c.hooks[f.Text("/request/callback_id")]; ok && isGuard(entry.event) && c.opts.Policies.Hooks != FailOpen {
		return blocked(f.Err).AppendJSON(nil)
	}
	return nil, f.Err
}

// run runs a callback and marks its error.
func run[R, T any](ctx context.Context, callback func(context.Context, R) (T, error), r R) (T, error) {
	result, err := callback(ctx, r)
	if err != nil {
		err = callbackError{err}
	}
	return result, err
}

// callbackError is the error of a callback, whatever it wraps: a callback that returns
// [wire.ErrNotHandled] has failed.
type callbackError struct{ cause error }

func (e callbackError) Error() string { return e.cause.Error() }

// Elicitation implements [wire.Handler].
func (c *callbacks) Elicitation(ctx context.Context, r *wire.ElicitationRequest) (*wire.ElicitationResponse, error) {
	if c.opts.Elicitation == nil {
		return &wire.ElicitationResponse{Action: wire.ElicitationActionDecline}, nil
	}
	return run(ctx, c.opts.Elicitation, r)
}

// RequestUserDialog implements [wire.Handler].
func (c *callbacks) RequestUserDialog(ctx context.Context, r *wire.RequestUserDialogRequest) (wire.RequestUserDialogResponse, error) {
	if c.opts.UserDialog == nil {
		return nil, refusal{fmt.Errorf("this session shows no dialogs of kind %q", r.DialogKind)}
	}
	return run(ctx, c.opts.UserDialog, r)
}
