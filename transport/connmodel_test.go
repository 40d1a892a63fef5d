package transport

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// connModel is what a Conn must do, said in the plainest way. It is told what the application and
// the peer do, and says what is sent, how operations end and which callbacks run. Errors and lines
// are words, see errorWord and lineWord. A [sessionModel] is one with a handshake.
type connModel struct {
	limits Limits
	times  CallTimeouts
	suffix string // of our request ids

	now      time.Duration
	partial  []byte     // of a line that the peer has begun
	lastID   int        // of a call
	calls    []*modelOp // that were sent, in the order of their ids
	asks     []*modelAsk
	started  []*modelAsk // those whose callback runs or has run, in the order of their start
	messages int
	lines    []string // to be sent since the last look; one that begins with ? may be missing

	quiet   bool   // nothing more is sent, and no request from the peer is served
	over    bool   // nothing more is read
	callEnd string // what later calls get
	sendEnd string // what later messages get

	// serve is what happens to a request from the peer.
	serve func(id string, r wire.Request)
	// answered is called, if set, when the peer's answer has ended a call.
	answered func(*modelOp)
	// delivered is called, if set, for each message.
	delivered func(wire.Frame)
}

// modelOp is an operation of the application, or initialize.
type modelOp struct {
	what     string // wait, prompt, or the subtype of a call
	text     string // of a prompt
	id       int    // of a call that was sent
	deadline time.Duration
	end      string // how it ended; empty while it is open
}

// modelAsk is a request from the peer for a callback.
type modelAsk struct {
	id, subtype string
	deadline    time.Duration // 0 means none
	over        bool          // answered or cancelled, or the connection ended
	runs        bool          // its callback was started and has not returned
	ran         bool          // its callback was started
}

func newConnModel(limits Limits, times CallTimeouts) *connModel {
	m := &connModel{limits: limits, times: times}
	m.serve = func(id string, r wire.Request) {
		if !m.quiet {
			m.ask(&modelAsk{id: id, subtype: r.Subtype()})
		}
	}
	return m
}

// ask is a request for a callback, which starts at once or waits until another one of its subtype
// has returned.
func (m *connModel) ask(a *modelAsk) {
	m.asks = append(m.asks, a)
	m.startWaiting()
}

// startWaiting starts the callbacks for which there is room, the oldest first.
func (m *connModel) startWaiting() {
	for _, a := range m.asks {
		running := 0
		for _, other := range m.asks {
			if other.runs && other.subtype == a.subtype {
				running++
			}
		}
		if !a.over && !a.ran && running < m.limits.Inbound {
			a.runs, a.ran = true, true
			m.started = append(m.started, a)
		}
	}
}

func (m *connModel) base() *connModel { return m }

func (m *connModel) send(format string, args ...any) {
	if !m.quiet {
		m.lines = append(m.lines, fmt.Sprintf(format, args...))
	}
}

// reads takes bytes from the peer.
func (m *connModel) reads(text string) {
	if m.over {
		return
	}
	m.partial = append(m.partial, text...)
	for {
		line, rest, ok := bytes.Cut(m.partial, []byte("\n"))
		if !ok {
			return
		}
		m.partial = rest
		m.line(append(bytes.Clone(line), '\n'))
	}
}

// line takes one line from the peer, with its LF if it has one.
func (m *connModel) line(line []byte) {
	f, err := codec.NewReader(bytes.NewReader(line), &codec.ReaderOptions{MaxLine: m.limits.Line}).Next()
	if err == nil && f.Kind == codec.OversizeLine {
		m.unreadable(wire.Unreadable(f.Bytes, nil))
	}
	if err != nil || f.Kind != codec.ObjectLine {
		return
	}
	frame, err := wire.Decode(f.Bytes)
	if broken := brokenRequest(frame); broken != nil {
		err = broken
	}
	if err != nil {
		m.unreadable(wire.Unreadable(f.Bytes, err))
		return
	}
	switch f := frame.(type) {
	case *wire.ControlRequest:
		if f.RequestID != "" { // otherwise nobody can answer
			m.serve(f.RequestID, f.Request)
		}
	case *wire.ControlResponse:
		m.response(f.Response)
	case *wire.ControlCancelRequest:
		for _, ask := range m.asks {
			ask.over = ask.over || ask.id == f.RequestID
		}
	default:
		m.messages++
		if m.delivered != nil {
			m.delivered(frame)
		}
	}
}

// unreadable is a line that does not decode. A request gets an error reply, a response ends its
// call, a message is delivered.
func (m *connModel) unreadable(f *wire.UnknownFrame) {
	switch f.Type() {
	case "", "control_cancel_request":
	case "control_request":
		if f.ID() != "" {
			m.send("error %s", f.ID())
		}
	case "control_response":
		m.answers(f.ID(), "undecodable")
	default:
		m.messages++
		if m.delivered != nil {
			m.delivered(f)
		}
	}
}

func (m *connModel) response(r wire.Response) {
	switch r := r.(type) {
	case *wire.SuccessResponse:
		m.answers(r.RequestID, "ok "+string(r.Response))
	case *wire.ErrorResponse:
		m.answers(r.RequestID, "refused")
	case *wire.UnknownResponse:
		id, _ := r.Raw.Find("/request_id").Text()
		m.answers(id, "ok "+r.Raw.Find("/response").String())
	}
}

// answers ends the call with an id. One that is not open is ignored.
func (m *connModel) answers(id, end string) {
	for _, op := range m.calls {
		if op.end == "" && m.requestID(op) == id {
			op.end = end
			if m.answered != nil {
				m.answered(op)
			}
			return
		}
	}
}

func (m *connModel) requestID(op *modelOp) string { return "req_" + strconv.Itoa(op.id) + m.suffix }

// begins begins an operation.
func (m *connModel) begins(op *modelOp) {
	pending := 0
	for _, call := range m.calls {
		if call.end == "" {
			pending++
		}
	}
	switch {
	case op.what == "prompt" && m.sendEnd != "":
		op.end = m.sendEnd
	case op.what == "prompt":
		m.send("user %s", op.text)
		op.end = "ok"
	case m.callEnd != "":
		op.end = m.callEnd
	case pending == m.limits.Pending:
		op.end = "too many pending"
	case m.sendEnd != "":
		m.lastID++
		op.end = m.sendEnd
	default:
		m.lastID++
		op.id = m.lastID
		op.deadline = m.now + m.times.of(op.what)
		m.calls = append(m.calls, op)
		m.send("request %s req_%d", op.what, op.id)
	}
}

// cancels ends an operation by its context.
func (m *connModel) cancels(op *modelOp) {
	if op.end == "" {
		m.abandon(op, "cancelled")
	}
}

// abandon ends a call on our side. The peer is told.
func (m *connModel) abandon(op *modelOp, end string) {
	op.end = end
	m.send("cancel req_%d", op.id)
}

// open returns how many requests from the peer are not answered.
func (m *connModel) open() (n int) {
	for _, ask := range m.asks {
		if !ask.over {
			n++
		}
	}
	return n
}

// returns ends a callback with what is to be sent, in which ID is the id of the request.
func (m *connModel) returns(ask *modelAsk, line string) {
	m.answersAsk(ask, line)
	ask.runs = false
	m.startWaiting()
}

// answersAsk answers a request, unless it is over.
func (m *connModel) answersAsk(ask *modelAsk, line string) {
	if !ask.over && line != "" {
		m.send("%s", strings.Replace(line, "ID", ask.id, 1))
	}
	ask.over = true
}

// next returns when something happens by itself, at the latest the given time.
func (m *connModel) next(latest time.Duration) time.Duration {
	for _, op := range m.calls {
		if op.end == "" {
			latest = min(latest, op.deadline)
		}
	}
	for _, ask := range m.asks {
		if !ask.over && ask.deadline > 0 {
			latest = min(latest, ask.deadline)
		}
	}
	return latest
}

// passes lets time pass, not further than next.
func (m *connModel) passes(now time.Duration) {
	m.now = now
	for _, op := range m.calls {
		if op.end == "" && op.deadline == now {
			m.abandon(op, "timeout")
		}
	}
	for _, ask := range m.asks {
		if ask.deadline == now {
			m.answersAsk(ask, "success ID deny")
		}
	}
}

// closesInput closes the peer's input and returns what that comes to.
func (m *connModel) closesInput(force bool) string {
	switch {
	case m.sendEnd == "input closed":
		return "ok"
	case m.sendEnd != "":
		return m.sendEnd
	case m.open() > 0 && !force:
		return "busy"
	}
	m.refuse("", "input closed")
	return "ok"
}

// peerEnds ends the peer's output. A line without its LF counts.
func (m *connModel) peerEnds(int) {
	if m.over {
		return
	}
	if len(m.partial) > 0 {
		m.line(m.partial)
	}
	m.over = true
	m.failCalls("peer closed")
}

// closes is Close.
func (m *connModel) closes() {
	m.over = true
	m.failCalls("closed")
	m.refuse("closed", "closed")
}

// refuse sends nothing more and ends the requests from the peer. Only the first reason counts.
func (m *connModel) refuse(calls, sends string) {
	m.quiet = true
	for _, ask := range m.asks {
		ask.over = true
	}
	if m.callEnd == "" {
		m.callEnd = calls
	}
	if m.sendEnd == "" {
		m.sendEnd = sends
	}
}

// failCalls ends every call, and all later ones.
func (m *connModel) failCalls(end string) {
	if m.callEnd == "" {
		m.callEnd = end
	}
	for _, op := range m.calls {
		if op.end == "" {
			op.end = end
		}
	}
}
