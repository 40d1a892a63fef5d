package turn

import (
	"slices"

	"github.com/ccwire/ccwire/internal/object"
)

// refuse tells the result of a tool that is refused for what the model wrote, while the message
// still comes: one that the session does not have at once, one whose input is malformed after its
// block, unless a tool before it is to be used first.
func (st *streaming) refuse(b object.Object, missing bool) {
	if st.agent.ID != "" || b.Text("type") != "tool_use" || st.got.refused[b.Text("id")] != nil {
		return
	}
	uses := st.got.toolUses(st.turn, st.agent)
	if !missing && len(uses) > 1 {
		return
	}
	if slices.ContainsFunc(uses[:len(uses)-1], func(u *Use) bool { return !u.told && !st.turn.stage.Tools.Concurrent(u) }) {
		return // it has its turn after a tool that is used alone
	}
	u := newUse(st.turn, st.agent, b)
	r, absent := st.turn.stage.Tools.Refused(u)
	if r == nil || absent != missing {
		return
	}
	if st.got.refused == nil {
		st.got.refused = map[string]*Result{}
	}
	st.got.refused[u.ID] = r
	st.turn.resultLine(st.agent, r)
}

// keep puts what the model has said into the conversation, and what was told of it meanwhile.
func (st *streaming) keep() {
	if len(st.got.content) == 0 {
		return
	}
	st.agent.Talk.Add("assistant", st.got.content...)
	for _, b := range st.got.content {
		if o, ok := b.(object.Object); ok && st.got.refused[o.Text("id")] != nil {
			st.agent.Talk.Add("user", st.got.refused[o.Text("id")].Block)
		}
	}
}
