package turn

import (
	"slices"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/script"
)

// The time that lines take on their way while uses are decided on. It is not that of a clock: it
// passes with the lines alone.
const (
	lineTime   = 8 // an event, or what the model has said
	unseenTime = 7 // an event that is not written
	resultTime = 4
	refuseTime = 3 // what it takes to refuse a use for its input
)

// Pace says how much time a use takes that is over at once, from the line that tells of it. A line
// is written as soon as its time has come; a result waits for the next line that passes.
type Pace struct {
	Used int // until the use, and with it the line that tells of a denial
	Told int // until there is a result

	// Checked says that the server is asked about the use: its answer comes before the last event
	// of the message, and the result after that.
	Checked bool
}

// passed reports whether there is a result of a use when some time has passed.
func (p Pace) passed(time int) bool { return !p.Checked && time >= p.Told }

// due is a use that is over at once, while its message still comes.
type due struct {
	use     *Use
	pace    Pace
	since   int     // the time at which it has begun
	refusal *Result // of one that is refused for what the model wrote; nil for another
}

// expect notes a use that will be over at once, if no tool before it is to be used first.
func (st *streaming) expect(b object.Object) {
	t := st.turn
	if b.Text("type") != "tool_use" || st.agent.ID != "" || !st.reply.Uses() || st.tooDear() || t.stage.Out.Release().Before("2.1.325") {
		return
	}
	u := st.next()
	if u == nil {
		return
	}
	if r, missing := t.stage.Tools.Refused(u); r != nil && !missing {
		st.due = append(st.due, &due{use: u, pace: Pace{Told: refuseTime}, since: st.time, refusal: r})
	} else if pace, ok := t.stage.Tools.Pace(u); ok {
		st.due = append(st.due, &due{use: u, pace: pace, since: st.time})
	}
}

// next returns the use of the last block, nil if a tool before it is to be used first.
func (st *streaming) next() *Use {
	uses := st.got.toolUses(st.turn, st.agent)
	u := uses[len(uses)-1]
	alone := func(u *Use) bool { return !st.turn.stage.Tools.Concurrent(u) }
	if slices.ContainsFunc(uses[:len(uses)-1], func(other *Use) bool { return !st.over(other) && (alone(other) || alone(u)) }) {
		return nil
	}
	return u
}

// over reports whether there is a result of a use, be it told or not.
func (st *streaming) over(u *Use) bool {
	return u.told || slices.ContainsFunc(st.due, func(d *due) bool { return d.use.ID == u.ID && d.pace.passed(st.time-d.since) })
}

// expected reports whether a use is noted as one that will be over at once.
func (st *streaming) expected(id string) bool {
	return slices.ContainsFunc(st.due, func(d *due) bool { return d.use.ID == id })
}

// passEvent lets the time pass that an event takes.
func (st *streaming) passEvent(e *script.Event) {
	if st.events() {
		st.pass(lineTime)
	} else {
		st.pass(unseenTime)
	}
	for _, d := range st.due {
		if d.pace.Checked && e.Type == script.MessageStop {
			st.start(d)
		}
	}
}

// pass lets the time pass that a line takes, which is written after what comes before it.
func (st *streaming) pass(time int) {
	st.time += time
	for _, d := range st.due {
		if !d.pace.Checked && st.time-d.since > d.pace.Used {
			st.start(d)
		}
	}
}

// start uses what is due.
func (st *streaming) start(d *due) {
	u := d.use
	if u.begun != nil || d.refusal != nil {
		return
	}
	r := st.turn.stage.Tools.Use(st.turn.ctx, u) // which waits for nothing
	u.begun = newBegun(false)
	u.begun.result <- r
	st.got.begins(u)
}

// tellDue tells the results that are there, in the order of their uses. Each is a line that takes
// time too.
func (st *streaming) tellDue() {
	for i := 0; i < len(st.due); {
		d := st.due[i]
		if !d.pace.passed(st.time - d.since) {
			i++
			continue
		}
		st.due = slices.Delete(st.due, i, i+1)
		st.finish(d)
	}
}

// finish uses what is due, and tells its result.
func (st *streaming) finish(d *due) {
	st.start(d)
	if d.refusal != nil {
		st.tell(d.use, d.refusal)
	} else {
		st.tellReady(d.use)
	}
}

// settle does all that is due: the model takes its time.
func (st *streaming) settle() {
	for slices.ContainsFunc(st.due, func(d *due) bool { return !d.pace.Checked }) {
		st.pass(lineTime)
		st.tellDue()
	}
	checked := st.due
	st.due = nil
	for _, d := range checked {
		st.finish(d)
	}
}
