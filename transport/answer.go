package transport

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// AnswerFunc answers a request from the peer: with the body of a success reply, nil for a reply
// without one, or with an error, see [ErrUnsupported], [ErrNoAnswer] and [CallError]. Each call has
// a goroutine of its own. The context ends when the peer cancels the request and when the
// connection is closed; nothing is sent then. [RequestID] finds the id of the request in it.
type AnswerFunc func(ctx context.Context, r wire.Request) (codec.Appender, error)

type requestIDKey struct{}

// RequestID returns the id of the request that the context of an [AnswerFunc] belongs to.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// errGoexit is the failure of a callback that ended its goroutine.
var errGoexit = errors.New("callback ended its goroutine")

// runAnswer turns panics into errors.
func runAnswer(ctx context.Context, f AnswerFunc, r wire.Request) (body codec.Appender, err error) {
	if f == nil {
		return nil, ErrUnsupported
	}
	defer recoverTo(&err)
	return f(ctx, r)
}

// recoverTo is deferred to make an error of a panic.
func recoverTo(err *error) {
	if v := recover(); v != nil {
		*err = &PanicError{Value: v, Stack: debug.Stack()}
	}
}

// encoded is a body that is JSON already.
type encoded codec.Raw

func (e encoded) AppendJSON(dst []byte) ([]byte, error) { return append(dst, e...), nil }

// encodeBody encodes the body of an answer. A panic, such as that of a nil pointer in an interface,
// is an error.
func encodeBody(body codec.Appender) (raw codec.Raw, err error) {
	if e, ok := body.(encoded); ok {
		return codec.Raw(e), nil
	}
	defer recoverTo(&err)
	return body.AppendJSON(nil)
}

// responseLine makes the answer to a request. A body that cannot be encoded becomes an error reply.
// The request is nil if it did not decode.
func responseLine(id string, r wire.Request, body codec.Appender, err error) []byte {
	var raw codec.Raw
	if err == nil && body != nil {
		raw, err = encodeBody(body)
	}
	var response wire.Response = &wire.SuccessResponse{RequestID: id, Response: raw}
	if err != nil {
		response = errorResponse(id, r, err)
	}
	line, err := wire.Append(nil, &wire.ControlResponse{Response: response})
	if err != nil { // a body that is not JSON, or an error that is not UTF-8
		response = &wire.ErrorResponse{RequestID: id, Error: "the answer cannot be encoded"}
		line, err = wire.Append(nil, &wire.ControlResponse{Response: response})
	}
	if err != nil {
		panic(err) // the id came out of a decoder
	}
	return line
}

func errorResponse(id string, r wire.Request, err error) *wire.ErrorResponse {
	var refusal *CallError
	switch {
	case errors.As(err, &refusal) && refusal.Response != nil:
		response := *refusal.Response
		response.RequestID = id
		return &response
	case errors.Is(err, ErrUnsupported) && r != nil:
		code := wire.ErrorResponseErrorCodeUnsupportedRequest
		return &wire.ErrorResponse{RequestID: id, Error: fmt.Sprintf("%v subtype: %s", ErrUnsupported, r.Subtype()), ErrorCode: &code}
	}
	return &wire.ErrorResponse{RequestID: id, Error: err.Error()}
}
