package transport

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync/atomic"

	"github.com/ccwire/ccwire/gen/wire"
)

// Turn is a prompt and what the CLI says to it, up to the result. It begins with the first use of
// [Turn.Messages], [Turn.Text] or [Turn.Result], all of which go on where the last one was left. A
// Turn is for one goroutine.
type Turn struct {
	ctx   context.Context
	begin func(*Turn) error // sends the prompt and sets the fields below

	receive func() (wire.Frame, error) // nil before begin
	putBack func()                     // gives back the pieces that are not used; may be nil
	leave   func()                     // ends what is only there for this turn, once; may be nil

	pieces pieces

	kept *mailbox    // what a later turn of the session has received for this one
	read atomic.Bool // a loop or Result is at it

	over   bool // nothing more is received
	text   TextStream
	said   string // by the last message
	signs  signs
	result *Result // nil if none came
	err    error   // why the turn failed
}

// Messages returns an iterator over everything that the CLI writes but control traffic, up to and
// including the result. If the turn failed, for whatever reason, the last element is the error: a
// [*TurnError] if the result says so. A [*DroppedError] does not end the turn, unless results were
// dropped too.
func (t *Turn) Messages() iter.Seq2[wire.Frame, error] {
	return func(yield func(wire.Frame, error) bool) {
		t.read.Store(true)
		defer t.left()
		for {
			f, err := t.next()
			if err == io.EOF || !yield(f, err) {
				return
			}
			if t.over && err != nil {
				return
			}
		}
	}
}

// Text returns an iterator over the model's text as it comes: piece by piece with [Options.Stream],
// otherwise block by block. See [TextStream]. Its errors are those of [Turn.Messages].
func (t *Turn) Text() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for f, err := range t.Messages() {
			if (t.said != "" || err != nil) && !yield(t.said, err) {
				return
			}
			if err == nil {
				t.pieces.spend(f)
			}
		}
	}
}

// Result reads what is left of the turn and returns its result. The error is the one with which
// [Turn.Messages] ends; the result is nil if none came.
func (t *Turn) Result() (*Result, error) {
	t.read.Store(true)
	defer t.left()
	for !t.over {
		t.next()
	}
	return t.result, t.err
}

// next returns the next message, io.EOF after the last one of a turn that did not fail.
func (t *Turn) next() (wire.Frame, error) {
	t.said = ""
	switch {
	case t.over && t.err != nil:
		return nil, t.err
	case t.over:
		return nil, io.EOF
	case t.ctx.Err() != nil:
		return nil, t.end(context.Cause(t.ctx))
	}
	if t.receive == nil {
		if err := t.begin(t); err != nil {
			return nil, t.end(err)
		}
	}
	if f := t.pieces.next(); f != nil {
		t.said = t.text.Next(f)
		return f, nil
	}
	t.pieces.giveSpent()
	f, err := t.receive()
	t.said = t.text.Next(f)
	t.signs.see(f)
	switch {
	case err != nil && onlyGap(err):
		return nil, err
	case err != nil:
		return nil, t.end(err)
	case isResult(f):
		t.result = &Result{Frame: f, signs: t.signs}
		t.end(t.result.Err())
	}
	return f, nil
}

func (t *Turn) end(err error) error {
	t.over, t.err = true, err
	return err
}

// left is called when a loop ends, or Result.
func (t *Turn) left() {
	if t.putBack != nil {
		t.putBack()
	}
	t.read.Store(false)
	if t.leave == nil {
		return
	}
	if !t.over {
		t.end(fmt.Errorf("the loop was left before the result: %w", ErrClosed))
	}
	t.leave()
	t.leave = nil
}

// Turn returns a turn that sends a text as a user message. Turns come one after the other, in the
// order of their first use, which may be in several goroutines: the prompt is sent when the result
// of the turn before has come. Of a turn whose loop was left what follows is skipped; if it is
// taken up again later it ends with [ErrOvertaken]. The end of ctx interrupts the turn, also if its
// loop was left before; a prompt that waits in the queue of the CLI is taken back.
//
// Whoever uses turns does not use [Session.Messages] and [Session.Receive] at the same time. The
// CLI also begins turns by itself, for agents in the background: the next turn skips them. CLIs
// before 2.1.250 do not tell which prompt a result belongs to: there such a turn, or a prompt that
// was sent with [Session.Prompt], may end one that began meanwhile.
func (s *Session) Turn(ctx context.Context, prompt string) *Turn {
	return s.TurnOf(ctx, userMessage(prompt))
}

// TurnOf is Turn with a user message of any kind, such as one with images. A message without a uuid
// gets one.
func (s *Session) TurnOf(ctx context.Context, message *wire.User) *Turn {
	return &Turn{ctx: ctx, begin: func(t *Turn) error { return s.beginTurn(t, message) }}
}

// beginTurn waits for the end of the turns before and sends the message.
func (s *Session) beginTurn(t *Turn, message *wire.User) error {
	if message == nil {
		return errors.New("the message of a turn is nil")
	}
	t.receive = func() (wire.Frame, error) { return s.receiveFor(t) }
	t.putBack = func() { s.putBack(t) }
	t.pieces.box = s.conn.msgs
	t.kept = newMailbox(s.opts.Limits, Spill)
	if err := s.turns.reading.take(t.ctx); err != nil {
		return err
	}
	defer s.turns.reading.pass()
	if err := s.skip(t.ctx); err != nil {
		return err
	}
	own := *message
	if own.UUID == nil {
		own.UUID = wire.Ptr(newUUID())
	}
	sent, err := s.send(t.ctx, &own)
	if sent {
		var watch *turnWatch
		if t.leave == nil { // otherwise the CLI ends with the turn
			watch = s.watchTurn(t.ctx, *own.UUID)
		}
		s.turns.begin(t, *own.UUID, watch)
	}
	return err
}

// newUUID returns a UUID of version 4.
func newUUID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
