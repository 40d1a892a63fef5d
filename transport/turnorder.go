package transport

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/ccwire/ccwire/gen/wire"
)

// turns orders the turns of a session.
type turns struct {
	reading baton      // of whoever reads messages for a turn; guards the fields below
	last    *Turn      // whose result was not read yet; nil if there is none
	watch   *turnWatch // of that turn; nil if nobody watches its context
	id      string     // of the message of that turn
	tells   bool       // the CLI says what becomes of messages, as those from 2.1.250 on do
	told    bool       // it said something of the message of that turn
	started bool       // it said that it has begun with it
}

// begin is called when the message of a turn was sent.
func (t *turns) begin(turn *Turn, id string, watch *turnWatch) {
	t.last, t.id, t.told, t.started, t.watch = turn, id, false, false, watch
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
			if err := t.lost(l.State); err != nil {
				t.settle()
				return true, err
			}
			t.told, t.started = true, l.State != wire.CommandLifecycleStateQueued
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

// lost returns why the CLI will not take up the message of the last turn, if a state says so. One
// whose uuid is in the history of the session is done with before it was queued.
func (t *turns) lost(state wire.CommandLifecycleState) error {
	switch {
	case state == wire.CommandLifecycleStateCancelled:
		return errPromptCancelled
	case state == wire.CommandLifecycleStateCompleted && !t.told:
		return fmt.Errorf("%w, in the session that was resumed: %s", ErrRepeatedUUID, t.id)
	}
	return nil
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

// skip reads up to the result of the last turn, and up to the last result that has come. A turn
// that somebody reads keeps what is its own.
func (s *Session) skip(ctx context.Context) error {
	for s.turns.last != nil || s.unread.Load() > 0 {
		last := s.turns.last
		f, part, err := s.receiveHeld(ctx)
		if last != nil {
			last.keep(f, part, err)
		}
		var dropped *DroppedError
		if err != nil && !promptLost(err) && !errors.As(err, &dropped) {
			return err
		}
	}
	return nil
}

// keep keeps what another turn has received for this one. If nobody reads it, or too far behind,
// the rest is lost.
func (t *Turn) keep(f wire.Frame, part bool, err error) {
	var dropped *DroppedError
	switch {
	case !t.read.Load():
		t.kept.close(ErrOvertaken)
	case errors.As(err, &dropped) && dropped.Results == 0:
		t.kept.lose(dropped)
	case promptLost(err) || dropped != nil:
		t.kept.close(err)
	case err == nil && part:
		unknown, _ := f.(*wire.UnknownFrame)
		oversize := unknown != nil && errors.Is(unknown.Err, errOversize)
		line, _ := wire.Append(nil, f) // as it came
		if done, _ := t.kept.tryPut(f, line, oversize); !done {
			t.kept.close(ErrOvertaken)
		}
		t.kept.tell()
	}
}

// receiveFor returns the next message of a turn that has begun.
func (s *Session) receiveFor(t *Turn) (wire.Frame, error) {
	for {
		if f, err := t.kept.tryTake(); f != nil || err != nil {
			return f, err
		}
		if !s.turns.reading.tryTake() {
			mine := s.turns.reading.wait()
			select {
			case <-mine:
			case <-t.kept.ready:
				s.turns.reading.leave(mine)
				continue
			case <-t.ctx.Done():
				s.turns.reading.leave(mine)
				return nil, context.Cause(t.ctx)
			}
		}
		if f, err := s.receiveOwn(t); f != nil || err != nil {
			return f, err
		}
	}
}

// receiveOwn returns the next message of a turn from the connection: none if another turn has kept
// some for it. The caller has made this goroutine the one that reads, which ends.
func (s *Session) receiveOwn(t *Turn) (wire.Frame, error) {
	defer s.turns.reading.pass()
	for t.kept.idle.Load() {
		if s.turns.last != t {
			return nil, ErrOvertaken
		}
		if f, part, err := s.receiveHeld(t.ctx); part || err != nil {
			t.pieces.takeAfter(f) // part of the turn as f is
			return f, err
		}
	}
	return nil, nil
}

// putBack gives back what a turn has taken from the connection and not used, for whoever reads
// next. If that is another turn already, it stays with its own.
func (s *Session) putBack(t *Turn) {
	if t.pieces.taken.size() == 0 || !s.turns.reading.tryTake() {
		return
	}
	defer s.turns.reading.pass()
	if s.turns.last == t {
		t.pieces.giveBack()
	}
}

// receiveHeld returns the next message, and whether it is part of the last turn.
func (s *Session) receiveHeld(ctx context.Context) (f wire.Frame, part bool, err error) {
	f, err = s.Receive(ctx)
	if err == nil {
		part, err = s.turns.see(f)
		return f, part, err
	}
	var dropped *DroppedError
	switch {
	case err == io.EOF:
		err = fmt.Errorf("%w: %w", ErrNoResult, s.conn.Err())
	case errors.As(err, &dropped) && dropped.Results > 0:
		s.turns.settle() // that of the last turn may be among them: nobody waits for it
	}
	return nil, false, err
}

// onlyGap reports whether an error tells of messages that were dropped, no result among them: the
// turn goes on.
func onlyGap(err error) bool {
	var dropped *DroppedError
	return errors.As(err, &dropped) && dropped.Results == 0
}

// promptLost reports whether an error is one of [turns.lost]: that turn ends with it, the session
// goes on.
func promptLost(err error) bool {
	return err == errPromptCancelled || errors.Is(err, ErrRepeatedUUID)
}

var errPromptCancelled = errors.New("the prompt was cancelled before the CLI took it up")
