package requests

import (
	"context"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/control"
	"github.com/ccwire/ccwire/internal/sim/life"
)

// turns serves the requests that end a turn or the session.
type turns struct{ *Parts }

// receipt is the body of the reply to an interrupt. Versions before 2.1.250 have none.
func (s turns) receipt(body object.Object) any {
	if s.Out.Release().Before("2.1.250") {
		return nil
	}
	return body
}

func (s turns) handlers() handlers {
	return handlers{
		"interrupt": {Serve: func(_ context.Context, r object.Object) (control.Reply, error) {
			written := s.Stage.Interrupt(life.ErrInterrupt)
			body := object.Of("still_queued", s.Queue.UUIDs())
			var cancelled []string
			if r.Bool("cancel_queued") {
				cancelled = s.Queue.Cancel(nil)
				body = object.Of("still_queued", []string{}, "cancelled", cancelled)
			}
			return control.Reply{Body: s.receipt(body), Then: func() {
				for _, id := range cancelled {
					s.Queue.Tell(id, "cancelled")
				}
				written()
			}}, nil
		}},
		"end_session": {Serve: func(_ context.Context, _ object.Object) (control.Reply, error) {
			return control.Reply{Then: func() { s.Life.End(0) }}, nil
		}},
	}
}
