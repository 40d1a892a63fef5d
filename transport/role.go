package transport

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// role is all that a Conn knows of whoever it works for: a bareRole for NewConn, a sessionRole for
// a [Session], a oneWayRole for a [Query] without the control protocol. The methods must not block,
// except for answer and ended.
type role interface {
	// received sees each request before it is taken in and each message before it is delivered, in
	// the order of the stream. For a line of text, which is not JSON, the frame is nil.
	received(f wire.Frame, line []byte)

	// plan says how a request that was taken in is served, before that starts: it sets slots and
	// timeout, and may derive another context. It is called in the order of the stream.
	plan(s *serving)
	// answer is the AnswerFunc.
	answer(ctx context.Context, r wire.Request) (codec.Appender, error)
	// instead answers in place of answer, which gave no answer because of the cause, or which did
	// not run. ErrNoAnswer means that nothing is sent.
	instead(s *serving, cause error, ran bool) (codec.Raw, error)
	// unreadable answers a request that does not decode.
	unreadable(f *wire.UnknownFrame) (codec.Raw, error)

	// ended explains the end of the stream: what calls get, and what the consumer of the messages
	// gets, nil for a plain end.
	ended(err error) (forCalls, forMessages error)
}

// bareRole is the role of a Conn that works for nobody but its options.
type bareRole struct{ c *Conn }

func (bareRole) received(wire.Frame, []byte) {}

func (bareRole) plan(s *serving) { s.slots = slotsOf(s.request) }

func (r bareRole) answer(ctx context.Context, request wire.Request) (codec.Appender, error) {
	if r.c.opts.Answer == nil {
		return nil, ErrUnsupported
	}
	return r.c.opts.Answer(ctx, request)
}

// instead sends the cause as an error reply.
func (r bareRole) instead(s *serving, cause error, ran bool) (codec.Raw, error) {
	var refusal *CallError
	switch {
	case !ran:
		r.c.log.Warn("request is refused", "request_id", s.id, "error", cause)
		r.c.event(&CallbackEvent{RequestID: s.id, Subtype: s.request.Subtype(), Err: cause})
	case cause == ErrNoAnswer:
	case errors.Is(cause, ErrUnsupported), errors.As(cause, &refusal):
		r.c.log.Log(slog.LevelDebug, "request is answered with an error", "request_id", s.id, "error", cause)
	default:
		r.c.log.Warn("request is answered with an error", "request_id", s.id, "error", cause)
	}
	return nil, cause
}

func (bareRole) unreadable(f *wire.UnknownFrame) (codec.Raw, error) { return nil, f.Err }

func (bareRole) ended(err error) (forCalls, forMessages error) {
	if err == io.EOF {
		return ErrPeerClosed, nil
	}
	return err, err
}
