package turn

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/transcript"
)

// useTools uses tools: those that may run at once together, the others one by one. It reports true
// if the turn ends by it.
func (t *Turn) useTools(a *Agent, uses []*Use) (bool, Outcome) {
	batch := uses
	for _, u := range uses {
		if u.told && u.begun != nil {
			u.begun.release() // a subagent in the background
		}
	}
	uses = slices.DeleteFunc(slices.Clone(uses), func(u *Use) bool { return u.told })
	var end *Outcome // a hook ends the turn when all tools are used
	for len(uses) > 0 {
		n := 1
		for t.stage.Tools.Concurrent(uses[0]) && n < len(uses) && t.stage.Tools.Concurrent(uses[n]) {
			n++
		}
		t.lead(uses)
		o := t.useTogether(a, uses[:n])
		uses = uses[n:]
		if t.ctx.Err() != nil {
			t.leaveUnused(a, uses)
			t.stage.Transcript.Agent(a.ID).Sent()
			return true, t.aborted(a, true)
		}
		if o != nil && o.Reason != "hook_stopped" {
			return true, *o
		}
		if o != nil {
			end = o
		}
	}
	if end != nil {
		return true, *end
	}
	return t.batchDone(a, batch)
}

// together is how far apart tools may end to count as having ended at once.
const together = 2 * time.Millisecond

// leaveUnused writes the results of tools that an interrupt keeps from being used.
func (t *Turn) leaveUnused(a *Agent, uses []*Use) {
	for _, u := range uses {
		r := t.stage.Tools.Unused(u)
		t.tellResult(a, u, &r)
	}
}

// useTogether uses tools at the same time. It returns how the turn ends, if it ends by them.
func (t *Turn) useTogether(a *Agent, uses []*Use) *Outcome {
	results := make([]Result, len(uses))
	ended := make(chan int, len(uses))
	folder := ""
	if len(uses) > 1 {
		folder = t.stage.Tools.Folder()
	}
	var last *Use // that was started, and what is closed when it has ended
	var over chan struct{}
	quick := map[*Use]chan struct{}{} // closed when a tool has ended that is done in no time
	start := func(i int) {
		u := uses[i]
		u.Folder = folder // before it goes on, if it has begun
		if u.begun != nil {
			u.begun.release()
		}
		t.awaitGoing(last, over)
		done := make(chan struct{})
		last, over = u, done
		if t.quick(u) {
			quick[u] = done
		}
		finish := func() {
			results[i] = t.use(u)
			ended <- i
			close(done)
		}
		if u.begun != nil && len(u.begun.result) > 0 { // it has ended while its message came
			finish()
			return
		}
		go finish() // ends with the tool
	}
	for i, u := range uses {
		if slow(u) == 0 {
			start(i)
		}
	}
	// A file is where it was before a command moves on; what ends at once is told in its order.
	for u, done := range quick {
		select {
		case <-done:
		case <-u.asks.sent:
		case <-t.ctx.Done():
		}
	}
	for i, u := range uses {
		if slow(u) == 1 {
			start(i)
		}
	}
	var end *Outcome
	for left := len(uses); left > 0; {
		// Results are told as they come, those that come at once in the order of their uses.
		batch := []int{<-ended}
		if left > 1 {
			time.Sleep(together)
		}
		for len(ended) > 0 {
			batch = append(batch, <-ended)
		}
		slices.Sort(batch)
		slices.SortStableFunc(batch, func(i, j int) int { return cmp.Compare(t.took(uses[i], &results[i]), t.took(uses[j], &results[j])) })
		left -= len(batch)
		for _, i := range batch {
			if o := t.tellResult(a, uses[i], &results[i]); o != nil {
				end = o
			}
		}
	}
	return end
}

// awaitGoing waits until a use that was started goes on, so that uses begin in their order.
func (t *Turn) awaitGoing(u *Use, over <-chan struct{}) {
	if u == nil {
		return
	}
	if u.asks != nil && u.Name != "Agent" && u.Name != "Task" {
		select {
		case <-u.asks.going:
		case <-over:
		case <-t.ctx.Done():
		}
	}
	time.Sleep(together) // what it asks a server, or runs, is on its way
}

// slow is 1 for a tool that starts a process, which takes longer than any file.
func slow(u *Use) int {
	if u.Name == "Bash" {
		return 1
	}
	return 0
}

// quick reports whether a tool is done in no time, unless somebody is asked for it.
func (t *Turn) quick(u *Use) bool {
	hooks := t.stage.Hooks
	return slices.Contains([]string{"Read", "Glob", "Grep", "StructuredOutput"}, u.Name) && u.asks != nil &&
		len(hooks.Match("PreToolUse", u.Name)) == 0 && len(hooks.Match("PostToolUse", u.Name)) == 0 && len(hooks.Match("PostToolUseFailure", u.Name)) == 0
}

// The order of what came of uses that ended at once.
const (
	tookNothing = iota // it was not allowed, or does nothing
	tookMissing        // there is no such file
	tookFolder         // it is not a file
	tookFile           // and more for each folder that it is in: instructions are looked for there
	tookProcess = 1 << 10
)

// took returns how long a use took among those that ended at once.
func (t *Turn) took(u *Use, r *Result) int {
	text, _ := r.Block.Get("content").(string)
	switch {
	case r.Meta.Has("non_execution_kind") || u.Name == "StructuredOutput":
		return tookNothing
	case slow(u) == 1:
		return tookProcess
	case r.Block.Bool("is_error") && strings.Contains(text, "EISDIR"):
		return tookFolder
	case r.Block.Bool("is_error"):
		return tookMissing
	case u.Name == "Read":
		return tookFile + t.depth(u.Input.Text("file_path"))
	}
	return tookFile
}

// depth is in how many folders below the session's own a file is.
func (t *Turn) depth(path string) int {
	if filepath.IsAbs(path) {
		path, _ = filepath.Rel(t.stage.Place.Cwd(), path)
	}
	if !filepath.IsLocal(path) {
		return 0
	}
	return strings.Count(filepath.Clean(path), string(filepath.Separator))
}

// tellResult writes the result of a tool. It returns how the turn ends, if it ends by it.
func (t *Turn) tellResult(a *Agent, u *Use, r *Result) *Outcome {
	if t.ctx.Err() != nil {
		t.AwaitReceipt()
	}
	if a.ID == "" || t.ctx.Err() == nil || t.task.Background() {
		t.toolLine(a, u, r)
	}
	switch {
	case r.After == nil:
	case t.task != nil && !t.task.Background() && t.ctx.Err() != nil: // told after the result of the subagent itself
		t.after = append(t.after, r.After)
	default:
		r.After()
	}
	return r.End
}

// toolLine writes the result of a tool and puts it into the conversation.
func (t *Turn) toolLine(a *Agent, u *Use, r *Result) {
	t.stage.Hooks.Say(r.Said)
	if r.Block == nil { // it is for later
		return
	}
	u.response, u.failed = r.Block.Get("content"), r.Block.Bool("is_error")
	a.Talk.Add("user", r.Block)
	t.stage.Spent.Change(changes(r.Detail))
	for _, text := range r.Told {
		a.Talk.Tell(text)
	}
	if u.Name == "StructuredOutput" && !u.failed {
		a.Talk.Line(ids.UUID(), "") // the answer in its form, which is not written
		r.own = object.Of("toolEndsTurn", true)
		t.stage.Transcript.Agent(a.ID).Attach(transcript.Note("structured_output", "data", u.Input, "toolUseID", u.ID))
	}
	t.resultLine(a, r)
	t.stage.Hooks.Say(r.SaidAfter)
}

// resultLine writes the result of a tool.
func (t *Turn) resultLine(a *Agent, r *Result) {
	more := []any{}
	if r.Detail != nil && (a.ID == "" || r.Block.Bool("is_error")) {
		more = append(more, "tool_use_result", r.Detail)
	}
	// Versions before 2.1.325 tell only why a tool did not run.
	untold := t.stage.Out.Release().Before("2.1.325") && !r.Meta.Has("non_execution_kind")
	if r.Meta != nil && !untold && (a.ID == "" || t.ctx.Err() == nil) {
		more = append(more, "tool_result_meta", []any{append(object.Of("id", r.Block.Text("tool_use_id")), r.Meta...)})
	}
	if a.ID == "" {
		t.counts.count(&t.counts.users)
	}
	id, message := ids.UUID(), object.Of("role", "user", "content", []any{r.Block})
	a.keep(id, "user", message, r.own, more...)
	a.tell(id, "user", message, more...)
}

// toolUses returns the tools that the model wants to use.
func (m *answer) toolUses(t *Turn, a *Agent) (list []*Use) {
	for _, b := range m.content {
		if o, ok := b.(object.Object); ok && o.Text("type") == "tool_use" {
			u := m.begun[o.Text("id")]
			if u == nil {
				u = newUse(t, a, o)
			}
			if r := m.early[u.ID]; r != nil {
				u.told, u.failed, u.response = true, r.Block.Bool("is_error"), r.Block.Get("content")
			}
			list = append(list, u)
		}
	}
	return list
}

// newUse is the use of a tool that a block of the model wants.
func newUse(t *Turn, a *Agent, b object.Object) *Use {
	return &Use{Turn: t, Agent: a, ID: b.Text("id"), Name: b.Text("name"), Input: b.Object("input"), said: b.Object("input"), asks: newAsks()}
}

// batchDone calls the hooks that see all tools of one message together. It reports true if the turn
// ends by it.
func (t *Turn) batchDone(a *Agent, uses []*Use) (bool, Outcome) {
	s := t.stage
	if len(s.Hooks.Match("PostToolBatch", "")) == 0 {
		return false, Outcome{}
	}
	calls := []any{}
	for _, u := range uses {
		calls = append(calls, object.Of("tool_name", u.Name, "tool_input", u.said, "tool_use_id", u.ID, "tool_response", u.response))
	}
	o := t.When(a, "")
	o.ID = "hook-" + ids.UUID()
	v := s.Hooks.Call(t.ctx, "PostToolBatch", o, "tool_calls", calls)
	if crash := s.crash(&v); crash != nil && a.ID == "" {
		return true, Outcome{Crash: crash}
	}
	s.Hooks.Say(v.Messages)
	for _, text := range v.Contexts {
		a.Talk.Tell(text)
	}
	if v.Stop || v.Decision == "deny" {
		return true, *HookStopped()
	}
	return false, Outcome{}
}
