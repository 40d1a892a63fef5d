package turn

import (
	"cmp"
	"context"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/life"
	"github.com/ccwire/ccwire/internal/sim/queue"
	"github.com/ccwire/ccwire/internal/sim/result"
)

// Play plays a turn for messages and writes its result.
func (s *Stage) Play(prompts []*queue.Prompt) {
	t := &Turn{stage: s, began: s.Model.Clock().Now(), id: ids.UUID(), prompts: prompts, yields: make(chan struct{})}
	t.ctx, t.cancel = context.WithCancelCause(s.Life.Context())
	defer t.cancel(nil)
	defer t.goOn()
	defer t.wentOn()
	s.dropSuggestion()
	for _, p := range prompts {
		if p.UUID != "" {
			t.uuids = append(t.uuids, p.UUID)
		}
	}
	if n := len(t.uuids); n > 0 {
		t.named = t.uuids[n-1]
	}
	o := t.perform()
	if s.Life.Over() {
		return
	}
	if o.Crash != nil {
		s.Results.Crash(o.Crash, s.Spent.State())
		s.Life.End(1)
		return
	}
	s.Results.Write(t.result(o))
	if t.unread != nil {
		t.unread.release()
	}
	if t.worked {
		s.taskSummary("")
	}
	state := "completed"
	failed := o.API != nil && o.IsError || o.Subtype == "error_during_execution"
	if o.Yielded || o.Subtype == "error_max_budget_usd" || failed && !s.Out.Release().Before("2.1.325") {
		state = "cancelled"
	}
	for _, p := range t.prompts {
		s.Queue.Tell(p.UUID, state)
	}
	s.stateChanged("idle")
	t.suggest(o)
	if context.Cause(t.ctx) == life.ErrSigint {
		s.Life.End(0)
	}
}

// perform plays the turn up to its result, which is not written yet: whoever reads the result finds
// that no turn is played.
func (t *Turn) perform() Outcome {
	s := t.stage
	s.playing.Lock()
	defer s.playing.Unlock()
	s.enter(t)
	s.stateChanged("running")
	for _, p := range t.prompts {
		s.Queue.Tell(p.UUID, "started")
		s.Transcript.Main().Queued(p.Content)
	}
	s.Settings.Look()
	o := t.play()
	if s.Life.Over() {
		return o
	}
	s.Settings.Settle(t.When(nil, ""))
	s.leave()
	if !o.IsError {
		s.Transcript.Main().Sent()
	}
	s.Transcript.LastPrompt(false)
	t.turnSummary(o)
	for _, p := range t.more {
		s.Queue.Tell(p.UUID, "completed")
	}
	return o
}

// play plays the turn up to its outcome.
func (t *Turn) play() Outcome {
	s := t.stage
	s.Servers.Ready(t.ctx)
	if o, done := t.runLocal(); done {
		return o
	}
	if o, done := t.blank(); done {
		return o
	}
	verdict := t.submitHooks()
	if crash := s.crash(&verdict); crash != nil {
		return Outcome{Crash: crash}
	}
	if verdict.Decision != "deny" && !verdict.Stop && verdict.TimedOut == nil {
		if o, done := t.runForked(); done {
			return o
		}
		t.chooseModel()
	}
	defer t.collapse()
	s.Init(t.uuids)
	if t.ctx.Err() != nil && !s.Out.Release().Before("2.1.325") {
		o := t.aborted(s.Main, false)
		if o.IsError {
			t.counts.exhaust(-1) // the line does not count
			o.Errors = []string{"prompt_check: the turn was stopped before its prompt was checked"}
		}
		return o
	}
	if o, done := t.blocked(verdict); done {
		return o
	}
	for _, p := range t.prompts {
		if p.Line != nil {
			t.replay(p)
		}
	}
	if o, ok := t.submit(); !ok {
		return o
	}
	return t.Converse(s.Main)
}

// submit puts the messages into the conversation. It reports false if the turn ends before the
// model is asked, with the outcome.
func (t *Turn) submit() (Outcome, bool) {
	s := t.stage
	for _, p := range t.prompts {
		s.Main.Talk.Mark(p.UUID, p.Text())
		s.Main.Talk.Line(cmp.Or(p.UUID, ids.UUID()), "")
		s.Checkpoints.Mark(p.ID())
		if name, args, ok := commandOf(p); ok {
			if text, found := s.Servers.Command(t.ctx, name, args); found {
				t.keep(p)
				s.Main.Talk.Add("user", object.Of("type", "text", "text", text))
				continue
			}
			if x := s.Ext.Command(name); x != nil {
				if o, ok := t.expand(p, x, args); !ok {
					return o, false
				}
				continue
			}
		}
		t.keep(p)
		s.Main.Talk.Add("user", p.Blocks()...)
	}
	if plan := s.Policy.Mode() == "plan"; plan != s.planning {
		if s.planning = plan; plan {
			s.Main.Talk.Line(ids.UUID(), "") // what the mode means, which is not written
		}
	}
	for _, text := range t.contexts {
		s.Main.Talk.Tell(text)
	}
	t.attach()
	t.autoCompact()
	return Outcome{}, true
}

// result is what the result of the turn tells.
func (t *Turn) result(o Outcome) *result.Result {
	s := t.stage
	r := &result.Result{
		Subtype: o.Subtype, IsError: o.IsError, Reason: o.Reason, StopReason: o.StopReason, Text: o.Text, Errors: o.Errors, Silent: o.Silent,
		Deferred: o.Deferred, API: o.API, Structured: o.Structured, Command: o.Command, NotFast: s.Place.NoFastMode(),
		Began: t.began, Took: s.Model.Clock().Since(t.began), Usage: t.counts.usage(), Spent: s.Spent.State(), Subagents: s.Tasks.Stats(), UUIDs: t.uuids, Asked: t.named,
	}
	t.counts.tell(r)
	if len(t.prompts) > 0 {
		r.Origin = t.prompts[0].Origin
	}
	return r
}
