package turn

import (
	"slices"

	"github.com/ccwire/ccwire/internal/object"
)

// refuse tells the result of a tool that is refused for what the model wrote, while the message
// still comes: one that the session does not have at once, one whose input is malformed after its
// block, unless a tool before it is to be used first.
func (st *streaming) refuse(b object.Object, missing bool) {
	if st.agent.ID != "" || b.Text("type") != "tool_use" || st.got.early[b.Text("id")] != nil || st.expected(b.Text("id")) {
		return
	}
	uses := st.got.toolUses(st.turn, st.agent)
	u := newUse(st.turn, st.agent, b)
	concurrent := st.turn.stage.Tools.Concurrent
	if slices.ContainsFunc(uses[:len(uses)-1], func(o *Use) bool { return !o.told && (!concurrent(o) || !missing && !concurrent(u)) }) {
		return // it has its turn after a tool that is used alone
	}
	r, absent := st.turn.stage.Tools.Refused(u)
	if r == nil || absent != missing {
		return
	}
	st.tell(u, r)
}

// keep puts what the model has said into the conversation, and what was told of it meanwhile.
func (st *streaming) keep() {
	if len(st.got.content) == 0 {
		return
	}
	st.agent.Talk.Add("assistant", st.got.content...)
	for _, b := range st.got.content {
		if r := st.got.resultOf(b); r != nil {
			st.agent.Talk.Add("user", r.Block)
		}
	}
}
