package transport

import (
	"context"
	"fmt"

	"github.com/ccwire/ccwire/gen/wire"
)

// PermissionFunc decides whether a tool may run: with the request's Allow and Deny, or with an
// answer of its own. An allow without UpdatedInput lets the tool run with the input of the request.
// If the result is nil, [Policies] decide.
type PermissionFunc func(ctx context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error)

// CanUseTool implements [wire.Handler].
func (c *callbacks) CanUseTool(ctx context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
	if c.opts.CanUseTool == nil {
		return nil, errNoCallback
	}
	result, err := run(ctx, c.opts.CanUseTool, r)
	if err != nil {
		return nil, err
	}
	return complete(result, r)
}

// complete adds what the CLI refuses to miss: the input of an allow, up to 2.1.200, and the message
// of a deny. It does not change the callback's value.
func complete(result wire.PermissionResult, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
	switch result := result.(type) {
	case *wire.PermissionAllow:
		if result == nil {
			return nil, errNilResult
		}
		if result.UpdatedInput != nil && !result.UpdatedInput.IsNull() {
			return result, nil
		}
		allow := *result
		allow.UpdatedInput = r.Input
		return &allow, nil
	case *wire.PermissionDeny:
		if result == nil {
			return nil, errNilResult
		}
		if result.Message != "" {
			return result, nil
		}
		deny := *result
		deny.Message = "permission denied"
		return &deny, nil
	case nil:
		return nil, errNilResult
	}
	return nil, fmt.Errorf("callback returned a %T, which is neither an allow nor a deny", result)
}
