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

// runAnswer runs an AnswerFunc and encodes what it returns into body, which stays empty for a reply
// without one. Panics, such as that of a nil pointer in an interface, are errors.
func runAnswer(ctx context.Context, f AnswerFunc, r wire.Request, body *buffer) (err error) {
	defer recoverTo(&err)
	answer, err := f(ctx, r)
	if err != nil || answer == nil {
		return err
	}
	encoded, err := answer.AppendJSON(body.bytes)
	if err == nil {
		body.bytes = encoded
	}
	return err
}

// recoverTo is deferred to make an error of a panic.
func recoverTo(err *error) {
	if v := recover(); v != nil {
		*err = &PanicError{Value: v, Stack: debug.Stack()}
	}
}

// responseLine makes the answer to a request: success, or an error reply. A body that is not JSON
// becomes an error reply. The request is nil if it did not decode.
func responseLine(success *wire.SuccessResponse, r wire.Request, err error) *buffer {
	if len(success.Response) == 0 {
		success.Response = nil
	}
	line := newBuffer()
	var response wire.Response = success
	if err != nil {
		response = errorResponse(success.RequestID, r, err)
	}
	if line.encode(response) != nil { // a body that is not JSON, or an error that is not UTF-8
		response = &wire.ErrorResponse{RequestID: success.RequestID, Error: "the answer cannot be encoded"}
		if err := line.encode(response); err != nil {
			panic(err) // the id came out of a decoder
		}
	}
	return line
}

func (b *buffer) encode(r wire.Response) error {
	frame := wire.ControlResponse{Response: r}
	line, err := frame.AppendJSON(b.bytes[:0])
	if err == nil {
		b.bytes = line
	}
	return err
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
