package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

// A sessionPlay runs a session with a CLI that does whatever the steps say, in a synctest bubble,
// and holds it to its promises: every operation ends once, every request that can be answered is
// answered once, a permission is allowed only if the callback allowed it, the states go one way,
// there is one last event, and nothing is left.
type sessionPlay struct {
	s     *Session
	cli   *memoryCLI
	wrote []byte // by the CLI
	asked int    // requests of the CLI's, for their ids
	ops   []*playedOp
	seen  []string // what the session has sent
	state State
	last  Event
	over  bool // the session was closed, its input was, or the CLI ended

	mu      sync.Mutex // guards the fields below
	asks    []*playedAsk
	allowed map[string]bool // requests that the callback allowed
}

// playedOp is an operation of the application's.
type playedOp struct {
	cancel context.CancelFunc
	done   chan error
	ended  bool
}

// playedAsk is a callback that waits to be told its answer.
type playedAsk struct {
	id      string
	gone    bool
	release chan func() (wire.PermissionResult, error)
}

// sessionStep is one thing that happens. What does not exist is taken modulo what does.
type sessionStep struct {
	Op, A, B byte
	Text     string // of the first kind of step
}

func decodeSessionSteps(data []byte) (steps []sessionStep) {
	for len(data) >= 3 && len(steps) < 64 {
		s := sessionStep{Op: data[0] % byte(len(sessionOps)), A: data[1], B: data[2]}
		if data = data[3:]; s.Op == 0 {
			n := min(int(s.A), len(data))
			s.Text, data = string(data[:n]), data[n:]
		}
		steps = append(steps, s)
	}
	return steps
}

// playSession plays steps and returns which promise is broken.
func playSession(t *testing.T, steps []sessionStep) (failure error) {
	synctest.Test(t, func(t *testing.T) {
		p := &sessionPlay{allowed: map[string]bool{}}
		p.s, p.cli = newTestSession(t, &Options{
			CanUseTool: p.canUseTool,
			Hooks:      map[string][]Hook{"PreToolUse": {{Callbacks: []HookFunc{p.hook}}}},
			Limits:     Limits{Queued: 3, Pending: 4, Inbound: 4, Line: 4096},
		})
		for i, step := range steps {
			if failure = p.play(step); failure != nil {
				failure = fmt.Errorf("step %d, %+v: %w", i, step, failure)
				break
			}
		}
		if err := p.finish(); failure == nil {
			failure = err
		}
	})
	return failure
}

func (p *sessionPlay) canUseTool(ctx context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
	a := &playedAsk{id: RequestID(ctx), release: make(chan func() (wire.PermissionResult, error))}
	p.mu.Lock()
	p.asks = append(p.asks, a)
	p.mu.Unlock()
	return (<-a.release)()
}

func (p *sessionPlay) hook(ctx context.Context, r *wire.HookCallbackRequest) (*wire.HookOutput, error) {
	return &wire.HookOutput{}, nil
}

// sessionOps are the kinds of steps. The first one writes its text.
var sessionOps = []func(p *sessionPlay, a, b byte){
	func(p *sessionPlay, a, b byte) {},
	func(p *sessionPlay, a, b byte) { p.asks1(peertest.PermissionBody) },
	func(p *sessionPlay, a, b byte) { p.asks1(peertest.PermissionBody) },
	func(p *sessionPlay, a, b byte) {
		p.asks1([]string{peertest.HookBody, peertest.MCPBody, `{"subtype":"x"}`, `{"subtype":"can_use_tool"}`, `5`}[a%5])
	},
	func(p *sessionPlay, a, b byte) {
		p.writes(peertest.CancelLine("ask-" + strconv.Itoa(int(a)%(p.asked+1))))
	},
	func(p *sessionPlay, a, b byte) { p.release(a, b) },
	func(p *sessionPlay, a, b byte) { p.release(a, b) },
	func(p *sessionPlay, a, b byte) { p.answers(a, b) },
	func(p *sessionPlay, a, b byte) { p.answers(a, b) },
	func(p *sessionPlay, a, b byte) {
		p.begins(func(ctx context.Context) error { _, err := p.s.MCPStatus(ctx, nil); return err })
	},
	func(p *sessionPlay, a, b byte) {
		p.begins(func(ctx context.Context) error { return p.s.Prompt(ctx, "hello") })
	},
	func(p *sessionPlay, a, b byte) { p.begins(p.s.WaitReady) },
	func(p *sessionPlay, a, b byte) {
		if len(p.ops) > 0 {
			p.ops[int(a)%len(p.ops)].cancel()
		}
	},
	func(p *sessionPlay, a, b byte) { time.Sleep(time.Duration(a) * 300 * time.Millisecond) },
	func(p *sessionPlay, a, b byte) { p.writes(peertest.KeepAliveLine) },
	func(p *sessionPlay, a, b byte) {
		if a%8 == 0 {
			p.over = true
			p.cli.die(int(b%3), "last words")
		}
	},
	func(p *sessionPlay, a, b byte) {
		if a%4 == 0 && p.s.CloseInput(context.Background()) == nil || a%8 == 1 && p.s.ForceCloseInput(context.Background()) == nil {
			p.over = true
		}
	},
	func(p *sessionPlay, a, b byte) {
		if a%8 == 0 {
			p.over = true
			p.s.Close()
		}
	},
}

func (p *sessionPlay) play(s sessionStep) error {
	if s.Op == 0 {
		p.writesRaw(s.Text)
	} else {
		sessionOps[s.Op](p, s.A, s.B)
	}
	return p.check()
}

func (p *sessionPlay) writes(line string) { p.writesRaw(line + "\n") }

func (p *sessionPlay) writesRaw(text string) {
	if p.cli.Raw(text) == nil {
		p.wrote = append(p.wrote, text...)
	}
}

func (p *sessionPlay) asks1(body string) {
	p.asked++
	p.writes(peertest.RequestLine("ask-"+strconv.Itoa(p.asked), body))
}

// begins starts an operation.
func (p *sessionPlay) begins(f func(context.Context) error) {
	ctx, cancel := context.WithCancel(context.Background())
	op := &playedOp{cancel: cancel, done: make(chan error, 2)}
	p.ops = append(p.ops, op)
	go func() { op.done <- f(ctx) }() // ends with the operation
}

// answers answers a request that the session has sent.
func (p *sessionPlay) answers(a, b byte) {
	var ids []string
	for _, line := range p.seen {
		if f, err := wire.Decode([]byte(line)); err == nil {
			if r, ok := f.(*wire.ControlRequest); ok {
				ids = append(ids, r.RequestID)
			}
		}
	}
	if len(ids) == 0 {
		return
	}
	id := ids[int(a)%len(ids)]
	switch b % 6 {
	case 0:
		p.writes(peertest.ErrorLine(id, "no"))
	case 1:
		p.writes(peertest.SuccessLine(id, ""))
	case 2:
		p.writes(peertest.SuccessLine(id, "[]"))
	default:
		p.writes(peertest.SuccessLine(id, `{"mcpServers":[]}`))
	}
}

// release tells a callback its answer.
func (p *sessionPlay) release(a, b byte) {
	synctest.Wait()
	p.mu.Lock()
	var waiting []*playedAsk
	for _, ask := range p.asks {
		if !ask.gone {
			waiting = append(waiting, ask)
		}
	}
	if len(waiting) == 0 {
		p.mu.Unlock()
		return
	}
	ask := waiting[int(a)%len(waiting)]
	ask.gone = true
	var result wire.PermissionResult
	var err error
	switch b % 8 {
	case 0, 1, 2:
		p.allowed[ask.id] = true
		result = &wire.PermissionAllow{}
	case 3:
		result = &wire.PermissionDeny{Message: "no"}
	case 4:
		err = errors.New("no")
	case 5:
		result = (*wire.PermissionAllow)(nil)
	case 6:
		result, err = &wire.PermissionAllow{}, errors.New("allowed, but failed")
	}
	p.mu.Unlock()
	ask.release <- func() (wire.PermissionResult, error) {
		if b%8 == 7 && b > 128 {
			panic("no")
		}
		return result, err
	}
}

// check looks at what has happened until now.
func (p *sessionPlay) check() error {
	p.seen = append(p.seen, p.cli.Sent()...)
	for _, op := range p.ops {
		select {
		case <-op.done:
			if op.ended {
				return errors.New("an operation ended twice")
			}
			op.ended = true
		default:
		}
	}
	return p.checkEvents()
}

// checkEvents checks that the states go one way and that nothing follows the last event.
func (p *sessionPlay) checkEvents() error {
	for _, e := range drain(p.s.events) {
		if p.last != nil {
			return fmt.Errorf("%T after %T", e, p.last)
		}
		switch e := e.(type) {
		case *StateEvent:
			if p.state >= Stopped || e.State <= p.state {
				return fmt.Errorf("from state %v to %v", p.state, e.State)
			}
			p.state = e.State
		case *CompletedEvent, *StoppedEvent, *FailedEvent:
			p.last = e
		}
	}
	if got := p.s.State(); got != p.state {
		return fmt.Errorf("the state is %v, the events say %v", got, p.state)
	}
	return nil
}

// requests returns how often the CLI has asked with each id, and which ids it cancelled. A line
// without its LF counts only if all is false: it may have been read by now, or not.
func (p *sessionPlay) requests(all bool) (asked map[string]int, cancelled map[string]bool) {
	asked, cancelled = map[string]int{}, map[string]bool{}
	r := codec.NewReader(bytes.NewReader(p.wrote), &codec.ReaderOptions{MaxLine: 4096})
	for {
		line, err := r.Next()
		if err != nil {
			return asked, cancelled
		}
		if line.Kind != codec.ObjectLine || all && line.Notes&codec.Unterminated != 0 {
			continue
		}
		frame, err := wire.Decode(line.Line)
		var broken *codec.Error
		switch f := frame.(type) {
		case *wire.ControlRequest:
			asked[f.RequestID]++
		case *wire.ControlCancelRequest:
			cancelled[f.RequestID] = true
		case nil:
			if errors.As(err, &broken) && broken.RequestID != "" {
				asked[broken.RequestID]++
			}
		}
	}
}

// checkAnswers checks that no request was answered too often, that permissions were allowed only by
// the callback, and, in the end, that no answer is missing.
func (p *sessionPlay) checkAnswers(all bool) error {
	answered := map[string]int{}
	for _, line := range p.seen {
		frame, err := wire.Decode([]byte(line))
		if err != nil {
			return fmt.Errorf("sent %q: %w", line, err)
		}
		response, ok := frame.(*wire.ControlResponse)
		if !ok {
			continue
		}
		switch r := response.Response.(type) {
		case *wire.SuccessResponse:
			answered[r.RequestID]++
			behavior, _ := codec.Find(r.Response, "/behavior").Text()
			if strings.Contains(behavior, "allow") && !p.allowed[r.RequestID] {
				return fmt.Errorf("the callback has not allowed what was sent: %s", line)
			}
		case *wire.ErrorResponse:
			answered[r.RequestID]++
		}
	}
	asked, cancelled := p.requests(all)
	for id, n := range answered {
		if n > asked[id] {
			return fmt.Errorf("%q was asked %d times and answered %d times", id, asked[id], n)
		}
	}
	for id, n := range asked {
		if all && n != answered[id] && !cancelled[id] {
			return fmt.Errorf("%q was asked %d times and answered %d times", id, n, answered[id])
		}
	}
	return nil
}

// releaseAll lets every callback end.
func (p *sessionPlay) releaseAll() {
	synctest.Wait()
	p.mu.Lock()
	asks := p.asks
	p.mu.Unlock()
	for _, ask := range asks {
		if !ask.gone {
			ask.gone = true
			ask.release <- func() (wire.PermissionResult, error) { return nil, nil }
		}
	}
}

// finish lets the callbacks end, closes the session, and checks that everything has ended.
func (p *sessionPlay) finish() error {
	p.releaseAll()
	err := p.check()
	if alive := !p.over && p.s.State() == Running; err == nil {
		err = p.checkAnswers(alive)
	}
	p.s.Close()
	p.releaseAll()
	if err == nil {
		err = p.check()
	}
	if err == nil {
		err = p.checkAnswers(false)
	}
	for _, op := range p.ops {
		if !op.ended && err == nil {
			err = errors.New("an operation has not ended though the session is closed")
		}
		op.cancel()
	}
	select {
	case <-p.s.Done():
	default:
		return errors.New("Close returned before the end")
	}
	if err == nil && p.last == nil {
		err = errors.New("there was no last event")
	}
	for range p.s.Messages() { // it ends
	}
	return err
}
