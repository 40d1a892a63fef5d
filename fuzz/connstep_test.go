package fuzz_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport"
)

// A step is one thing that the application or the peer does. A and B say more; what does not exist
// is taken modulo what does.
type step struct {
	Op   op
	A, B byte
	Text string // of opRaw
}

type op byte

const (
	opRaw        op = iota // the peer writes bytes
	opFrame                // the peer writes a frame of the corpus
	opRequest              // the peer asks something
	opCancel               // the peer takes a request back
	opAnswer               // the peer answers a call, or something that is not one
	opCall                 // the application makes a call
	opGiveUp               // the application ends the context of a call
	opRelease              // a handler ends
	opTime                 // time passes
	opSend                 // the application sends a message
	opCloseInput           // the application closes the peer's input
	opPeerEnds             // the peer closes its output
	opClose                // the application closes the connection
	opBreak                // the peer closes its input, or does not read it any more
	ops
)

// decodeSteps makes steps of a fuzzer's bytes.
func decodeSteps(data []byte) (steps []step) {
	for len(data) >= 3 && len(steps) < 64 {
		s := step{Op: op(data[0]) % ops, A: data[1], B: data[2]}
		data = data[3:]
		if s.Op == opRaw {
			n := min(int(s.A), len(data))
			s.Text, data = string(data[:n]), data[n:]
		}
		steps = append(steps, s)
	}
	return steps
}

// peerRequests are what the peer asks; the id takes the place of %s.
var peerRequests = []string{
	`{"type":"control_request","request_id":%s,"request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"a":1},"tool_use_id":"t"}}`,
	`{"type":"control_request","request_id":%s,"request":{"subtype":"hook_callback","callback_id":"h","input":{"hook_event_name":"Stop"},"tool_use_id":"t"}}`,
	`{"type":"control_request","request_id":%s,"request":{"subtype":"mcp_message","server_name":"s","message":{"jsonrpc":"2.0","id":1,"method":"x"}}}`,
	`{"type":"control_request","request_id":%s,"request":{"subtype":"no_such_subtype","a":1}}`,
	`{"type":"control_request","request_id":%s,"request":{"subtype":"can_use_tool"}}`, // does not decode
	`{"type":"control_request","request_id":%s,"request":5}`,                          // nor does this
	`{"type":"control_request","request_id":%s}`,
	`{"type":"control_request","message":{"request_id":%s,"request":{"subtype":"x"}}}`,
	"\ufeff" + `{"type":"control_request","request_id":%s,"request":{"subtype":"interrupt"}} ` + "\r",
}

// peerAnswers are answers from the peer.
var peerAnswers = []string{
	`{"type":"control_response","response":{"subtype":"success","request_id":%s,"response":{"n":1}}}`,
	`{"type":"control_response","response":{"subtype":"success","request_id":%s}}`,
	`{"type":"control_response","response":{"subtype":"error","request_id":%s,"error":"no"}}`,
	`{"type":"control_response","response":{"subtype":"no_such_subtype","request_id":%s,"response":[1]}}`,
	`{"type":"control_response","request_id":%s,"response":{"subtype":"success","response":2}}`,
	`{"type":"control_response","response":{"request_id":%s,"response":null}}`,
	`{"type":"control_response","response":{"subtype":"error","request_id":%s}}`, // does not decode
}

func (p *connPlay) step(s step) error {
	switch s.Op {
	case opRaw:
		p.peerWrites(s.Text)
	case opFrame:
		p.peerWrites(string(frames[int(s.A)%len(frames)].Data) + "\n")
	case opRequest:
		p.peerWrites(fmt.Sprintf(peerRequests[int(s.A)%len(peerRequests)], peerID(s.B)) + "\n")
	case opCancel:
		p.peerWrites(`{"type":"control_cancel_request","request_id":` + peerID(s.B) + "}\n")
	case opAnswer:
		p.peerWrites(fmt.Sprintf(peerAnswers[int(s.A)%len(peerAnswers)], p.callID(s.B)) + "\n")
	case opCall:
		if s.A%2 == 0 {
			p.call(&wire.InterruptRequest{}, 5*time.Second)
		} else {
			p.call(&wire.MCPStatusRequest{}, 60*time.Second)
		}
	case opGiveUp:
		if n := len(p.calls); n > 0 {
			c := p.calls[int(s.A)%n]
			c.cancel()
			if c.model != nil {
				p.model.abandon(c.model, func(err error) bool { return errors.Is(err, context.Canceled) })
			}
		}
	case opRelease:
		return p.release(s)
	case opTime:
		d := time.Duration(s.A) * 100 * time.Millisecond
		time.Sleep(d)
		p.model.passes(d)
	case opSend:
		return p.send()
	case opCloseInput:
		return p.closeInput(s.A%2 == 1)
	case opPeerEnds:
		p.model.peerEnds()
		p.toUs.Close()
	case opBreak:
		p.weak = true
		if s.A%2 == 0 {
			p.fromUs.Close()
		} else {
			p.paused.Store(true)
		}
	case opClose:
		p.model.close()
		if err := p.conn.Close(); err != nil {
			return err
		}
	}
	return p.compare()
}

func (p *connPlay) peerWrites(text string) {
	p.model.peerWrites([]byte(text))
	p.toUs.Write([]byte(text)) // fails after the end
}

// peerID is one of a few ids, as JSON.
func peerID(n byte) string { return strconv.Quote("peer-" + strconv.Itoa(int(n%3))) }

// callID is the id of a call that was made, or none, as JSON.
func (p *connPlay) callID(n byte) string {
	if len(p.model.calls) == 0 || n == 255 {
		return `"req_99_nobody"`
	}
	return strconv.Quote(p.model.calls[int(n)%len(p.model.calls)].id)
}

// release ends a handler.
func (p *connPlay) release(s step) error {
	var waiting []int
	for i, h := range p.handlers {
		if !h.gone {
			waiting = append(waiting, i)
		}
	}
	if len(waiting) == 0 {
		return p.compare()
	}
	i := waiting[int(s.A)%len(waiting)]
	h := p.handlers[i]
	var want sentLine
	result := func() (codec.Appender, error) { return nil, errors.New("no") }
	switch s.B % 8 {
	case 0, 1:
		body := fmt.Sprintf(`{"n":%d}`, i)
		want = sentLine{kind: "success", body: body}
		result = func() (codec.Appender, error) { return text(body), nil }
	case 2:
		want = sentLine{kind: "success"}
		result = func() (codec.Appender, error) { return nil, nil }
	case 3:
		result = func() (codec.Appender, error) { return nil, transport.ErrNoAnswer }
	case 4:
		want = sentLine{kind: "error"}
		result = func() (codec.Appender, error) { panic("no") }
	case 5:
		want = sentLine{kind: "error"}
		result = func() (codec.Appender, error) { return text("{\"a\":\"\xff"), nil } // no JSON
	case 6:
		want = sentLine{kind: "error"}
		result = func() (codec.Appender, error) { return text("{}"), errors.New("\xff\n") } // an error with a body, and no UTF-8
	default:
		want = sentLine{kind: "error"}
	}
	h.gone = true
	h.release <- result
	if !p.weak {
		p.model.answers(p.model.servings[i], want)
	}
	return p.compare()
}

// text is the body of an answer.
type text string

func (b text) AppendJSON(dst []byte) ([]byte, error) { return append(dst, b...), nil }

func (p *connPlay) send() error {
	if p.weak {
		return nil // it waits for the peer
	}
	err := p.conn.Send(context.Background(), &wire.KeepAlive{})
	if over := p.model.closed || p.model.inputClosed; over != (err != nil) {
		return fmt.Errorf("send: %v", err)
	}
	p.model.send(sentLine{kind: "message"})
	return p.compare()
}

func (p *connPlay) closeInput(force bool) error {
	if p.weak {
		return nil // it waits for the peer
	}
	busy := p.model.closeInput(force)
	closeInput := p.conn.CloseInput
	if force {
		closeInput = p.conn.ForceCloseInput
	}
	err := closeInput(context.Background())
	var e *transport.InputBusyError
	if errors.As(err, &e) != busy {
		return fmt.Errorf("close of the input: %v, busy: %t", err, busy)
	}
	return p.compare()
}
