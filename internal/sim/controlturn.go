package sim

import (
	"context"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/life"
)

// interrupted is what SIGINT does.
func (s *Session) interrupted() {
	if !s.stage.Playing() {
		s.life.End(0)
		return
	}
	s.stage.Interrupt(life.ErrSigint)()
}

func init() {
	controls["interrupt"] = control{serve: func(s *Session, _ context.Context, r object.Object) (reply, error) {
		written := s.stage.Interrupt(life.ErrInterrupt)
		body := object.Of("still_queued", s.queue.UUIDs())
		var cancelled []string
		if r.Bool("cancel_queued") {
			cancelled = s.queue.Cancel(nil)
			body = object.Of("still_queued", []string{}, "cancelled", cancelled)
		}
		return reply{body: body, then: func() {
			for _, id := range cancelled {
				s.queue.Tell(id, "cancelled")
			}
			written()
		}}, nil
	}}
	controls["end_session"] = control{serve: func(s *Session, _ context.Context, _ object.Object) (reply, error) {
		return reply{then: func() { s.life.End(0) }}, nil
	}}
}
