package probe

import (
	"context"
	"fmt"
	"strings"
	"time"
)

const (
	batch       = 500 // names in one write
	mostAlone   = 64  // names that are tried alone
	mostStarts  = 200 // sessions for one kind
	settle      = 2 * time.Second
	alonePeriod = 5 * time.Second
	fenceTime   = 30 * time.Second
	silence     = 10 * time.Second // after which a session is taken for stuck
)

// What is said of names that get no reply.
const (
	endsSession = "no reply: the session ends"
	noReply     = "no reply"
)

// A channel is a way to send names to a CLI and to hear of each.
type channel struct {
	kind Kind
	args []string // of the sessions, beside the usual ones
	// line returns what is sent for a name.
	line func(name string) string
	// heard returns what came back for a name.
	heard func(s *session, name string) (string, bool)
	// refused reports whether that is what comes back for any name.
	refused func(name, reply string) bool
	// fence returns a line that is answered, and the name under which heard knows the answer.
	fence func(n int) (text, name string)
	// silent says that nothing comes back for an unknown name.
	silent bool
}

// ask sends all names and returns those that the CLI recognises, with its replies.
//
// Names go out in batches, each followed by a fence. If a session dies in a batch, the next one
// goes on with the first name that may be the cause, alone, and then with smaller batches. Names
// without a reply are tried again, each in a session of its own.
func (p *prober) ask(ctx context.Context, c *channel, all []string) (map[string]string, error) {
	a := &asking{prober: p, channel: c, all: len(all), pending: all, size: batch, next: batch, recognised: map[string]string{}}
	for starts := 0; len(a.pending) > 0; starts++ {
		if starts == mostStarts {
			return nil, fmt.Errorf("%d sessions ended, and %d names are left", starts, len(a.pending))
		}
		if err := a.session(ctx); err != nil {
			return nil, err
		}
	}
	if len(a.mute) > mostAlone {
		return nil, fmt.Errorf("%w: %d, such as %s", errTooMany, len(a.mute), strings.Join(a.mute[:3], ", "))
	}
	for i, name := range a.mute {
		p.progress(c.kind, len(all)-len(a.mute)+i, len(all))
		if err := a.alone(ctx, name); err != nil {
			return nil, err
		}
	}
	return a.recognised, nil
}

// asking is the state of ask.
type asking struct {
	*prober
	*channel
	all        int
	pending    []string // not sent, or sent to a session that died
	size, next int      // of the next batch, and of the one after it
	fences     int
	mute       []string // without a reply in a session that went on
	recognised map[string]string
}

// judge notes what came back for a name, if anything did.
func (a *asking) judge(s *session, name string) bool {
	reply, ok := a.heard(s, name)
	if ok && !a.refused(name, reply) {
		a.recognised[name] = reply
	}
	return ok
}

// session sends pending names to one session until all are sent or it dies.
func (a *asking) session(ctx context.Context) error {
	s, err := a.open(ctx, a.args, nil)
	if err != nil {
		return err
	}
	defer s.close()
	var unheard []string // and the session went on
	defer func() {
		for _, name := range unheard {
			if !a.judge(s, name) && !a.silent {
				a.mute = append(a.mute, name)
			}
		}
	}()
	for len(a.pending) > 0 {
		a.progress(a.kind, a.all-len(a.pending), a.all)
		names := a.pending[:min(a.size, len(a.pending))]
		passed := a.send(ctx, s, names)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var left []string
		last := 0 // how many are left when the last reply came
		for _, name := range names {
			if a.judge(s, name) {
				last = len(left)
			} else {
				left = append(left, name)
			}
		}
		rest := a.pending[len(names):]
		if passed {
			unheard = append(unheard, left...)
			a.pending, a.size, a.next = rest, a.next, min(2*a.next, batch)
			continue
		}
		a.died(s, names, left, last, rest)
		return nil
	}
	return nil
}

// send sends names and a fence, and waits for the fence and then a moment for the names.
func (a *asking) send(ctx context.Context, s *session, names []string) (passed bool) {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(a.line(name))
		if a.silent {
			b.WriteString(a.newFence())
		}
	}
	b.WriteString(a.newFence())
	last := a.lastFence()
	s.write(ctx, b.String(), fenceTime)
	fenced := func() bool { _, ok := a.heard(s, last); return ok }
	if a.kind == StdinType { // only the log tells
		return s.wait(ctx, fenceTime, fenced) && !s.dead()
	}
	if !s.hear(ctx, silence, fenced) {
		return false
	}
	patience := settle
	if a.silent && len(names) > 1 {
		patience = 0 // late replies are looked for at the end of the session
	}
	s.wait(ctx, patience, func() bool {
		for _, name := range names {
			if _, ok := a.heard(s, name); !ok {
				return false
			}
		}
		return true
	})
	return !s.dead()
}

func (a *asking) newFence() string {
	a.fences++
	text, _ := a.fence(a.fences)
	return text
}

func (a *asking) lastFence() string {
	_, name := a.fence(a.fences)
	return name
}

// died plans how to go on after a session that died, or answers nothing more, in a batch.
func (a *asking) died(s *session, names, left []string, last int, rest []string) {
	if len(names) == 1 {
		if len(left) == 1 {
			a.recognised[left[0]] = endsSession
			if !s.dead() {
				a.recognised[left[0]] = noReply + ", and the session answers nothing more"
			}
		}
		a.pending, a.size = rest, a.next
		return
	}
	if a.silent {
		last = a.passedFences(s, names, left)
	}
	// What is before the last reply was passed over.
	suspects := left[last:]
	if !a.silent {
		a.mute = append(a.mute, left[:last]...)
	}
	a.pending = append(append([]string(nil), suspects...), rest...)
	a.size, a.next = 1, max(1, len(suspects)/2)
}

// passedFences returns how many of the names that are left have a fence behind them that was
// answered.
func (a *asking) passedFences(s *session, names, left []string) (n int) {
	isLeft := map[string]bool{}
	for _, name := range left {
		isLeft[name] = true
	}
	first := a.fences - len(names) // the fence after the first name
	for i, name := range names {
		_, fence := a.fence(first + i)
		if _, ok := a.heard(s, fence); !ok {
			break
		}
		if isLeft[name] {
			n++
		}
	}
	return n
}

// alone sends one name to a session of its own.
func (a *asking) alone(ctx context.Context, name string) error {
	s, err := a.open(ctx, a.args, nil)
	if err != nil {
		return err
	}
	defer s.close()
	s.write(ctx, a.line(name)+a.newFence(), alonePeriod)
	fence := a.lastFence()
	done := func() bool { _, ok := a.heard(s, name); return ok }
	if a.kind == StdinType { // nothing comes back for a type that is known
		done = func() bool { _, ok := a.heard(s, fence); return ok }
	}
	s.wait(ctx, alonePeriod, done)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case a.judge(s, name):
	case s.dead():
		a.recognised[name] = endsSession
	default:
		a.recognised[name] = noReply
	}
	return nil
}
