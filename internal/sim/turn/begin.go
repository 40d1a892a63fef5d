package turn

import (
	"context"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/script"
)

// begun is a use of a tool that has begun while its message still comes.
type begun struct {
	result chan Result // has one when the use has ended
	unread bool        // its result will not be told

	once  sync.Once
	waits chan struct{} // closed when the use waits for something

	goOn chan struct{} // closed when the message is complete, or when the model takes its time with it

	mu       sync.Mutex    // guards the fields below
	released bool          // goOn is closed
	resumed  chan struct{} // closed when the use that waits for the message goes on; nil if none does
}

func newBegun(unread bool) *begun {
	return &begun{result: make(chan Result, 1), unread: unread, waits: make(chan struct{}), goOn: make(chan struct{})}
}

// release lets a use go on that waits for its message. It returns when it does.
func (b *begun) release() {
	b.mu.Lock()
	if !b.released {
		b.released = true
		close(b.goOn)
	}
	resumed := b.resumed
	b.mu.Unlock()
	if resumed != nil {
		<-resumed
	}
}

// Waits says that a use that has begun early waits for something that is not done at once: the
// message that it is a part of goes on.
func (u *Use) Waits() {
	if u.asks != nil {
		u.asks.waits.Do(func() { close(u.asks.going) })
	}
	if u.begun != nil {
		u.begun.once.Do(func() { close(u.begun.waits) })
	}
}

// Await waits until the message is complete that a use is a part of.
func (u *Use) Await(ctx context.Context) {
	b := u.begun
	if b == nil {
		return
	}
	b.mu.Lock()
	if b.released || b.resumed != nil {
		b.mu.Unlock()
		return
	}
	b.resumed = make(chan struct{})
	b.mu.Unlock()
	defer close(b.resumed)
	select {
	case <-b.goOn:
	case <-ctx.Done():
	}
}

// Unread reports whether nobody will read what comes of the use.
func (u *Use) Unread() bool { return u.begun != nil && u.begun.unread }

// prompt reports whether a tool is decided on without a look at the disk, so that it is begun
// before the next block of its message has come.
func prompt(name string) bool {
	switch name {
	case "Bash", "WebFetch", "WebSearch", "Agent", "Task":
		return true
	}
	return strings.HasPrefix(name, "mcp__")
}

// begin begins with the use of a tool whose block is complete while the next one comes, if no tool
// before it is to be used first. It returns when the use has ended, or waits.
func (st *streaming) begin(e *script.Event) {
	t, b := st.turn, e.Block
	if st.agent.ID != "" || b.Text("type") != "tool_use" || st.got.early[b.Text("id")] != nil || st.got.begun[b.Text("id")] != nil || st.expected(b.Text("id")) ||
		!st.reply.Uses() || t.stage.Out.Release().Before("2.1.200") {
		return
	}
	dear := st.tooDear()
	if !dear && (st.reply.Last(e.Index) || !prompt(b.Text("name"))) {
		return
	}
	u := st.next()
	if u == nil {
		return
	}
	ctx := t.ctx
	if dear {
		ctx = t.stage.Life.Context() // it goes on after the turn
	}
	u.begun = newBegun(dear)
	st.got.begins(u)
	ended := make(chan struct{})
	t.stage.Life.Go(func() { // ends with the use
		u.begun.result <- t.stage.Tools.Use(ctx, u)
		close(ended)
	})
	select {
	case <-ended:
		if r := <-u.begun.result; !atOnce(u, &r) {
			u.begun.result <- r
		} else {
			st.tell(u, &r)
		}
	case <-u.begun.waits:
	case <-ctx.Done():
	}
}

// begins notes a use that has begun while the message came.
func (m *answer) begins(u *Use) {
	if m.begun == nil {
		m.begun = map[string]*Use{}
	}
	m.begun[u.ID] = u
}

// atOnce reports whether the result of a use that has ended is told before the next block: one that
// has nothing beside it. That a command needs approval takes a little longer.
func atOnce(u *Use, r *Result) bool {
	return r.plain() && !u.begun.unread && (u.Name != "Bash" || r.Meta.Text("non_execution_kind") != "user-rejected")
}

// plain reports whether a result is no more than a line.
func (r *Result) plain() bool {
	return r.Block != nil && r.End == nil && r.After == nil && len(r.Told) == 0 && len(r.Said) == 0 && len(r.SaidAfter) == 0
}

// tellEnded tells the results of the uses that have ended so far. Those that wait end when the
// message is complete, or when the model takes its time.
func (st *streaming) tellEnded() {
	if len(st.got.begun) == 0 {
		return
	}
	for _, u := range st.got.toolUses(st.turn, st.agent) {
		if !u.told && u.begun != nil && !u.begun.unread {
			st.tellReady(u)
		}
	}
}

// tellReady tells the result of a use that has begun, if it has ended.
func (st *streaming) tellReady(u *Use) {
	select {
	case r := <-u.begun.result:
		if r.plain() {
			st.tell(u, &r)
		} else {
			u.begun.result <- r
		}
	default:
	}
}

// tell tells the result of a use while the message still comes.
func (st *streaming) tell(u *Use, r *Result) {
	if st.got.early == nil {
		st.got.early = map[string]*Result{}
	}
	st.got.early[u.ID] = r
	st.pass(resultTime)
	st.turn.resultLine(st.agent, r)
}

// tellBegun tells the results of the uses that an interrupt has ended with their message.
func (st *streaming) tellBegun() {
	for _, u := range st.got.toolUses(st.turn, st.agent) {
		if !u.told && u.begun != nil && !u.begun.unread {
			r := <-u.begun.result
			st.turn.tellResult(st.agent, u, &r)
		}
	}
}

// release lets the uses that wait for the message go on.
func (m *answer) release() {
	for _, u := range m.begun {
		u.begun.release()
	}
}

// use uses a tool, or goes on with a use that has begun.
func (t *Turn) use(u *Use) Result {
	if u.begun != nil {
		return <-u.begun.result
	}
	return t.stage.Tools.Use(t.ctx, u)
}

// resultOf is what was told of a use while its message came; nil if nothing was.
func (m *answer) resultOf(b any) *Result {
	o, _ := b.(object.Object)
	return m.early[o.Text("id")]
}
