package turn

import (
	"slices"

	"github.com/ccwire/ccwire/internal/object"
)

// Pace says how many events of a message come before the lines of a use that is over at once. They
// are counted from the one that ends the block of the use.
type Pace struct {
	Used int // before the use, and with it the line that tells of a denial
	Told int // before the result
}

// due is a use that is over at once, while its message still comes.
type due struct {
	use    *Use
	pace   Pace
	events int // that have come since
}

// expect notes a use that will be over at once, if no tool before it is to be used first.
func (st *streaming) expect(b object.Object) {
	t := st.turn
	if b.Text("type") != "tool_use" || st.agent.ID != "" || st.got.early[b.Text("id")] != nil || !st.reply.Uses() || st.tooDear() ||
		t.stage.Out.Release().Before("2.1.325") {
		return
	}
	u := st.next()
	if u == nil {
		return
	}
	if pace, ok := t.stage.Tools.Pace(u); ok {
		st.due = append(st.due, &due{use: u, pace: pace})
		st.step(0)
	}
}

// next returns the use of the last block, nil if a tool before it is to be used first.
func (st *streaming) next() *Use {
	uses := st.got.toolUses(st.turn, st.agent)
	u := uses[len(uses)-1]
	alone := func(u *Use) bool { return !st.turn.stage.Tools.Concurrent(u) }
	if slices.ContainsFunc(uses[:len(uses)-1], func(other *Use) bool { return !other.told && (alone(other) || alone(u)) }) {
		return nil
	}
	return u
}

// expected reports whether a use is noted as one that will be over at once.
func (st *streaming) expected(id string) bool {
	return slices.ContainsFunc(st.due, func(d *due) bool { return d.use.ID == id })
}

// step does what is due after some more events of the message.
func (st *streaming) step(events int) {
	st.due = slices.DeleteFunc(st.due, func(d *due) bool {
		d.events += events
		if d.events >= d.pace.Used && d.use.begun == nil {
			r := st.turn.stage.Tools.Use(st.turn.ctx, d.use) // which waits for nothing
			d.use.begun = newBegun(false)
			d.use.begun.result <- r
			st.got.begins(d.use)
		}
		if d.events < d.pace.Told {
			return false
		}
		st.tellReady(d.use)
		return true
	})
}

// settle does all that is due: the model takes its time.
func (st *streaming) settle() {
	for len(st.due) > 0 {
		st.step(1)
	}
}
