package transport

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
	"github.com/ccwire/ccwire/internal/seeds"
)

// A step is one thing that the application or the peer does. A and B say more; what does not exist
// is taken modulo what does.
type step struct {
	Op   stepOp
	A, B byte
	Text string // of stepRaw
}

type stepOp byte

const (
	stepRaw        stepOp = iota // the peer writes bytes
	stepFrame                    // the peer writes a frame of the corpus
	stepRequest                  // the peer asks something
	stepCancel                   // the peer withdraws a request
	stepAnswer                   // the peer answers a call, or something that is none
	stepBegin                    // the application begins an operation
	stepGiveUp                   // the application ends the context of an operation
	stepReturn                   // a callback returns
	stepTime                     // time passes
	stepCloseInput               // the application closes the peer's input
	stepPeerEnds                 // the peer closes its output; the CLI exits
	stepClose                    // the application closes the endpoint
	stepBreak                    // the peer of a Conn closes its input, or does not read it any more
	stepOps
)

// decodeSteps makes steps of a fuzzer's bytes.
func decodeSteps(data []byte) (steps []step) {
	for len(data) >= 3 && len(steps) < 64 {
		s := step{Op: stepOp(data[0]) % stepOps, A: data[1], B: data[2]}
		data = data[3:]
		if s.Op == stepRaw {
			n := min(int(s.A), len(data))
			s.Text, data = string(data[:n]), data[n:]
		}
		steps = append(steps, s)
	}
	return steps
}

var corpusFrames = seeds.Frames()

// peerRequests are what the peer asks; the id takes the place of %s. The first ones confirm the
// initialisation of a session.
var peerRequests = []string{
	`{"type":"control_request","request_id":%s,"request":` + peertest.PermissionBody + `}`,
	`{"type":"control_request","request_id":%s,"request":` + peertest.HookBody + `}`,
	`{"type":"control_request","request_id":%s,"request":` + peertest.MCPBody + `}`,
	`{"type":"control_request","request_id":%s,"request":{"subtype":"mcp_message","server_name":"s","message":{"jsonrpc":"2.0","method":"x"}}}`,
	`{"type":"control_request","request_id":%s,"request":{"subtype":"hook_callback","callback_id":"h","input":{"hook_event_name":"Stop"},"tool_use_id":"t"}}`,
	`{"type":"control_request","request_id":%s,"request":{"subtype":"elicitation","mcp_server_name":"s","message":"?"}}`,
	`{"type":"control_request","request_id":%s,"request":{"subtype":"request_user_dialog","dialog_kind":"k","payload":{}}}`,
	`{"type":"control_request","request_id":%s,"request":{"subtype":"no_such_subtype","a":1}}`,
	`{"type":"control_request","request_id":%s,"request":{"subtype":"can_use_tool"}}`, // does not decode
	`{"type":"control_request","request_id":%s,"request":5}`,                          // nor does this
	`{"type":"control_request","request_id":%s}`,
	`{"type":"control_request","message":{"request_id":%s,"request":{"subtype":"x"}}}`,
	"\ufeff" + `{"type":"control_request","request_id":%s,"request":{"subtype":"interrupt"}} ` + "\r",
}

const confirming = 5 // of peerRequests

// peerAnswers are answers of the peer.
var peerAnswers = []string{
	`{"type":"control_response","response":{"subtype":"success","request_id":%s,"response":{"n":1}}}`,
	`{"type":"control_response","response":{"subtype":"success","request_id":%s}}`,
	`{"type":"control_response","response":{"subtype":"error","request_id":%s,"error":"no"}}`,
	`{"type":"control_response","response":{"subtype":"no_such_subtype","request_id":%s,"response":[1]}}`,
	`{"type":"control_response","request_id":%s,"response":{"subtype":"success","response":2}}`,
	`{"type":"control_response","response":{"request_id":%s,"response":null}}`,
	`{"type":"control_response","response":{"subtype":"error","request_id":%s}}`, // does not decode
}

func (p *play) play(s step) error {
	var err error
	switch s.Op {
	case stepRaw:
		err = p.writes(s.Text)
	case stepFrame:
		err = p.writes(string(corpusFrames[int(s.A)%len(corpusFrames)].Data) + "\n")
	case stepRequest:
		if i := int(s.A) % len(peerRequests); i >= confirming || !p.isMute() {
			err = p.writes(fmt.Sprintf(peerRequests[i], peerID(s.B)) + "\n")
		}
	case stepCancel:
		err = p.writes(`{"type":"control_cancel_request","request_id":` + peerID(s.B) + "}\n")
	case stepAnswer:
		if !p.isMute() {
			err = p.writes(fmt.Sprintf(peerAnswers[int(s.A)%len(peerAnswers)], p.callID(s.B)) + "\n")
		}
	case stepBegin:
		p.begin(s.A)
	case stepGiveUp:
		p.giveUp(s.A)
	case stepReturn:
		p.callbackReturns(s.A, s.B)
	case stepTime:
		err = p.timePasses(time.Duration(s.A) * 100 * time.Millisecond)
	case stepCloseInput:
		err = p.closeInput(s.A%2 == 1)
	case stepPeerEnds:
		err = p.peerEnds(int(s.A % 3))
	case stepClose:
		p.model.closes()
		err = p.Close()
	case stepBreak:
		p.breakInput(s.A%2 == 0)
	}
	if err != nil {
		return err
	}
	return p.check()
}

// isMute reports whether the CLI must not confirm initialize yet, so that plays get far in
// InitSent.
func (p *play) isMute() bool {
	return p.session != nil && p.mute > 0 && p.session.state == InitSent
}

// peerID is one of a few ids, as JSON.
func peerID(n byte) string { return strconv.Quote("peer-" + strconv.Itoa(int(n%3))) }

// callID is the id of a call that was made, or none, as JSON.
func (p *play) callID(n byte) string {
	m := p.model.base()
	if len(m.calls) == 0 || n == 255 {
		return `"req_99_nobody"`
	}
	return strconv.Quote(m.requestID(m.calls[int(n)%len(m.calls)]))
}

// writes lets the peer write a text, if anybody reads it. A session gets it line by line, because
// the answers to several requests at once depend on how fast they are.
func (p *play) writes(text string) error {
	pieces := []string{text}
	if p.session != nil {
		pieces = strings.SplitAfter(text, "\n")
	}
	for _, piece := range pieces {
		p.model.base().reads(piece)
		p.peer.Raw(piece) // fails after the end
		p.tied = p.session == nil
		if err := p.check(); err != nil {
			return err
		}
	}
	return nil
}

func (p *play) begin(kind byte) {
	kinds := []string{"mcp_status", "interrupt", "set_permission_mode", "prompt", "wait"}
	if p.session == nil {
		kinds = kinds[:4]
	}
	op := &modelOp{what: kinds[int(kind)%len(kinds)], text: "text " + strconv.Itoa(len(p.ops))}
	ctx, cancel := context.WithCancel(context.Background())
	run := func() string { return errorWord(p.s.WaitReady(ctx)) }
	call := func(r wire.Request) {
		run = func() string {
			body, err := p.Call(ctx, r)
			if err != nil {
				return errorWord(err)
			}
			return "ok " + string(body)
		}
	}
	switch op.what {
	case "prompt":
		message := wire.UserMessage{Role: wire.UserMessageRoleUser, Content: wire.UserMessageContent{Text: &op.text}}
		run = func() string { return errorWord(p.Send(ctx, &wire.User{Message: message})) }
	case "mcp_status":
		call(&wire.MCPStatusRequest{})
	case "interrupt":
		call(&wire.InterruptRequest{})
	case "set_permission_mode":
		call(&wire.SetPermissionModeRequest{Mode: wire.PermissionModeDefault})
	}
	both := &playedOp{modelOp: op, cancel: cancel, done: make(chan string, 1)}
	p.ops = append(p.ops, both)
	go func() { both.done <- run() }() // ends with the operation
	p.model.begins(op)
}

func (p *play) giveUp(which byte) {
	open := slices.DeleteFunc(slices.Clone(p.ops), func(op *playedOp) bool { return op.end != "" })
	if p.weak {
		open = p.ops
	}
	if len(open) == 0 {
		return
	}
	op := open[int(which)%len(open)]
	op.cancel()
	if op.end == "" {
		p.model.cancels(op.modelOp)
	}
}

func (p *play) callbackReturns(which, how byte) {
	var waiting []int
	for i, h := range p.held {
		if !h.gone {
			waiting = append(waiting, i)
		}
	}
	if len(waiting) == 0 {
		return
	}
	i := waiting[int(which)%len(waiting)]
	p.held[i].gone = true
	p.held[i].how <- how
	line := answers[int(how)%len(answers)].line
	if p.session != nil {
		line = decisions[int(how)%len(decisions)].line
	}
	if !p.weak {
		p.model.base().returns(p.model.base().started[i], line)
	}
}

// timePasses stops at each moment at which something happens by itself. What happens at the same
// moment has no order.
func (p *play) timePasses(d time.Duration) error {
	m := p.model.base()
	for end := m.now + d; m.now < end; {
		next := m.next(end)
		time.Sleep(next - m.now)
		p.model.passes(next)
		p.tied = true
		if err := p.check(); err != nil {
			return err
		}
	}
	return nil
}

func (p *play) closeInput(force bool) error {
	if p.weak {
		return nil // it waits for the peer
	}
	want := p.model.closesInput(force)
	closeInput := p.CloseInput
	if force {
		closeInput = p.ForceCloseInput
	}
	if got := errorWord(closeInput(context.Background())); got != want {
		return fmt.Errorf("close of the input: %s, model %s", got, want)
	}
	return nil
}

// peerEnds ends the peer's output. A CLI ends its line first.
func (p *play) peerEnds(code int) error {
	if p.session == nil {
		p.model.peerEnds(0)
		p.peer.End()
		return nil
	}
	if err := p.writes("\n"); err != nil {
		return err
	}
	p.model.peerEnds(code)
	p.cli.die(code, "last words")
	return nil
}

func (p *play) breakInput(closed bool) {
	if p.session != nil {
		return
	}
	p.weak = true
	if closed {
		p.peer.Break()
	} else {
		p.peer.Pause()
	}
}
