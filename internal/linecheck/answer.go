package linecheck

import (
	"slices"
	"sync"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/exchange"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/schema"
)

// bodyPath is where a line has the body of an answer.
const bodyPath = "/response/response"

// A note is about a line of a block that has a part in an exchange, or about the header of a
// recording.
type note struct {
	exchange.Line
	from         schema.Direction
	number, part int      // of the line
	worst        Severity // of its findings, "" without any
	broken       bool     // its text is malformed
	session      string   // that the line is of
	begins       bool     // the session begins here; the rest of the note is empty
	at           int      // how many findings of the block come before those of the body
	start, end   int      // of the body in the verdict's bodies

	subject *exchange.Subject // what an answer is to, nil if that is not known
}

// note keeps what a line says of an exchange. The frame is that of a valid line, nil of any other.
func (v *verdict) note(in *linestream.Line, part int, p *linestream.Part, frame wire.Frame, found []Finding) {
	var l exchange.Line
	var ok bool
	if frame != nil {
		l, ok = exchange.Of(frame, p.Bytes)
	} else {
		l, ok = exchange.Read(p.Bytes)
	}
	if !ok {
		return
	}
	n := note{Line: l, from: p.Direction, session: in.Session, number: in.Number, part: part, at: len(v.found), start: len(v.bodies)}
	v.bodies = append(v.bodies, l.Body(p.Bytes)...)
	n.end = len(v.bodies)
	switch {
	case hasError(found):
		n.worst = Error
	case len(found) > 0:
		n.worst = Lint
	}
	n.broken = slices.ContainsFunc(found, func(f Finding) bool { return f.Kind == codec.Malformed })
	v.notes = append(v.notes, n)
}

// body returns the body of an answer, nil if it has none.
func (v *verdict) body(n *note) []byte {
	if n.start == n.end {
		return nil
	}
	return v.bodies[n.start:n.end]
}

// A conversation is the exchanges of an input. Its blocks are judged in any order, and their
// answers matched with requests in the order of the input.
type conversation struct {
	mu      sync.Mutex                // guards the fields below
	books   map[string]*exchange.Book // by session
	next    int                       // the number of the block whose answers come next
	waiting map[int]*step             // blocks after it, by number
}

// match takes a block of which all has been judged but the bodies of answers. It returns the blocks
// whose answers are matched now, which may be none, or include later ones that came before.
func (c *conversation) match(s *step) (ready []*step) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting == nil {
		c.waiting = map[int]*step{}
	}
	c.waiting[s.number] = s
	for {
		s := c.waiting[c.next]
		if s == nil {
			return ready
		}
		delete(c.waiting, c.next)
		c.next++
		for i := range s.verdict.notes {
			c.take(&s.verdict, &s.verdict.notes[i])
		}
		ready = append(ready, s)
	}
}

// take takes the next line of the exchanges.
func (c *conversation) take(v *verdict, n *note) {
	switch {
	case n.begins:
		delete(c.books, n.session) // a reply never answers a request of another session
		return
	case n.Kind == exchange.Request:
		c.book(n.session).Ask(n.from, &n.Line)
		return
	}
	n.subject = c.book(n.session).Answer(n.from, &n.Line, func(s *exchange.Subject) bool {
		body := v.body(n)
		return n.Kind == exchange.Failure || body == nil || s.Clean(body)
	})
}

// book returns the exchanges of a session.
func (c *conversation) book(session string) *exchange.Book {
	b := c.books[session]
	if b == nil {
		if c.books == nil {
			c.books = map[string]*exchange.Book{}
		}
		b = &exchange.Book{}
		c.books[session] = b
	}
	return b
}

// answers judges the bodies of the answers in a block, once they are matched. Their findings come
// after the others of their line.
func (c *Checker) answers(v *verdict, most int) {
	var found []Finding // all of the block
	done := 0           // how many of v.found are there
	for i := range v.notes {
		n := &v.notes[i]
		switch {
		case n.Kind != exchange.Success || n.broken:
			continue
		case n.subject == nil:
			v.sum.Unchecked++
			continue
		}
		list := c.body(n.from, n.subject, v.body(n))
		if len(list) == 0 {
			continue
		}
		found = append(found, v.found[done:n.at]...)
		done = n.at
		found = append(found, n.located(list)...)
		v.recount(n, list)
	}
	if found == nil {
		return
	}
	v.found = append(found, v.found[done:]...)
	if most > 0 && len(v.found) > most {
		for _, f := range v.found[most:] {
			v.omit(f.Severity)
		}
		v.found = v.found[:most]
	}
}

// located gives the findings in the body of an answer their places in the line and the input.
func (n *note) located(list []Finding) []Finding {
	for i := range list {
		f := &list[i]
		f.Line, f.Part = n.number, n.part
		f.Path = bodyPath + f.Path
		if n.End == 0 {
			f.Offset = n.Outer
		} else {
			f.Offset += n.Start
		}
	}
	return list
}

// recount counts further findings of a line.
func (v *verdict) recount(n *note, list []Finding) {
	v.sum.Findings += len(list)
	worst := Lint
	if n.worst == Error || hasError(list) {
		worst = Error
	}
	if worst == n.worst {
		return
	}
	if n.worst == Lint {
		v.sum.Odd--
	}
	if worst == Error {
		v.sum.Invalid++
	} else {
		v.sum.Odd++
	}
}

// body judges the body of an answer; nil is one that is not there. Paths and offsets are in the
// body.
func (c *Checker) body(from schema.Direction, s *exchange.Subject, body []byte) []Finding {
	found := c.anyBody(from, s, body)
	if c.release != nil && body != nil && s.Definition() != "" {
		found = c.outdated(from, s.Definition(), body, found)
	}
	return c.wrong(found)
}

// anyBody is body for all versions of the CLI alike.
func (c *Checker) anyBody(from schema.Direction, s *exchange.Subject, body []byte) []Finding {
	severity := Error
	if c.lint {
		severity = Lint
	}
	if body == nil {
		if !s.Needs(from) {
			return nil
		}
		return one(severity, codec.Invalid, `missing required member "response"`)
	}
	if s.Clean(body) {
		return nil
	}
	d := document{s.Definition(), s.Decode}
	var found []Finding
	validator := schema.Default().Closed()
	switch {
	case d.definition == "":
		if c.lint {
			for _, d := range s.Unnamed(body) {
				found = append(found, Finding{Severity: Lint, Deviation: d})
			}
		}
		return found
	case c.lint:
		validator = schema.Default().Open()
		found = c.tolerant(d, body)
	default:
		found = c.strict(d, body)
	}
	for _, v := range s.Mismatches(body, validator) {
		same := func(f Finding) bool { return f.Path == v.Path }
		if !slices.ContainsFunc(found, same) {
			found = append(found, Finding{Severity: severity, Deviation: v.Deviation, Keyword: v.Keyword})
		}
	}
	return found
}
