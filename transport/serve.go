package transport

// Step 2 of 3 of a request from the peer: its AnswerFunc runs, and where that gives no answer the
// role does, also because the time is over. Step 1 is inbound.go, step 3 is answer.go.

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

var (
	// errGoexit is the failure of a callback that ended its goroutine.
	errGoexit      = errors.New("callback ended its goroutine")
	errCallbackOut = errors.New("callback took too long")
	errTimeInQueue = errors.New("others took too long")
)

// serve runs the AnswerFunc and has its answer sent, also if the AnswerFunc ends the goroutine.
func (in *inbound) serve(s *serving) {
	body, err := newBuffer(), errGoexit
	defer func() {
		if ok, _ := in.claim(s); ok {
			answer := codec.Raw(body.bytes)
			if err != nil {
				answer, err = in.role.instead(s, err, true)
			}
			in.answer(s, answer, err)
		}
		body.free()
		s.end(context.Canceled)
	}()
	err = runAnswer(s.ctx, in.role.answer, s.request, body)
}

// expire answers a request whose time is over.
func (in *inbound) expire(s *serving) {
	ok, waited := in.claim(s)
	if !ok {
		return
	}
	s.end(context.DeadlineExceeded)
	cause := fmt.Errorf("%w (%v)", errCallbackOut, s.timeout)
	if waited {
		cause = fmt.Errorf("%w (%v)", errTimeInQueue, s.timeout)
	}
	answer, err := in.role.instead(s, cause, !waited)
	in.answer(s, answer, err)
}

// claim reports whether the caller, and nobody else, answers the request. It takes a request that
// waits out of its queue and says so.
func (in *inbound) claim(s *serving) (ok, waited bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if _, open := in.open[s]; !open || s.claimed {
		return false, false
	}
	s.claimed = true
	return true, s.queue.drop(s)
}

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
