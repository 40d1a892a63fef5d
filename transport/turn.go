package transport

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/ccwire/ccwire/gen/wire"
)

// Turn is a prompt and what the CLI says to it, up to the result. It begins with the first use of
// [Turn.Messages], [Turn.Text] or [Turn.Result], all of which go on where the last one was left. A
// Turn is for one goroutine.
type Turn struct {
	ctx   context.Context
	begin func(*Turn) error // sends the prompt and sets the fields below

	receive func() (wire.Frame, error) // nil before begin
	leave   func()                     // ends what is only there for this turn, once; may be nil

	over    bool // nothing more is received
	text    TextStream
	said    string  // by the last message
	blocked bool    // a message said that a hook has blocked the prompt
	result  *Result // nil if none came
	err     error   // why the turn failed
}

// Messages returns an iterator over everything that the CLI writes but control traffic, up to and
// including the result. If the turn failed, for whatever reason, the last element is the error: a
// [*TurnError] if the result says so. A [*DroppedError] does not end the turn, unless results were
// dropped too.
func (t *Turn) Messages() iter.Seq2[wire.Frame, error] {
	return func(yield func(wire.Frame, error) bool) {
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

// Text returns an iterator over the model's text as it comes, see [TextStream]. Its errors are
// those of [Turn.Messages].
func (t *Turn) Text() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, err := range t.Messages() {
			if (t.said != "" || err != nil) && !yield(t.said, err) {
				return
			}
		}
	}
}

// Result reads what is left of the turn and returns its result. The error is the one with which
// [Turn.Messages] ends; the result is nil if none came.
func (t *Turn) Result() (*Result, error) {
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
	case context.Cause(t.ctx) != nil:
		return nil, t.end(context.Cause(t.ctx))
	}
	if t.receive == nil {
		if err := t.begin(t); err != nil {
			return nil, t.end(err)
		}
	}
	f, err := t.receive()
	t.said = t.text.Next(f)
	t.blocked = t.blocked || blocksPrompt(f)
	var dropped *DroppedError
	switch {
	case errors.As(err, &dropped) && dropped.Results == 0:
		return nil, err
	case err != nil:
		return nil, t.end(err)
	case isResult(f):
		t.result = &Result{Frame: f, blocked: t.blocked}
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
	if t.leave == nil {
		return
	}
	if !t.over {
		t.end(fmt.Errorf("the loop was left before the result: %w", ErrClosed))
	}
	t.leave()
	t.leave = nil
}

// turns orders the turns of a session.
type turns struct {
	reading chan struct{} // of one: held by whoever reads messages for a turn; guards the fields below
	last    *Turn         // whose result was not read yet; nil if there is none
	watch   *turnWatch    // of that turn; nil if nobody watches its context
	id      string        // of the message of that turn
	tells   bool          // the CLI says what becomes of messages, as those from 2.1.250 on do
	started bool          // it said so of the message of that turn
}

func newTurns() turns { return turns{reading: make(chan struct{}, 1)} }

// hold makes this goroutine the one that reads. The caller calls release.
func (t *turns) hold(ctx context.Context) error {
	select {
	case t.reading <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (t *turns) release() { <-t.reading }

// begin is called when the message of a turn was sent.
func (t *turns) begin(turn *Turn, id string, watch *turnWatch) {
	t.last, t.id, t.started, t.watch = turn, id, false, watch
}

// settle is called when the last turn is over, or can no longer end.
func (t *turns) settle() {
	if t.watch != nil {
		t.watch.settle()
	}
	t.last, t.watch = nil, nil
}

// see notices what a message says of the last turn. It reports whether the message is part of it:
// what a CLI that tells writes before it starts with the prompt belongs to something else.
func (t *turns) see(f wire.Frame) (part bool, err error) {
	if l, ok := f.(*wire.CommandLifecycle); ok {
		t.tells = true
		if t.last != nil && l.CommandUUID == t.id {
			t.started = l.State != wire.CommandLifecycleStateQueued
			if l.State == wire.CommandLifecycleStateCancelled {
				t.settle()
				return true, errPromptCancelled
			}
			if t.watch != nil {
				t.watch.setQueued(!t.started)
			}
		}
	}
	if t.tells && !t.started && !namesPrompt(f, t.id) {
		return false, nil
	}
	if isResult(f) {
		t.settle()
	}
	return true, nil
}

// namesPrompt reports whether a message is a result that names the user message with an id.
func namesPrompt(f wire.Frame, id string) bool {
	var last *string
	switch f := f.(type) {
	case *wire.ResultSuccess:
		last = f.UserMessageUUID
	case *wire.ResultError:
		last = f.UserMessageUUID
	}
	return last != nil && *last == id
}

// Turn returns a turn that sends a text as a user message. Turns come one after the other: what is
// left of the turn before, up to its result, is skipped before the prompt is sent. The end of ctx
// interrupts the turn, also if its loop was left before; a prompt that waits in the queue of the
// CLI is taken back.
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

// beginTurn skips what is left of the turns before and sends the message.
func (s *Session) beginTurn(t *Turn, message *wire.User) error {
	if message == nil {
		return errors.New("the message of a turn is nil")
	}
	t.receive = func() (wire.Frame, error) { return s.receiveFor(t) }
	if err := s.turns.hold(t.ctx); err != nil {
		return err
	}
	defer s.turns.release()
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

// skip reads up to the result of the last turn, and up to the last result that has come.
func (s *Session) skip(ctx context.Context) error {
	for s.turns.last != nil || s.unread.Load() > 0 {
		_, _, err := s.receiveHeld(ctx)
		var dropped *DroppedError
		if err != nil && err != errPromptCancelled && !errors.As(err, &dropped) {
			return err
		}
	}
	return nil
}

// receiveFor returns the next message of a turn that has begun.
func (s *Session) receiveFor(t *Turn) (wire.Frame, error) {
	if err := s.turns.hold(t.ctx); err != nil {
		return nil, err
	}
	defer s.turns.release()
	for s.turns.last == t {
		if f, part, err := s.receiveHeld(t.ctx); part || err != nil {
			return f, err
		}
	}
	return nil, errOvertaken
}

// receiveHeld returns the next message, and whether it is part of the last turn.
func (s *Session) receiveHeld(ctx context.Context) (f wire.Frame, part bool, err error) {
	f, err = s.Receive(ctx)
	var dropped *DroppedError
	switch {
	case err == io.EOF:
		err = fmt.Errorf("%w: %w", ErrNoResult, s.conn.Err())
	case errors.As(err, &dropped) && dropped.Results > 0:
		s.turns.settle() // that of the last turn may be among them: nobody waits for it
	}
	if err != nil {
		return nil, false, err
	}
	part, err = s.turns.see(f)
	return f, part, err
}

var (
	errOvertaken       = errors.New("a later turn of the session began before the result of this one was read")
	errPromptCancelled = errors.New("the prompt was cancelled before the CLI took it up")
)

// newUUID returns a UUID of version 4.
func newUUID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
