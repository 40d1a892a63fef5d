package sim

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

// turn is what the CLI does for the messages that it took at once, up to a result.
type turn struct {
	session   *Session
	ctx       context.Context
	cancel    context.CancelCauseFunc
	began     time.Time
	id        string // of the prompt, for hooks
	prompts   []*queue.Prompt
	uuids     []string      // that the SDK gave the prompts
	worked    bool          // a tool was used; belongs to the turn's goroutine
	launched  chan struct{} // a subagent in the background that was just started: closed when it has spoken
	firstStep chan struct{} // of such a subagent
	root      *turn         // of a subagent: the turn of the session that started it
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

// outcome is how a turn ended.
type outcome struct {
	reason     string // terminal_reason
	subtype    string // "success", "error_during_execution", "error_max_turns"
	isError    bool
	text       string
	errors     []string
	stopReason any
	api        *result.APIError // with which the turn has ended; nil for none
	structured object.Object    // the answer in a form of its own; nil for none
	command    string           // that the CLI has served itself; "" for none
	silent     bool             // the model was not asked
	failure    error            // of the API
	deferred   object.Object    // the tool use that a hook has put off
}

// playTurn plays a turn and writes its result.
func (s *Session) playTurn(prompts []*queue.Prompt) {
	s.turnMu.Lock()
	defer s.turnMu.Unlock()
	t := &turn{session: s, began: time.Now(), id: ids.UUID(), prompts: prompts}
	t.ctx, t.cancel = context.WithCancelCause(s.life.Context())
	defer t.cancel(nil)
	for _, p := range prompts {
		if p.UUID != "" {
			t.uuids = append(t.uuids, p.UUID)
		}
	}
	s.mu.Lock()
	s.turn, s.latest = t, t
	s.mu.Unlock()
	s.stateChanged("running")
	for _, p := range prompts {
		s.queue.Tell(p.UUID, "started")
	}
	s.settings.Look()
	o := t.play()
	if s.life.Over() {
		return
	}
	t.noteSettings()
	s.mu.Lock()
	s.turn = nil
	s.mu.Unlock()
	if n := len(t.prompts); n > 0 {
		s.transcript.LastPrompt(t.prompts[n-1].Text())
	}
	t.turnSummary(o)
	s.results.Write(t.result(o))
	if t.worked {
		s.taskSummary("")
	}
	for _, p := range t.prompts {
		s.queue.Tell(p.UUID, "completed")
	}
	s.stateChanged("idle")
	if context.Cause(t.ctx) == life.ErrSigint {
		s.life.End(0)
	}
}

// result is what the result of the turn tells.
func (t *turn) result(o outcome) *result.Result {
	s := t.session
	r := &result.Result{
		Subtype: o.subtype, IsError: o.isError, Reason: o.reason, StopReason: o.stopReason, Text: o.text, Errors: o.errors, Silent: o.silent,
		Deferred: o.deferred, API: o.api, Structured: o.structured, Command: o.command,
		Began: t.began, Took: time.Since(t.began), Users: t.users, Usage: t.usage(), First: t.first, Spent: s.spent.State(), Denials: t.denials,
		Subagents: s.tasks.Stats(), Refusals: t.refusals, UUIDs: t.uuids,
	}
	if len(t.prompts) > 0 {
		r.Origin = t.prompts[0].Origin
	}
	return r
}

// usage is what the turn has used. Some members are those of the last message.
func (t *turn) usage() object.Object {
	u := t.used.Object()
	for _, name := range []string{"iterations", "fallback_credit"} {
		if v, ok := t.lastUsage.Lookup(name); ok {
			u.Set(name, v)
		}
	}
	return u
}

// play plays the turn up to its outcome.
func (t *turn) play() outcome {
	s := t.session
	s.servers.Ready(t.ctx)
	if o, done := t.runLocal(); done {
		return o
	}
	verdict := t.submitHooks()
	s.writeInit(t)
	if o, done := t.blocked(verdict); done {
		return o
	}
	for _, p := range t.prompts {
		if p.Line != nil {
			s.queue.Replay(p, true)
		}
	}
	if o, done := t.submit(); done {
		return o
	}
	return t.converse(s.main)
}

// submit puts the messages into the conversation. It reports true if nothing is left to do.
func (t *turn) submit() (outcome, bool) {
	s := t.session
	for _, p := range t.prompts {
		s.main.talk.Mark(p.UUID, p.Text())
		t.keep(p)
		s.checkpoints.Mark(p.UUID)
		if name, args, ok := extensions.Split(p.Text()); ok {
			if text, found := s.servers.Command(t.ctx, name, args); found {
				s.main.talk.Add("user", object.Of("type", "text", "text", text))
				continue
			}
			if x := s.ext.Command(name); x != nil {
				s.main.talk.Add("user", object.Of("type", "text", "text", "<command-name>/"+name+"</command-name>\n<command-args>"+args+"</command-args>"),
					object.Of("type", "text", "text", x.Expand(args, s.inline(t.ctx))))
				continue
			}
		}
		s.main.talk.Add("user", p.Blocks()...)
	}
	for _, text := range t.contexts {
		s.main.talk.Tell(text)
	}
	t.autoCompact()
	return outcome{}, false
}

// keep keeps a message in the transcript.
func (t *turn) keep(p *queue.Prompt) {
	t.session.transcript.Prompt(transcript.Prompt{ID: t.id, UUID: p.UUID, Text: p.Text(), Content: p.Content, Mode: t.session.policy.Mode()})
}

// converse asks the model and uses tools until the model has nothing more to do.
func (t *turn) converse(a *agent) outcome {
	for {
		if limit := t.session.maxTurns(); limit > 0 && t.asked() >= limit && a.id == "" {
			return t.tooManyTurns(limit)
		}
		t.letLaunchedSpeak()
		m, closing, err := t.request(a)
		t.stepped()
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
			return outcome{reason: reason, subtype: "success", text: m.text(), stopReason: m.stopReason}
		}
		if o, done := t.overBudget(); done {
			return o
		}
		if a.id == "" && !t.worked {
			t.worked = true
			t.session.taskSummary(activity(uses[0]))
		}
		if done, o := t.useTools(a, uses); done {
			o.stopReason = m.stopReason
			if o.deferred != nil {
				o.stopReason = "tool_deferred"
			}
			return o
		}
		if i := slices.IndexFunc(uses, func(u *toolUse) bool { return u.name == "StructuredOutput" }); i >= 0 && a.id == "" && t.session.structured() {
			return outcome{reason: "completed", subtype: "success", text: object.Text(uses[i].input), stopReason: m.stopReason,
				structured: uses[i].input}
		}
		if a.id == "" {
			t.takeMore()
		}
	}
}

// letLaunchedSpeak lets a subagent that was just started in the background speak first: it has
// asked the model before the turn that started it does.
func (t *turn) letLaunchedSpeak() {
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

// stepped says that a subagent in the background has spoken.
func (t *turn) stepped() {
	if t.firstStep != nil {
		close(t.firstStep)
		t.firstStep = nil
	}
}

// overBudget reports whether the session has cost as much as it may.
func (t *turn) overBudget() (outcome, bool) {
	s := t.session
	limit, err := strconv.ParseFloat(s.flags.Value("max-budget-usd"), 64)
	if err != nil || s.spent.Cost() < limit {
		return outcome{}, false
	}
	t.used = ledger.Usage{} // the turn's own usage is not told
	return outcome{
		reason: "budget_exhausted", subtype: "error_max_budget_usd", isError: true,
		errors: []string{"Reached maximum budget ($" + s.flags.Value("max-budget-usd") + ")"},
	}, true
}

// carryOn reports whether the model must be asked again because its answer was cut.
func (t *turn) carryOn(a *agent, m *answer) bool {
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
	a.talk.Add("user", block)
	t.userLine(a, []any{block}, "isSynthetic", true)
	return true
}

// takeMore puts the messages that have come meanwhile into the conversation.
func (t *turn) takeMore() {
	s := t.session
	for _, p := range s.queue.All() {
		s.queue.Tell(p.UUID, "started")
		s.queue.Replay(p, true)
		t.keep(p)
		s.main.talk.Add("user", p.Blocks()...)
		t.prompts = append(t.prompts, p)
		if p.UUID != "" {
			t.uuids = append(t.uuids, p.UUID)
		}
	}
}

// asked is how often the model was asked.
func (t *turn) asked() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.requests
}

// failed is the outcome of a turn whose request to the model did not end.
func (t *turn) failed(a *agent, err error) outcome {
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

// userLine writes a line of the type user.
func (t *turn) userLine(a *agent, content []any, more ...any) {
	if a.id == "" {
		t.mu.Lock()
		t.users++
		t.mu.Unlock()
	}
	a.line("user", object.Of("role", "user", "content", content), more...)
}

// tooManyTurns is the outcome of a turn that --max-turns ends.
func (t *turn) tooManyTurns(limit int) outcome {
	return outcome{
		reason: "max_turns", subtype: "error_max_turns", isError: true, stopReason: "tool_use",
		errors: []string{"Reached maximum number of turns (" + jsText(limit) + ")"},
	}
}

// top is the turn of the session itself.
func (t *turn) top() *turn {
	if t.root != nil {
		return t.root
	}
	return t
}

// deny notes that a tool was not allowed.
func (t *turn) deny(u *toolUse) {
	t = t.top()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.denials = append(t.denials, object.Of("tool_name", u.name, "tool_use_id", u.id, "tool_input", u.input))
}

// maxTurns is how often the model may be asked in a turn; 0 means as often as it likes.
func (s *Session) maxTurns() int {
	n, _ := strconv.Atoi(s.flags.Value("max-turns"))
	return n
}
