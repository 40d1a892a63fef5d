package script

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/clock"
	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/object"
)

// Answer is the model's answer to one request.
type Answer struct {
	// Pauses, if it is set, is called before the answer keeps whoever plays it waiting.
	Pauses func()

	scene *fakeapi.Scene
	clock *clock.Clock
	begun bool // something of it has come
}

// ErrDropped says that the connection was lost in the middle of an answer.
var ErrDropped = errors.New("the connection was closed")

// APIError is an error of the API.
type APIError struct {
	Status     int // of HTTP; 0 for an error inside a stream
	Type       string
	Message    string
	RetryAfter *int // seconds
	NoRetry    bool // a header forbids another try
	Body       string
	RequestID  string
}

func (e *APIError) Error() string { return fmt.Sprintf("%d %s: %s", e.Status, e.Type, e.Message) }

// RequestID is what the API calls the request.
func (a *Answer) RequestID() string { return "req_" + a.scene.Key }

// Message returns the message as the API opens it, without content.
func (a *Answer) Message() object.Object { return a.message(true) }

// Usage returns the message's usage at its end.
func (a *Answer) Usage() object.Object { return a.message(false).Object("usage") }

// Cost is what the message costs in dollars, by the script; nil if it does not say.
func (a *Answer) Cost() *float64 { return a.scene.Turn.Cost }

// Uses reports whether the message ends with the use of tools, and as a whole.
func (a *Answer) Uses() bool {
	return a.scene.Turn.Cut == nil && a.scene.Turn.Error == nil && a.StopReason() == "tool_use"
}

// Paced reports whether the message comes slowly.
func (a *Answer) Paced() bool { return a.scene.Turn.Pace != nil && a.scene.Turn.Pace.Every > 0 }

// Last reports whether a block is the last of the message.
func (a *Answer) Last(index int) bool { return index >= len(a.scene.Message.Content)-1 }

// Header returns a header of the answer. Its name is in any case.
func (a *Answer) Header(name string) string {
	for given, value := range a.scene.Turn.Header {
		if strings.EqualFold(given, name) {
			return value
		}
	}
	return ""
}

func (a *Answer) message(opening bool) object.Object {
	m := &a.scene.Message
	usage, _ := parse(raw(m.Usage)).(object.Object)
	o := object.Of("id", m.ID, "type", m.Type, "role", m.Role, "model", m.Model, "content", []any{}, "stop_reason", nil, "stop_sequence", nil)
	if opening {
		usage = usage.With("output_tokens", 1)
	} else {
		o.Set("stop_reason", text(m.StopReason))
		o.Set("stop_sequence", text(m.StopSequence))
	}
	o.Set("usage", usage)
	return o
}

// StopReason is the message's, nil if it has none.
func (a *Answer) StopReason() any { return text(a.scene.Message.StopReason) }

// StopSequence is the message's, nil if it has none.
func (a *Answer) StopSequence() any { return text(a.scene.Message.StopSequence) }

func text(s *string) any {
	if s == nil {
		return nil
	}
	return *s
}

func parse(data []byte) any {
	v, _ := object.Parse(data) // checked with its script
	return v
}

// Begun reports whether anything of the answer has come.
func (a *Answer) Begun() bool { return a.begun }

// Whole waits for the answer and returns its message with all content, for a request that is not
// streamed.
func (a *Answer) Whole(ctx context.Context) (object.Object, error) {
	m := a.message(false)
	content := []any{}
	err := a.Play(ctx, func(e *Event) error {
		if e.Type == BlockStop {
			content = append(content, e.Block)
		}
		return nil
	})
	m.Set("content", content)
	return m, err
}

// Play calls see with the events of the answer, at the pace of its turn, until its end or its cut.
// It returns an [*APIError], [ErrDropped], what see returned, or the context's error.
func (a *Answer) Play(ctx context.Context, see func(*Event) error) (err error) {
	t := a.scene.Turn
	defer func() {
		if ctx.Err() != nil && err != nil {
			a.scene.Outcome(fakeapi.ClientGone)
		}
	}()
	var pace fakeapi.Pace
	if t.Pace != nil {
		pace = *t.Pace
	}
	if err := a.sleep(ctx, pace.Before); err != nil {
		return err
	}
	if t.Error != nil && t.Cut == nil {
		a.scene.Status(t.Error.Status)
		a.scene.Outcome(fakeapi.Complete)
		return a.apiError(t.Error.Status)
	}
	if t.Cut != nil && t.Cut.How == fakeapi.Drop && pace.Every == 0 { // what was on its way is lost with the connection
		a.scene.Status(200)
		a.scene.Outcome(fakeapi.Dropped)
		return ErrDropped
	}
	sent, deltas := 0, 0
	cut := errors.New("cut")
	err = a.events(pace.Chunk, func(e *Event, last bool) error {
		if c := t.Cut; c != nil && (c.After == nil && last || c.After != nil && sent >= *c.After) {
			return cut
		}
		if e.Type == BlockDelta {
			if deltas > 0 {
				if err := a.sleep(ctx, pace.Every); err != nil {
					return err
				}
			}
			deltas++
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if sent == 0 {
			a.scene.Status(200)
		}
		sent++
		a.begun = true
		return see(e)
	})
	switch {
	case err != nil && err != cut:
		return err
	case t.Cut == nil:
		a.scene.Outcome(fakeapi.Complete)
		return nil
	case t.Cut.How == fakeapi.Stall:
		a.scene.Outcome(fakeapi.Stalled)
		a.pause()
		<-ctx.Done()
		return ctx.Err()
	case t.Cut.How == fakeapi.Drop:
		a.scene.Outcome(fakeapi.Dropped)
		return ErrDropped
	}
	if sent == 0 {
		a.scene.Status(200)
	}
	a.scene.Outcome(fakeapi.Complete)
	return a.apiError(0)
}

func (a *Answer) apiError(status int) *APIError {
	kind, message := a.scene.ErrorBody()
	return &APIError{
		Status: status, Type: kind, Message: message, RetryAfter: a.scene.Turn.Error.RetryAfter,
		NoRetry: a.scene.Turn.Header["x-should-retry"] == "false",
		Body:    string(a.scene.ErrorJSON()), RequestID: a.RequestID(),
	}
}

// sleep waits for a pause of the turn.
func (a *Answer) sleep(ctx context.Context, d fakeapi.Duration) error {
	if d > 0 {
		a.pause()
	}
	if a.clock.Sleep(ctx, time.Duration(d)) != nil {
		return ctx.Err()
	}
	return nil
}

// pause says that the answer waits.
func (a *Answer) pause() {
	if a.Pauses != nil {
		a.Pauses()
	}
}
