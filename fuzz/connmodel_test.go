package fuzz_test

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport"
)

// modelLimits are small, so that plays reach them.
var modelLimits = transport.Limits{Pending: 3, Inbound: 3, Line: 2048, Messages: -1, MessageBytes: -1}

// connModel is what a Conn must do, said in the plainest way. It is told what the application and
// the peer do, and says what the Conn sends, which calls are open and which handlers run.
type connModel struct {
	now         time.Duration
	partial     []byte // of a line that the peer has begun
	calls       []*modelCall
	servings    []*modelServing // every handler that was ever started
	messages    int
	inputClosed bool // by CloseInput or ForceCloseInput
	peerEnded   bool
	closed      bool

	expect []sentLine // since the last step
}

// modelCall is a call that was begun.
type modelCall struct {
	id       string // empty until the line with it was seen
	deadline time.Duration
	ended    bool
	err      func(error) bool // checks how it ended
	body     string           // with success
}

// modelServing is a request from the peer whose handler was started.
type modelServing struct {
	id   string
	over bool // answered, cancelled or aborted
}

// sentLine is a line that the Conn sends, as far as the model knows it.
type sentLine struct {
	kind string // request, success, error, cancel, message, or eof
	id   string
	body string // of a success
}

func (m *connModel) ended() bool { return m.closed || m.peerEnded }

func (m *connModel) send(l sentLine) {
	if !m.closed && !m.inputClosed {
		m.expect = append(m.expect, l)
	}
}

// peerWrites takes bytes from the peer.
func (m *connModel) peerWrites(data []byte) {
	if m.ended() {
		return
	}
	m.partial = append(m.partial, data...)
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
	f := split(line, codec.ReaderOptions{MaxLine: modelLimits.Line})[0]
	if f.Kind != codec.ObjectLine {
		return
	}
	frame, err := wire.Decode(f.Line)
	if err != nil {
		m.undecodable(f.Line, err)
		return
	}
	switch f := frame.(type) {
	case *wire.ControlRequest:
		m.request(f.RequestID)
	case *wire.ControlResponse:
		m.response(f.Response)
	case *wire.ControlCancelRequest:
		for _, s := range m.servings {
			s.over = s.over || s.id == f.RequestID
		}
	default:
		m.messages++
	}
}

func (m *connModel) undecodable(line []byte, err error) {
	var e *codec.Error
	if errors.As(err, &e) && e.RequestID != "" {
		m.send(sentLine{kind: "error", id: e.RequestID})
		return
	}
	if kind, _ := codec.Find(line, "/type").Text(); kind == "control_response" {
		id, _ := codec.Find(line, "/response/request_id").Text()
		m.endCall(id, "", func(err error) bool { return errors.As(err, &e) })
	}
}

func (m *connModel) request(id string) {
	switch {
	case m.inputClosed:
	case m.open() >= modelLimits.Inbound:
		m.send(sentLine{kind: "error", id: id})
	default:
		m.servings = append(m.servings, &modelServing{id: id})
	}
}

// open returns how many requests from the peer are not answered.
func (m *connModel) open() (n int) {
	for _, s := range m.servings {
		if !s.over {
			n++
		}
	}
	return n
}

func (m *connModel) response(r wire.Response) {
	refused := func(err error) bool {
		var e *transport.CallError
		return errors.As(err, &e)
	}
	switch r := r.(type) {
	case *wire.SuccessResponse:
		m.endCall(r.RequestID, string(r.Response), nil)
	case *wire.ErrorResponse:
		m.endCall(r.RequestID, "", refused)
	case *wire.UnknownResponse:
		id, _ := codec.Find(r.Raw, "/request_id").Text()
		m.endCall(id, string(codec.Find(r.Raw, "/response")), nil)
	}
}

// endCall ends the call with an id; nil means success.
func (m *connModel) endCall(id, body string, err func(error) bool) bool {
	for _, c := range m.calls {
		if c.id == id && id != "" && !c.ended {
			c.ended, c.body, c.err = true, body, err
			return true
		}
	}
	return false
}

// call begins a call that may take so long. It returns nil if it must fail at once.
func (m *connModel) call(timeout time.Duration) *modelCall {
	pending := 0
	for _, c := range m.calls {
		if !c.ended {
			pending++
		}
	}
	if m.ended() || m.inputClosed || pending >= modelLimits.Pending {
		return nil
	}
	c := &modelCall{deadline: m.now + timeout}
	m.calls = append(m.calls, c)
	m.send(sentLine{kind: "request"})
	return c
}

// abandon ends a call on our side. The peer is told.
func (m *connModel) abandon(c *modelCall, err func(error) bool) {
	if !c.ended {
		c.ended, c.err = true, err
		m.send(sentLine{kind: "cancel", id: c.id})
	}
}

// passes lets time pass.
func (m *connModel) passes(d time.Duration) {
	m.now += d
	for _, c := range m.calls {
		if c.deadline <= m.now {
			m.abandon(c, func(err error) bool {
				var e *transport.TimeoutError
				return errors.As(err, &e)
			})
		}
	}
}

// answers ends a handler.
func (m *connModel) answers(s *modelServing, l sentLine) {
	if s.over {
		return
	}
	s.over = true
	if l.kind != "" {
		l.id = s.id
		m.send(l)
	}
}

// closeInput closes the peer's input and reports whether that is refused.
func (m *connModel) closeInput(force bool) (busy bool) {
	if m.closed || m.inputClosed {
		return false
	}
	if m.open() > 0 && !force {
		return true
	}
	m.abort()
	m.send(sentLine{kind: "eof"})
	m.inputClosed = true
	return false
}

func (m *connModel) abort() {
	for _, s := range m.servings {
		s.over = true
	}
}

// peerEnds ends the peer's output. A line without LF counts.
func (m *connModel) peerEnds() {
	if m.ended() {
		return
	}
	if len(m.partial) > 0 {
		m.line(m.partial)
	}
	m.peerEnded = true
	m.failCalls(transport.ErrPeerClosed)
}

func (m *connModel) close() {
	if m.closed {
		return
	}
	if !m.inputClosed {
		m.send(sentLine{kind: "eof"})
	}
	m.closed = true
	m.abort()
	m.failCalls(transport.ErrClosed)
}

func (m *connModel) failCalls(cause error) {
	for _, c := range m.calls {
		if !c.ended {
			c.ended, c.err = true, func(err error) bool { return errors.Is(err, cause) }
		}
	}
}

// check compares the end of a call with what it must be.
func (c *modelCall) check(body codec.Raw, err error) error {
	switch {
	case !c.ended:
		return fmt.Errorf("call %s ended: %s, %v; want it open", c.id, body, err)
	case c.err == nil && (err != nil || string(body) != c.body):
		return fmt.Errorf("call %s ended with %s, %v; want %s", c.id, body, err, c.body)
	case c.err != nil && (err == nil || !c.err(err)):
		return fmt.Errorf("call %s ended with %s, %v; want another error", c.id, body, err)
	}
	return nil
}
