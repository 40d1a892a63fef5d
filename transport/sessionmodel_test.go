package transport

import (
	"fmt"
	"slices"
	"time"
)

// The limits and times of the model are small, so that plays reach them.
var (
	sessionModelLimits = Limits{Queued: 3, Pending: 4, Inbound: 3}
	sessionModelTimes  = CallTimeouts{Other: 7 * time.Second}
)

const sessionModelPatience = 8 * time.Second // with a permission callback

// sessionModel is what a Session must do, said in the plainest way. It is told what the application
// and the CLI do, and says in which state the session is, what it sends, how operations end and
// which callbacks run. Errors and lines are words, see errorWord and lineWord.
type sessionModel struct {
	now         time.Duration
	state       State
	ready       string // what WaitReady returns; empty in InitSent
	initialized bool   // the CLI answered initialize with success
	failure     string // of the initialisation
	over        string // what operations get when the session is Stopped
	cliEnded    bool

	init     *modelOp
	calls    []*modelOp // that were sent, in the order of their ids
	queue    []*modelOp
	waits    []*modelOp
	asks     []*modelAsk // whose callback was started
	messages int         // of the CLI's

	lines  []string // to be sent since the last look; one that begins with ? may be missing
	events []string // to be told since the last look
	ending string   // of the messages, after the end
}

// modelOp is an operation of the application's, or initialize.
type modelOp struct {
	what     string // wait, prompt, or the subtype of a call
	text     string // of a prompt
	id       int    // of a call that was sent
	deadline time.Duration
	end      string // how it ended; empty while it is open
}

// modelAsk is a permission request whose callback was started.
type modelAsk struct {
	id       string
	deadline time.Duration
	over     bool // answered or cancelled, or the session ended
	returned bool // the callback did
}

func newSessionModel() *sessionModel {
	m := &sessionModel{state: InitSent, init: &modelOp{what: "initialize"}, events: []string{"init sent"}}
	m.start(m.init)
	return m
}

func (m *sessionModel) send(format string, args ...any) {
	m.lines = append(m.lines, fmt.Sprintf(format, args...))
}

// enter changes the state. Ready is what the initialisation came to, if it had not come to
// anything.
func (m *sessionModel) enter(state State, ready string) {
	if m.state == InitSent {
		m.ready = ready
		for _, op := range m.waits {
			op.end = ready
		}
		m.waits = nil
	}
	m.state = state
	m.events = append(m.events, state.String())
}

// begins begins an operation.
func (m *sessionModel) begins(op *modelOp) {
	switch {
	case op.what == "wait" && m.ready != "":
		op.end = m.ready
	case op.what == "wait":
		m.waits = append(m.waits, op)
	case m.state == InitSent && len(m.queue) == sessionModelLimits.Queued:
		op.end = "queue is full"
	case m.state == InitSent:
		m.queue = append(m.queue, op)
	case m.state == Failed:
		op.end = "not initialised: " + m.failure
	case m.state == Stopped:
		op.end = m.over
	default:
		m.start(op)
	}
}

// start sends what the operation has to send.
func (m *sessionModel) start(op *modelOp) {
	switch {
	case op.what == "prompt":
		m.send("user %s", op.text)
		op.end = "ok"
	case m.pending() == sessionModelLimits.Pending:
		op.end = "too many pending"
	default:
		m.calls = append(m.calls, op)
		op.id = len(m.calls)
		op.deadline = m.now + sessionModelTimes.of(op.what)
		m.send("request %s req_%d", op.what, op.id)
	}
}

func (m *sessionModel) pending() (n int) {
	for _, op := range m.calls {
		if op.end == "" {
			n++
		}
	}
	return n
}

// cancels ends an operation by its context.
func (m *sessionModel) cancels(op *modelOp) {
	switch {
	case op.end != "":
	case op.id != 0:
		m.abandon(op, "cancelled")
	default:
		isOp := func(o *modelOp) bool { return o == op }
		m.queue, m.waits = slices.DeleteFunc(m.queue, isOp), slices.DeleteFunc(m.waits, isOp)
		op.end = "cancelled"
	}
}

// abandon ends a call on our side. The CLI is told.
func (m *sessionModel) abandon(op *modelOp, end string) {
	op.end = end
	if op == m.init && m.state == InitSent {
		m.send("?cancel req_%d", op.id) // the end of the session may be faster
		m.failInit("init timeout")
		m.endCLI("failed: init timeout", "init timeout")
		return
	}
	m.send("cancel req_%d", op.id)
}

// confirm ends the initialisation: what was queued goes out in its order.
func (m *sessionModel) confirm() {
	if m.state != InitSent {
		return
	}
	m.enter(Running, "ok")
	for _, op := range m.queue {
		m.start(op)
	}
	m.queue = nil
}

func (m *sessionModel) failInit(failure string) {
	m.failure = failure
	m.enter(Failed, failure)
	m.dropQueue("not initialised: " + failure)
}

func (m *sessionModel) dropQueue(end string) {
	for _, op := range m.queue {
		op.end = end
	}
	m.queue = nil
}

// endCLI is the end of the CLI, and of everything that needs it.
func (m *sessionModel) endCLI(event, ending string) {
	m.cliEnded = true
	for _, ask := range m.asks {
		ask.over = true
	}
	m.events = append(m.events, event)
	m.ending = ending
}

// answers is the CLI's answer to a request of ours. One that is not open is ignored.
func (m *sessionModel) answers(id int, end string) {
	if m.cliEnded || id > len(m.calls) || m.calls[id-1].end != "" {
		return
	}
	op := m.calls[id-1]
	op.end = end
	switch {
	case op != m.init:
	case end == "ok":
		m.initialized = true
		m.confirm()
	case m.state == InitSent:
		m.failInit("init refused")
		m.endCLI("failed: init refused", "init refused")
	}
}

// asked is a request of the CLI's. It confirms the initialisation if that registered for it.
func (m *sessionModel) asked(what, id string) {
	if m.cliEnded {
		return
	}
	if what != "unknown" {
		m.confirm()
	}
	open := 0
	for _, ask := range m.asks {
		if !ask.over {
			open++
		}
	}
	full := open == sessionModelLimits.Inbound
	switch {
	case what == "unknown":
		m.send("error %s", id)
	case what == "mcp":
		m.send("success %s mcp", id)
	case what == "hook" && full:
		m.send("success %s goes on", id)
	case what == "hook":
		m.send("success %s hook", id)
	case full:
		m.send("success %s deny", id)
	default:
		m.asks = append(m.asks, &modelAsk{id: id, deadline: m.now + sessionModelPatience})
	}
}

// cancelled is a control_cancel_request of the CLI's.
func (m *sessionModel) cancelled(id string) {
	for _, ask := range m.asks {
		ask.over = ask.over || ask.id == id && !m.cliEnded
	}
}

// returns ends a callback with what is to be sent.
func (m *sessionModel) returns(ask *modelAsk, behavior string) {
	ask.returned = true
	m.decide(ask, behavior)
}

func (m *sessionModel) decide(ask *modelAsk, behavior string) {
	if !ask.over {
		ask.over = true
		m.send("success %s %s", ask.id, behavior)
	}
}

// next returns when something happens by itself, at the latest the given time.
func (m *sessionModel) next(latest time.Duration) time.Duration {
	for _, op := range m.calls {
		if op.end == "" {
			latest = min(latest, op.deadline)
		}
	}
	for _, ask := range m.asks {
		if !ask.over {
			latest = min(latest, ask.deadline)
		}
	}
	return latest
}

// passes lets time pass, not further than next.
func (m *sessionModel) passes(now time.Duration) {
	m.now = now
	for _, op := range m.calls {
		if op.end == "" && op.deadline == now {
			m.abandon(op, "timeout")
		}
	}
	for _, ask := range m.asks {
		if ask.deadline == now {
			m.decide(ask, "deny")
		}
	}
}

// exits is the CLI's exit.
func (m *sessionModel) exits(code int) {
	if m.cliEnded {
		return
	}
	exit := fmt.Sprintf("exit %d", code)
	event, ending := "failed: "+exit, exit
	if code == 0 {
		event, ending = "completed", "ok"
	}
	m.failCalls(exit)
	if m.state == InitSent {
		m.failInit("init " + exit)
		event = "failed: init " + exit
	} else {
		m.over = exit
		m.enter(Stopped, "")
	}
	m.endCLI(event, ending)
}

// closes is Close.
func (m *sessionModel) closes() {
	if m.cliEnded {
		return
	}
	m.over = "closed"
	m.enter(Stopped, "closed")
	m.dropQueue("closed")
	m.failCalls("closed")
	m.endCLI("closed", "ok")
}

func (m *sessionModel) failCalls(end string) {
	for _, op := range m.calls {
		if op.end == "" {
			op.end = end
		}
	}
}
