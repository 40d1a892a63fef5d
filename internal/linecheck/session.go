package linecheck

import (
	"slices"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/exchange"
	"github.com/ccwire/ccwire/schema"
)

// A Session judges the lines of one session as they come, with the bodies of answers. It is for one
// goroutine.
type Session struct {
	checker *Checker
	book    exchange.Book
}

// Session returns a Session whose lines are judged by the checker.
func (c *Checker) Session() *Session { return &Session{checker: c} }

// A Verdict is what there is to say of one line.
type Verdict struct {
	Findings []Finding // without file and line

	Asks    *exchange.Subject // what a request asks; nil for any other line
	Answers *exchange.Subject // what a reply answers; nil if that is not known
	Failed  bool              // it is a reply that says that it cannot be done
}

// Line judges a line. The place is a number of the caller's, which is in the Answers of the reply
// to a request.
func (s *Session) Line(dir schema.Direction, l codec.Line, place int) (v Verdict) {
	found, frame := s.checker.check(dir, l)
	v.Findings = found
	if l.Kind != codec.ObjectLine || s.checker.transcript {
		return v
	}
	read, ok := exchange.Line{}, false
	if frame != nil {
		read, ok = exchange.Of(frame, l.Bytes)
	} else {
		read, ok = exchange.Read(l.Bytes)
	}
	if !ok {
		return v
	}
	if read.Kind == exchange.Request {
		read.Subject.Place = place
		s.book.Ask(dir, &read)
		v.Asks = &read.Subject
		return v
	}
	body := read.Body(l.Bytes)
	v.Failed = read.Kind == exchange.Failure
	v.Answers = s.book.Answer(dir, &read, func(asked *exchange.Subject) bool {
		return v.Failed || body == nil || asked.Clean(body)
	})
	broken := slices.ContainsFunc(found, func(f Finding) bool { return f.Kind == codec.Malformed })
	if v.Answers == nil || v.Failed || broken {
		return v
	}
	n := note{Line: read}
	v.Findings = append(v.Findings, n.located(s.checker.body(dir, v.Answers, body))...)
	return v
}
