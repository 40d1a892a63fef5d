package turn

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/extensions"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/life"
	"github.com/ccwire/ccwire/internal/sim/queue"
	"github.com/ccwire/ccwire/internal/sim/result"
	"github.com/ccwire/ccwire/internal/sim/tasks"
	"github.com/ccwire/ccwire/internal/sim/transcript"
)

// Turn is what the CLI does for the messages that it took at once, up to a result.
type Turn struct {
	stage     *Stage
	ctx       context.Context
	cancel    context.CancelCauseFunc
	began     time.Time
	id        string // of the prompt, for hooks
	prompts   []*queue.Prompt
	uuids     []string      // that the SDK gave the prompts
	worked    bool          // a tool was used; belongs to the turn's goroutine
	launched  chan struct{} // a subagent in the background that was just started: closed when it has spoken
	firstStep chan struct{} // of such a subagent
	root      *Turn         // of a subagent: the turn of the session that started it
	task      *tasks.Task   // of a subagent
	after     []func()      // what the tools of an interrupted subagent have left to tell

	contexts []string // what hooks have to say to the prompts

	mu         sync.Mutex // guards the fields below
	users      int        // lines of the type user
	requests   int        // to the model
	used       ledger.Usage
	first      ledger.Usage // of the first request
	denials    []any
	lastUsage  object.Object     // of the last message
	refusals   int               // answers that the model has refused
	stopReason any               // of the last message
	held       map[string]func() // lines of a subagent that its tools write, by the tool use
	stops      int               // how often hooks have made the model go on
	stopActive bool              // a Stop hook has made the model go on
	cuts       int               // answers that were cut at the limit of tokens
	receipt    chan struct{}     // of an interrupt: closed when its reply was written
}

// Outcome is how a turn ended.
type Outcome struct {
	Reason     string // terminal_reason
	Subtype    string // "success", "error_during_execution", "error_max_turns"
	IsError    bool
	Text       string
	Errors     []string
	StopReason any
	API        *result.APIError // with which the turn has ended; nil for none
	Structured object.Object    // the answer in a form of its own; nil for none
	Command    string           // that the CLI has served itself; "" for none
	Silent     bool             // the model was not asked
	Failure    error            // of the API
	Deferred   object.Object    // the tool use that a hook has put off
}

// Play plays a turn for messages and writes its result.
func (s *Stage) Play(prompts []*queue.Prompt) {
	s.playing.Lock()
	defer s.playing.Unlock()
	t := &Turn{stage: s, began: time.Now(), id: ids.UUID(), prompts: prompts}
	t.ctx, t.cancel = context.WithCancelCause(s.Life.Context())
	defer t.cancel(nil)
	for _, p := range prompts {
		if p.UUID != "" {
			t.uuids = append(t.uuids, p.UUID)
		}
	}
	s.enter(t)
	s.stateChanged("running")
	for _, p := range prompts {
		s.Queue.Tell(p.UUID, "started")
	}
	s.Settings.Look()
	o := t.play()
	if s.Life.Over() {
		return
	}
	s.Settings.Settle(t.When(nil, ""))
	s.leave()
	if n := len(t.prompts); n > 0 {
		s.Transcript.LastPrompt(t.prompts[n-1].Text())
	}
	t.turnSummary(o)
	s.Results.Write(t.result(o))
	if t.worked {
		s.taskSummary("")
	}
	for _, p := range t.prompts {
		s.Queue.Tell(p.UUID, "completed")
	}
	s.stateChanged("idle")
	if context.Cause(t.ctx) == life.ErrSigint {
		s.Life.End(0)
	}
}

// result is what the result of the turn tells.
func (t *Turn) result(o Outcome) *result.Result {
	s := t.stage
	r := &result.Result{
		Subtype: o.Subtype, IsError: o.IsError, Reason: o.Reason, StopReason: o.StopReason, Text: o.Text, Errors: o.Errors, Silent: o.Silent,
		Deferred: o.Deferred, API: o.API, Structured: o.Structured, Command: o.Command,
		Began: t.began, Took: time.Since(t.began), Users: t.users, Usage: t.usage(), First: t.first, Spent: s.Spent.State(), Denials: t.denials,
		Subagents: s.Tasks.Stats(), Refusals: t.refusals, UUIDs: t.uuids,
	}
	if len(t.prompts) > 0 {
		r.Origin = t.prompts[0].Origin
	}
	return r
}

// usage is what the turn has used. Some members are those of the last message.
func (t *Turn) usage() object.Object {
	u := t.used.Object()
	for _, name := range []string{"iterations", "fallback_credit"} {
		if v, ok := t.lastUsage.Lookup(name); ok {
			u.Set(name, v)
		}
	}
	return u
}

// play plays the turn up to its outcome.
func (t *Turn) play() Outcome {
	s := t.stage
	s.Servers.Ready(t.ctx)
	if o, done := t.runLocal(); done {
		return o
	}
	verdict := t.submitHooks()
	s.Init(t.uuids)
	if o, done := t.blocked(verdict); done {
		return o
	}
	for _, p := range t.prompts {
		if p.Line != nil {
			s.Queue.Replay(p, true)
		}
	}
	if o, done := t.submit(); done {
		return o
	}
	return t.Converse(s.Main)
}

// submit puts the messages into the conversation. It reports true if nothing is left to do.
func (t *Turn) submit() (Outcome, bool) {
	s := t.stage
	for _, p := range t.prompts {
		s.Main.Talk.Mark(p.UUID, p.Text())
		t.keep(p)
		s.Checkpoints.Mark(p.UUID)
		if name, args, ok := extensions.Split(p.Text()); ok {
			if text, found := s.Servers.Command(t.ctx, name, args); found {
				s.Main.Talk.Add("user", object.Of("type", "text", "text", text))
				continue
			}
			if x := s.Ext.Command(name); x != nil {
				s.Main.Talk.Add("user", object.Of("type", "text", "text", "<command-name>/"+name+"</command-name>\n<command-args>"+args+"</command-args>"),
					object.Of("type", "text", "text", x.Expand(args, s.Tools.Inline(t.ctx))))
				continue
			}
		}
		s.Main.Talk.Add("user", p.Blocks()...)
	}
	for _, text := range t.contexts {
		s.Main.Talk.Tell(text)
	}
	t.autoCompact()
	return Outcome{}, false
}

// keep keeps a message in the transcript.
func (t *Turn) keep(p *queue.Prompt) {
	t.stage.Transcript.Prompt(transcript.Prompt{ID: t.id, UUID: p.UUID, Text: p.Text(), Content: p.Content, Mode: t.stage.Policy.Mode()})
}

// Converse asks the model and uses tools until the model has nothing more to do.
func (t *Turn) Converse(a *Agent) Outcome {
	for {
		if limit := t.stage.maxTurns(); limit > 0 && t.asked() >= limit && a.ID == "" {
			return t.tooManyTurns(limit)
		}
		t.letLaunchedSpeak()
		m, closing, err := t.request(a)
		t.Stepped()
		if err != nil {
			o := t.failed(a, err)
			closing()
			return o
		}
		t.mu.Lock()
		t.stopReason = m.stopReason
		t.mu.Unlock()
		if again := t.carryOn(a, m); again {
			continue
		}
		if m.stopReason == "refusal" {
			o, again := t.refused(a, m)
			if again {
				continue
			}
			return o
		}
		uses := m.toolUses(t, a)
		if len(uses) == 0 {
			again, reason := t.stopHooks(a, m)
			if again {
				continue
			}
			return Outcome{Reason: reason, Subtype: "success", Text: m.text(), StopReason: m.stopReason}
		}
		if o, done := t.overBudget(); done {
			return o
		}
		if a.ID == "" && !t.worked {
			t.worked = true
			t.stage.taskSummary(activity(uses[0]))
		}
		if done, o := t.useTools(a, uses); done {
			o.StopReason = m.stopReason
			if o.Deferred != nil {
				o.StopReason = "tool_deferred"
			}
			return o
		}
		if i := slices.IndexFunc(uses, func(u *Use) bool { return u.Name == "StructuredOutput" }); i >= 0 && a.ID == "" && t.stage.Tools.Structured() {
			return Outcome{Reason: "completed", Subtype: "success", Text: object.Text(uses[i].Input), StopReason: m.stopReason,
				Structured: uses[i].Input}
		}
		if a.ID == "" {
			t.takeMore()
		}
	}
}

// letLaunchedSpeak lets a subagent that was just started in the background speak first: it has
// asked the model before the turn that started it does.
func (t *Turn) letLaunchedSpeak() {
	if t.launched == nil {
		return
	}
	timer := time.NewTimer(headStart)
	defer timer.Stop()
	select {
	case <-t.launched:
	case <-timer.C:
	case <-t.ctx.Done():
	}
	t.launched = nil
}

// headStart is how long a turn waits for the first words of a subagent in the background.
const headStart = 50 * time.Millisecond

// Stepped says that a subagent in the background has spoken.
func (t *Turn) Stepped() {
	if t.firstStep != nil {
		close(t.firstStep)
		t.firstStep = nil
	}
}

// overBudget reports whether the session has cost as much as it may.
func (t *Turn) overBudget() (Outcome, bool) {
	s := t.stage
	limit, err := strconv.ParseFloat(s.Flags.Value("max-budget-usd"), 64)
	if err != nil || s.Spent.Cost() < limit {
		return Outcome{}, false
	}
	t.used = ledger.Usage{} // the turn's own usage is not told
	return Outcome{
		Reason: "budget_exhausted", Subtype: "error_max_budget_usd", IsError: true,
		Errors: []string{"Reached maximum budget ($" + s.Flags.Value("max-budget-usd") + ")"},
	}, true
}

// carryOn reports whether the model must be asked again because its answer was cut.
func (t *Turn) carryOn(a *Agent, m *answer) bool {
	if m.stopReason != "max_tokens" || len(m.toolUses(t, a)) > 0 {
		return false
	}
	t.mu.Lock()
	t.cuts++
	cuts := t.cuts
	t.mu.Unlock()
	if cuts > 3 {
		return false
	}
	block := object.Of("type", "text", "text", "The answer has reached the limit of its length. Go on where it ends, without a repetition, in smaller steps.")
	a.Talk.Add("user", block)
	t.UserLine(a, []any{block}, "isSynthetic", true)
	return true
}

// takeMore puts the messages that have come meanwhile into the conversation.
func (t *Turn) takeMore() {
	s := t.stage
	for _, p := range s.Queue.All() {
		s.Queue.Tell(p.UUID, "started")
		s.Queue.Replay(p, true)
		t.keep(p)
		s.Main.Talk.Add("user", p.Blocks()...)
		t.prompts = append(t.prompts, p)
		if p.UUID != "" {
			t.uuids = append(t.uuids, p.UUID)
		}
	}
}

// asked is how often the model was asked.
func (t *Turn) asked() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.requests
}

// failed is the outcome of a turn whose request to the model did not end.
func (t *Turn) failed(a *Agent, err error) Outcome {
	if t.ctx.Err() != nil {
		return t.aborted(a, false)
	}
	return t.apiFailed(a, err)
}

// jsText is how JavaScript puts a value into a text.
func jsText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return object.Text(v)
}

// UserLine writes a line of the type user.
func (t *Turn) UserLine(a *Agent, content []any, more ...any) {
	if a.ID == "" {
		t.mu.Lock()
		t.users++
		t.mu.Unlock()
	}
	a.line("user", object.Of("role", "user", "content", content), more...)
}

// tooManyTurns is the outcome of a turn that --max-turns ends.
func (t *Turn) tooManyTurns(limit int) Outcome {
	return Outcome{
		Reason: "max_turns", Subtype: "error_max_turns", IsError: true, StopReason: "tool_use",
		Errors: []string{"Reached maximum number of turns (" + jsText(limit) + ")"},
	}
}

// top is the turn of the session itself.
func (t *Turn) top() *Turn {
	if t.root != nil {
		return t.root
	}
	return t
}

// Deny notes that a tool was not allowed, with the input that was asked for.
func (t *Turn) Deny(u *Use, input object.Object) {
	t = t.top()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.denials = append(t.denials, object.Of("tool_name", u.Name, "tool_use_id", u.ID, "tool_input", input))
}

// Sub returns the turn of a subagent that a tool of this one starts.
func (t *Turn) Sub(ctx context.Context, k *tasks.Task) *Turn {
	return &Turn{stage: t.stage, ctx: ctx, cancel: k.Cancel, began: time.Now(), id: t.id, root: t.top(), task: k}
}

// Launch lets the turn of a subagent in the background speak before this one goes on.
func (t *Turn) Launch(sub *Turn) {
	sub.firstStep = make(chan struct{})
	t.top().launched = sub.firstStep
}

// Began is when the turn began.
func (t *Turn) Began() time.Time { return t.began }

// Over reports whether the turn has ended, or was interrupted.
func (t *Turn) Over() bool { return t.ctx.Err() != nil }

// Left are what the tools of an interrupted subagent have left to tell.
func (t *Turn) Left() []func() { return t.after }

// Interrupt ends the turn as an interrupt does.
func (t *Turn) Interrupt() { t.cancel(life.ErrInterrupt) }

// maxTurns is how often the model may be asked in a turn; 0 means as often as it likes.
func (s *Stage) maxTurns() int {
	n, _ := strconv.Atoi(s.Flags.Value("max-turns"))
	return n
}
