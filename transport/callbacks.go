package transport

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// callbacks answers the CLI's requests with the callbacks of a session.
type callbacks struct {
	opts    *Options
	hooks   hookTable
	mcpLast map[string]<-chan struct{} // of the last message for each [MCPReceiver], see mcpTurn
	log     *slog.Logger
	report  func(Event)
}

var _ wire.Handler = (*callbacks)(nil)

// handle is the [Handler] of the session's connection.
func (c *callbacks) handle(ctx context.Context, r wire.Request) (codec.Appender, error) {
	return dispatch(ctx, c, r)
}

// overflow answers by the policies what is over the limit.
func (c *callbacks) overflow(ctx context.Context, r wire.Request) (codec.Appender, error) {
	return dispatch(ctx, fallback{c.opts.Policies, errInboundFull}, r)
}

func dispatch(ctx context.Context, h wire.Handler, r wire.Request) (codec.Appender, error) {
	body, err := wire.Dispatch(ctx, h, r)
	if errors.Is(err, wire.ErrNotHandled) {
		return nil, ErrUnsupported
	}
	return body, err
}

// fail reports the failure of a callback and returns who answers in its place. If the request is over nobody needs to know.
func (c *callbacks) fail(ctx context.Context, r wire.Request, cause error) fallback {
	if ctx.Err() == nil {
		subtype := subtypeOf(r)
		c.log.Warn("callback gave no answer; the policy answers", "subtype", subtype, "request_id", RequestID(ctx), "error", cause)
		c.report(&CallbackEvent{RequestID: RequestID(ctx), Subtype: subtype, Err: cause})
	}
	return fallback{c.opts.Policies, cause}
}

// Elicitation implements [wire.Handler].
func (c *callbacks) Elicitation(ctx context.Context, r *wire.ElicitationRequest) (*wire.ElicitationResponse, error) {
	if c.opts.Elicitation == nil {
		return &wire.ElicitationResponse{Action: wire.ElicitationActionDecline}, nil
	}
	response, err := guard(ctx, c.opts.Callbacks.Elicitation, func(ctx context.Context) (*wire.ElicitationResponse, error) {
		return c.opts.Elicitation(ctx, r)
	})
	if err == nil && response == nil {
		err = errNilResult
	}
	if err == nil {
		_, err = response.AppendJSON(nil)
	}
	if err != nil {
		return c.fail(ctx, r, err).Elicitation(ctx, r)
	}
	return response, nil
}

// RequestUserDialog implements [wire.Handler].
func (c *callbacks) RequestUserDialog(ctx context.Context, r *wire.RequestUserDialogRequest) (wire.RequestUserDialogResponse, error) {
	if c.opts.UserDialog == nil {
		return nil, fmt.Errorf("this session shows no dialogs of kind %q", r.DialogKind)
	}
	response, err := guard(ctx, c.opts.Callbacks.UserDialog, func(ctx context.Context) (wire.RequestUserDialogResponse, error) {
		return c.opts.UserDialog(ctx, r)
	})
	if err == nil && response == nil {
		err = errNilResult
	}
	if err == nil {
		_, err = response.AppendJSON(nil)
	}
	if err != nil {
		return c.fail(ctx, r, err).RequestUserDialog(ctx, r)
	}
	return response, nil
}
