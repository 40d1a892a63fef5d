package turn

import (
	"context"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/extensions"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/ids"
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
	more      []*queue.Prompt // that came while tools were used
	uuids     []string        // that the SDK gave the prompts, those that came later too
	named     string          // the last of those that came before the model was asked; "" for none
	fresh     []string        // of those that the model is told in the request that comes
	worked    bool            // a tool was used; belongs to the turn's goroutine
	asking    string          // the model that was asked last; the same
	behind    sync.WaitGroup  // subagents in the background
	firstStep chan struct{}   // of such a subagent
	starter   chan struct{}   // of such a subagent: closed when the turn that started it has gone on
	root      *Turn           // of a subagent: the turn of the session that started it
	task      *tasks.Task     // of a subagent
	after     []func()        // what the tools of an interrupted subagent have left to tell

	contexts   []string                 // what hooks have to say to the prompts
	beside     []transcript.Attachment  // what commands bring with them
	commands   map[*queue.Prompt]string // the texts of messages that are commands
	form       form                     // of the answer
	silent     bool                     // the model was told to say something
	spared     int                      // requests after a refusal, which no limit counts
	unread     *answer                  // whose tools go on after the turn; nil for none
	supersedes []string                 // lines that the next answer replaces
	label      *label                   // of the tools that were used last; nil for none
	next       chan struct{}            // of the use that is the last of its message; belongs to the turn's goroutine

	ends        func() // writes the last events of a message that was broken off; nil for none
	shortened   bool   // the conversation was too long, and was to be compacted
	uncompacted string // why it was not; "" for another reason than the summary

	counts tally

	urgent sync.Once     // closes yields
	yields chan struct{} // closed when a message comes that cannot wait

	mu         sync.Mutex        // guards the fields below
	stopReason any               // of the last message
	held       map[string]func() // lines of a subagent that its tools write, by the tool use
	receipt    chan struct{}     // of an interrupt: closed when its reply was written
	waits      bool              // for the model
	leads      []chan struct{}   // of subagents in the background: closed when this turn has gone on after their start
	launched   []chan struct{}   // subagents in the background that were just started: closed when they have spoken, or wait
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
	Yielded    bool             // it has made way for a message that cannot wait
	Failure    error            // of the API
	Deferred   object.Object    // the tool use that a hook has put off
	Crash      error            // the session ends by it; nil for none
}

// Stepped says that a subagent in the background has spoken, or waits.
func (t *Turn) Stepped() {
	if t.firstStep != nil {
		close(t.firstStep)
		t.firstStep = nil
	}
}

// asked is how often the model was asked.
func (t *Turn) asked() int { return t.counts.get(&t.counts.requests) }

// UserLine writes a line of the type user.
func (t *Turn) UserLine(a *Agent, content []any, more ...any) {
	if a.ID == "" {
		t.counts.count(&t.counts.users)
	}
	a.line("user", object.Of("role", "user", "content", content), more...)
}

// note writes a text that only the model needs. own are the members that only its entry in the
// transcript has.
func (t *Turn) note(a *Agent, block, own object.Object, more ...any) {
	if a.ID == "" {
		t.counts.count(&t.counts.users)
	}
	id, message := ids.UUID(), object.Of("role", "user", "content", []any{block})
	more = append([]any{"isSynthetic", true}, more...)
	a.keep(id, "user", message, own, more...)
	a.tell(id, "user", message, more...)
}

// Skill writes the text of a skill that a tool has looked up.
func (t *Turn) Skill(u *Use, x *extensions.Extension, block object.Object) {
	t.note(u.Agent, block, object.Of("sourceToolUseID", u.ID))
	kept := t.stage.Transcript.Agent(u.Agent.ID)
	kept.Attach(kept.Skill(transcript.Skill{Name: x.Name, Source: x.Source, Text: block.Text("text"), Allowed: x.Allowed}))
}

// Begin keeps what a subagent is asked, and what its model is told of the session. The function
// that it returns writes what it is asked.
func (t *Turn) Begin(a *Agent, background bool, prompt string) (tell func()) {
	s, id := t.stage, ids.UUID()
	kept := s.Transcript.Agent(a.ID)
	kept.Start(transcript.Started{
		Kind: a.Kind, Task: a.Task, Use: a.Parent, Model: s.ModelOf(a), BuiltIn: s.Ext.BuiltIn(a.Kind), Background: background, Depth: a.Depth,
		Prompt: t.id, UUID: id, Text: prompt,
	})
	kept.Introduce(func() *transcript.About { return s.About(a) })
	return func() {
		a.tell(id, "user", object.Of("role", "user", "content", []any{object.Of("type", "text", "text", prompt)}))
	}
}

// Finish keeps that a subagent has ended.
func (t *Turn) Finish(a *Agent) {
	kept := t.stage.Transcript.Agent(a.ID)
	kept.Sent()
	kept.Finish()
}

// top is the turn of the session itself.
func (t *Turn) top() *Turn {
	if t.root != nil {
		return t.root
	}
	return t
}

// Sub returns the turn of a subagent that a tool of this one starts.
func (t *Turn) Sub(ctx context.Context, k *tasks.Task) *Turn {
	return &Turn{stage: t.stage, ctx: ctx, cancel: k.Cancel, began: t.stage.Model.Clock().Now(), id: t.id, root: t.top(), task: k}
}

// Launch lets the turn of a subagent in the background speak before this one goes on.
func (t *Turn) Launch(sub *Turn) {
	sub.firstStep, sub.starter = make(chan struct{}), make(chan struct{})
	top := t.top()
	top.mu.Lock()
	defer top.mu.Unlock()
	top.leads = append(top.leads, sub.starter)
	top.launched = append(top.launched, sub.firstStep)
	top.behind.Add(1)
}

// headStart is how long a subagent in the background waits with its first tools for the turn that
// has started it: a model that answers at once is quicker than a tool.
const headStart = 100 * time.Millisecond

// follow lets the turn that has started a subagent in the background go on before that uses tools.
func (t *Turn) follow() {
	if t.starter == nil {
		return
	}
	timer := time.NewTimer(headStart)
	defer timer.Stop()
	select {
	case <-t.starter:
	case <-t.ctx.Done():
	case <-timer.C:
	}
	t.starter = nil
}

// wentOn says that the turn has gone on after the start of subagents in the background.
func (t *Turn) wentOn() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, lead := range t.leads {
		close(lead)
	}
	t.leads = nil
}

// Ended says that a subagent in the background that was launched has nothing more to say.
func (t *Turn) Ended() { t.top().behind.Done() }

// Took is how long the turn has taken so far.
func (t *Turn) Took() time.Duration { return t.stage.Model.Clock().Since(t.began) }

// Over reports whether the turn has ended, or was interrupted.
func (t *Turn) Over() bool { return t.ctx.Err() != nil }

// Left are what the tools of an interrupted subagent have left to tell.
func (t *Turn) Left() []func() { return t.after }

// Interrupt ends the turn as an interrupt does.
func (t *Turn) Interrupt() { t.cancel(life.ErrInterrupt) }

// When is the occasion of an event in the turn, for an agent if that is not nil. The turn may be
// nil.
func (t *Turn) When(a *Agent, name string) hooks.Occasion {
	o := hooks.Occasion{Name: name}
	if t != nil {
		o.Prompt = t.id
	}
	if a != nil && a.ID != "" {
		o.AgentID, o.AgentType = a.ID, a.Kind
	}
	return o
}

// AwaitReceipt waits until the reply to an interrupt was written.
func (t *Turn) AwaitReceipt() {
	t = t.top()
	t.mu.Lock()
	receipt := t.receipt
	t.mu.Unlock()
	if receipt != nil {
		select {
		case <-receipt:
		case <-t.stage.Life.Context().Done():
		}
	}
}

// hold keeps a line until the hooks before its tool have been called.
func (t *Turn) hold(id string, write func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held == nil {
		t.held = map[string]func(){}
	}
	t.held[id] = write
}

// Release writes the line that was held for a tool.
func (t *Turn) Release(id string) {
	t.mu.Lock()
	write := t.held[id]
	delete(t.held, id)
	t.mu.Unlock()
	if write != nil {
		write()
	}
}

// userUUIDs are the members that name the messages that a line is the first to answer.
func (t *Turn) userUUIDs(a *Agent) []any {
	var uuids []string
	switch {
	case t.asked() == 1:
		uuids = t.uuids
	case t.named == "":
		uuids = t.fresh
	}
	if len(uuids) == 0 || a.ID != "" {
		return nil
	}
	return []any{"user_message_uuid", uuids[len(uuids)-1], "user_message_uuids", uuids}
}

// keep keeps a message in the transcript.
func (t *Turn) keep(p *queue.Prompt) {
	t.stage.Transcript.Main().Prompt(transcript.Prompt{
		ID: t.id, UUID: p.ID(), Given: p.UUID, Text: p.Text(), Content: p.Content, Mode: t.stage.Policy.Mode(), Origin: p.Origin,
	})
}
