package transport

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
)

// sessionModel is what a Session must do: a [connModel] with a handshake, a queue, policies and a
// CLI that ends.
type sessionModel struct {
	*connModel
	patience time.Duration // with a permission callback

	state       State
	ready       string // what WaitReady returns; empty in InitSent
	initialized bool   // the CLI answered initialize with success
	failure     string // why it is Failed
	ran         bool   // it has been Running
	busy        bool   // a turn runs, as far as the messages tell

	init  *modelOp
	queue []*modelOp
	waits []*modelOp

	events []string // to be told since the last look
	ending string   // of the messages, after the end
}

func newSessionModel(limits Limits, times CallTimeouts, patience time.Duration) *sessionModel {
	m := &sessionModel{
		connModel: newConnModel(limits, times), patience: patience,
		state: InitSent, init: &modelOp{what: "initialize"}, events: []string{"init sent"},
	}
	m.serve, m.answered, m.delivered = m.asked, m.initAnswered, m.told
	m.connModel.begins(m.init)
	return m
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
	m.ran = m.ran || state == Running
	m.events = append(m.events, state.String())
}

// told is a message from the CLI.
func (m *sessionModel) told(f wire.Frame) {
	switch f := f.(type) {
	case *wire.SystemInit:
		m.busy = true
	case *wire.ResultSuccess, *wire.ResultError:
		m.busy = false
	case *wire.UnknownFrame:
		m.busy = m.busy && f.Type() != "result"
	}
}

// sends begins an operation for which nothing has to be awaited.
func (m *sessionModel) sends(op *modelOp) {
	m.busy = m.busy || op.what == "prompt"
	m.connModel.begins(op)
}

func (m *sessionModel) begins(op *modelOp) {
	switch {
	case op.what == "wait" && m.ready != "":
		op.end = m.ready
	case op.what == "wait":
		m.waits = append(m.waits, op)
	case m.state == InitSent && len(m.queue) == m.limits.Queued:
		op.end = "queue is full"
	case m.state == InitSent:
		m.queue = append(m.queue, op)
	case m.state == Failed && m.ran:
		op.end = m.failure
	case m.state == Failed:
		op.end = "not initialised: " + m.failure
	default:
		m.sends(op)
	}
}

func (m *sessionModel) cancels(op *modelOp) {
	if op.id != 0 {
		m.connModel.cancels(op)
		return
	}
	isOp := func(o *modelOp) bool { return o == op }
	m.queue, m.waits = slices.DeleteFunc(m.queue, isOp), slices.DeleteFunc(m.waits, isOp)
	op.end = "cancelled"
}

func (m *sessionModel) passes(now time.Duration) {
	m.connModel.passes(now)
	if m.init.end != "timeout" || m.state != InitSent {
		return
	}
	for i, line := range m.lines {
		if strings.HasPrefix(line, "cancel req_1") {
			m.lines[i] = "?" + line // the end of the session may be faster
		}
	}
	m.failInit("init timeout")
}

// confirm ends the initialisation: what was queued goes out in its order.
func (m *sessionModel) confirm() {
	if m.state != InitSent {
		return
	}
	m.enter(Running, "ok")
	for _, op := range m.queue {
		m.sends(op)
	}
	m.queue = nil
}

// initAnswered ends the initialisation if it was initialize that was answered.
func (m *sessionModel) initAnswered(op *modelOp) {
	switch {
	case op != m.init:
	case strings.HasPrefix(op.end, "ok"):
		m.initialized = true
		m.confirm()
	case (m.state == InitSent || m.state == Running) && op.end == "refused":
		m.failInit("init refused")
	case m.state == InitSent:
		m.failInit(op.end)
	}
}

// failInit fails the initialisation, which ends the CLI.
func (m *sessionModel) failInit(failure string) {
	m.failure = failure
	m.enter(Failed, failure)
	m.dropQueue("not initialised: " + failure)
	m.endCLI(failure, "failed: "+failure, failure)
}

func (m *sessionModel) dropQueue(end string) {
	for _, op := range m.queue {
		op.end = end
	}
	m.queue = nil
}

// endCLI is the end of the CLI, and of everything that needs it. What it had begun to write is
// read.
func (m *sessionModel) endCLI(reason, event, ending string) {
	m.failCalls(reason)
	m.refuse(reason, reason)
	if len(m.partial) > 0 {
		m.line(m.partial)
	}
	m.over = true
	m.events = append(m.events, event)
	m.ending = ending
}

// asked is a request from the CLI. It confirms the initialisation if that registered for it.
func (m *sessionModel) asked(id string, r wire.Request) {
	if m.quiet {
		return
	}
	switch r := r.(type) {
	case *wire.CanUseToolRequest:
		m.confirm()
		m.ask(&modelAsk{id: id, subtype: r.Subtype(), deadline: m.now + m.patience})
	case *wire.HookCallbackRequest:
		m.confirm()
		if r.CallbackID == "hook_0" {
			m.send("success %s hook", id)
		} else {
			m.send("success %s goes on", id)
		}
	case *wire.MCPMessageRequest:
		m.confirm()
		m.send("success %s mcp", id)
	case *wire.ElicitationRequest:
		m.send(`success %s {"action":"decline"}`, id)
	default:
		m.send("error %s", id)
	}
}

func (m *sessionModel) closesInput(force bool) string {
	if m.state == InitSent {
		return ErrNotInitialized.Error()
	}
	return m.connModel.closesInput(force)
}

// peerEnds is the CLI's exit, at the end of a line.
func (m *sessionModel) peerEnds(code int) {
	if m.over {
		return
	}
	exit := fmt.Sprintf("exit %d", code)
	if m.state == InitSent {
		m.failCalls(exit)
		ending := exit
		if code == 0 {
			ending = "ok"
		}
		m.failInit("init " + exit)
		m.ending = ending
		return
	}
	if code == 0 {
		m.enter(Stopped, "")
		m.endCLI(exit, "completed", "ok")
	} else {
		m.failure = exit
		m.enter(Failed, "")
		m.endCLI(exit, "failed: "+exit, exit)
	}
}

func (m *sessionModel) closes() {
	if m.over {
		return
	}
	if m.state == Running && m.busy {
		m.connModel.begins(&modelOp{what: "interrupt"})
	}
	m.enter(Stopped, "closed")
	m.dropQueue("closed")
	m.endCLI("closed", "closed", "ok")
}
