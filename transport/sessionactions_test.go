package transport

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

func TestASessionDoesWhatTheModelSays(t *testing.T) {
	for range 10 { // of so many runs as rapid has by default
		rapid.Check(t, func(rt *rapid.T) {
			inBubble(t, rt, playModel)
		})
		if t.Failed() {
			return
		}
	}
}

// inBubble runs a play in a synctest bubble. A panic of it, which is how rapid ends a run, goes on
// outside; rapid itself finds out that a run failed.
func inBubble(t *testing.T, rt *rapid.T, play func(*testing.T, *rapid.T)) {
	var stopped any
	synctest.Test(t, func(t *testing.T) {
		defer func() { stopped = recover() }()
		play(t, rt)
	})
	if stopped != nil && !rt.Failed() {
		panic(stopped)
	}
}

// modelPlay runs a session and its model side by side.
type modelPlay struct {
	s      *Session
	cli    *memoryCLI
	suffix string // of our request ids
	m      *sessionModel
	ops    []*modelledOp
	asked  int  // requests of the CLI's, for their ids
	mute   int  // looks for which the CLI keeps initialize unconfirmed
	tied   bool // what was sent since the last look may have any order

	quit      chan struct{} // closed at the end, for callbacks that were not told their answer
	mu        sync.Mutex    // guards the field below
	callbacks []*modelledCallback
}

// modelledOp is an operation in both worlds.
type modelledOp struct {
	*modelOp
	cancel context.CancelFunc
	done   chan error
	got    string // how it ended
}

// modelledCallback is a permission callback that waits to be told its answer.
type modelledCallback struct {
	ctx    context.Context
	answer chan func() (wire.PermissionResult, error)
}

func playModel(t *testing.T, rt *rapid.T) {
	p := &modelPlay{m: newSessionModel(), quit: make(chan struct{})}
	defer p.clean()
	p.s, p.cli = newTestSession(t, &Options{
		CanUseTool: p.canUseTool,
		Hooks: map[string][]Hook{"PreToolUse": {{Callbacks: []HookFunc{func(context.Context, *wire.HookCallbackRequest) (*wire.HookOutput, error) {
			return &wire.HookOutput{}, nil
		}}}}},
		Limits:           sessionModelLimits,
		Timeouts:         sessionModelTimes,
		CallbackTimeouts: CallbackTimeouts{Permission: sessionModelPatience},
	})
	p.suffix = p.s.conn.pending.suffix
	p.mute = rapid.IntRange(0, 15).Draw(rt, "mute")
	rt.Repeat(map[string]func(*rapid.T){
		"":                           p.check,
		"begin an operation":         p.begin,
		"begin another":              p.begin,
		"cancel an operation":        p.cancel,
		"answer a request":           p.answer,
		"ask":                        p.ask,
		"ask for a permission":       func(rt *rapid.T) { p.asks(rt, "permission") },
		"cancel a question":          p.cancelQuestion,
		"return from a callback":     p.callbackReturns,
		"write what says nothing":    p.write,
		"let time pass":              p.letTimePass,
		"end the CLI or the session": p.end,
	})
	p.s.Close()
	p.m.closes()
	p.check(rt)
	p.checkEnd(rt)
}

func (p *modelPlay) canUseTool(ctx context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
	c := &modelledCallback{ctx, make(chan func() (wire.PermissionResult, error))}
	p.mu.Lock()
	p.callbacks = append(p.callbacks, c)
	p.mu.Unlock()
	select {
	case answer := <-c.answer:
		return answer()
	case <-p.quit:
		return nil, nil
	}
}

// clean ends what could outlive a play that failed.
func (p *modelPlay) clean() {
	close(p.quit)
	for _, op := range p.ops {
		op.cancel()
	}
	p.s.Close()
}

func (p *modelPlay) begin(rt *rapid.T) {
	op := &modelOp{what: rapid.SampledFrom([]string{"mcp_status", "interrupt", "set_permission_mode", "prompt", "wait"}).Draw(rt, "what")}
	op.text = "text " + strconv.Itoa(len(p.ops))
	ctx, cancel := context.WithCancel(context.Background())
	run := func() error { return p.s.WaitReady(ctx) }
	call := func(r wire.Request) { run = func() error { _, err := p.s.Call(ctx, r); return err } }
	switch op.what {
	case "prompt":
		run = func() error { return p.s.Prompt(ctx, op.text) }
	case "mcp_status":
		call(&wire.MCPStatusRequest{})
	case "interrupt":
		call(&wire.InterruptRequest{})
	case "set_permission_mode":
		call(&wire.SetPermissionModeRequest{Mode: wire.PermissionModeDefault})
	}
	both := &modelledOp{modelOp: op, cancel: cancel, done: make(chan error, 1)}
	p.ops = append(p.ops, both)
	go func() { both.done <- run() }() // ends with the operation
	p.m.begins(op)
}

func (p *modelPlay) cancel(rt *rapid.T) {
	open := slices.DeleteFunc(slices.Clone(p.ops), func(op *modelledOp) bool { return op.end != "" })
	if len(open) == 0 {
		rt.Skip()
	}
	op := open[rapid.IntRange(0, len(open)-1).Draw(rt, "operation")]
	op.cancel()
	p.m.cancels(op.modelOp)
}

// answer answers a request of ours, one that is open, was open, or never was.
func (p *modelPlay) answer(rt *rapid.T) {
	p.speaks(rt)
	id := rapid.IntRange(1, len(p.m.calls)+1).Draw(rt, "request")
	line, end := peertest.SuccessLine, "ok"
	if rapid.IntRange(0, 3).Draw(rt, "refused") == 3 {
		line, end = peertest.ErrorLine, "refused"
	}
	p.writes(line("req_"+strconv.Itoa(id)+p.suffix, "{}"))
	p.m.answers(id, end)
}

func (p *modelPlay) ask(rt *rapid.T) {
	p.asks(rt, rapid.SampledFrom([]string{"permission", "hook", "mcp", "unknown"}).Draw(rt, "what"))
}

// speaks skips the action if the CLI is mute, so that plays get far in InitSent.
func (p *modelPlay) speaks(rt *rapid.T) {
	if p.mute > 0 && p.m.state == InitSent {
		rt.Skip()
	}
}

func (p *modelPlay) asks(rt *rapid.T, what string) {
	if what != "unknown" {
		p.speaks(rt)
	}
	p.asked++
	id := "ask_" + strconv.Itoa(p.asked)
	bodies := map[string]string{"permission": peertest.PermissionBody, "hook": peertest.HookBody, "mcp": peertest.MCPBody, "unknown": `{"subtype":"brand_new"}`}
	p.writes(peertest.RequestLine(id, bodies[what]))
	p.m.asked(what, id)
}

func (p *modelPlay) cancelQuestion(rt *rapid.T) {
	id := "ask_" + strconv.Itoa(rapid.IntRange(1, p.asked+1).Draw(rt, "question"))
	p.writes(peertest.CancelLine(id))
	p.m.cancelled(id)
}

func (p *modelPlay) callbackReturns(rt *rapid.T) {
	var running []int
	for i, ask := range p.m.asks {
		if !ask.returned {
			running = append(running, i)
		}
	}
	if len(running) == 0 {
		rt.Skip()
	}
	i := rapid.SampledFrom(running).Draw(rt, "callback")
	how := rapid.SampledFrom([]string{"allow", "deny", "error", "nil", "panic"}).Draw(rt, "how")
	p.mu.Lock()
	callback := p.callbacks[i]
	p.mu.Unlock()
	callback.answer <- func() (wire.PermissionResult, error) {
		switch how {
		case "allow":
			return &wire.PermissionAllow{}, nil
		case "deny":
			return &wire.PermissionDeny{}, nil
		case "error":
			return &wire.PermissionAllow{}, errors.New("no")
		case "panic":
			panic("no")
		}
		return nil, nil
	}
	behavior := "deny"
	if how == "allow" {
		behavior = how
	}
	p.m.returns(p.m.asks[i], behavior)
}

// write lets the CLI write what is neither a request nor an answer to one.
func (p *modelPlay) write(rt *rapid.T) {
	message := rapid.SampledFrom([]string{
		peertest.KeepAliveLine, peertest.PromptLine("x"), `{"type":"brand_new"}`, `{"type":"system","subtype":"session_title_changed","title":"x","session_id":"s","uuid":"u"}`,
		"", "text", peertest.SuccessLine("nobody", ""), peertest.ErrorLine("nobody", "no"), peertest.CancelLine("nobody"),
	}).Draw(rt, "line")
	p.writes(message)
	if !p.m.cliEnded && strings.HasPrefix(message, "{") && !strings.Contains(message, "nobody") {
		p.m.messages++
	}
}

// writes writes a line, if the CLI is there.
func (p *modelPlay) writes(line string) { p.cli.Raw(line + "\n") }

func (p *modelPlay) letTimePass(rt *rapid.T) {
	end := p.m.now + time.Duration(rapid.IntRange(1, 6).Draw(rt, "seconds"))*time.Second
	for p.m.now < end {
		next := p.m.next(end)
		time.Sleep(next - p.m.now)
		p.m.passes(next)
		p.tied = true
		p.check(rt)
	}
}

// end ends something, but not often.
func (p *modelPlay) end(rt *rapid.T) {
	switch how := rapid.IntRange(0, 15).Draw(rt, "how"); how {
	case 15:
		p.s.Close()
		p.m.closes()
	case 12, 13, 14:
		code := []int{0, 1, 137}[how-12]
		p.cli.die(code, "last words")
		p.m.exits(code)
	}
}

// check compares the session with the model.
func (p *modelPlay) check(rt *rapid.T) {
	lines := p.cli.Sent()
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(lineWord(line), p.suffix, "")
	}
	var events []string
	for _, e := range drain(p.s.events) {
		if word := eventWord(e); word != "" {
			events = append(events, word)
		}
	}
	p.compare(rt, "lines", p.expectedLines(lines), lines)
	p.compare(rt, "events", p.m.events, events)
	if got := p.s.State(); got != p.m.state {
		rt.Fatalf("state is %v, model %v", got, p.m.state)
	}
	if got := p.s.Initialized() != nil; got != p.m.initialized {
		rt.Fatalf("initialize is answered: %v, model %v", got, p.m.initialized)
	}
	p.m.lines, p.m.events, p.tied = nil, nil, false
	p.mute--
	for i, op := range p.ops {
		select {
		case err := <-op.done:
			op.got = errorWord(err)
		default:
		}
		if op.got != op.end {
			rt.Fatalf("operation %d, %s, ended with %q, model %q", i, op.what, op.got, op.end)
		}
	}
	p.checkCallbacks(rt)
}

func (p *modelPlay) compare(rt *rapid.T, what string, want, got []string) {
	if !slices.Equal(want, got) {
		rt.Fatalf("%s (-model +session):\n%s", what, cmp.Diff(want, got))
	}
}

// expectedLines returns the model's lines, without those that may be missing and are. Lines that
// are tied are sorted.
func (p *modelPlay) expectedLines(sent []string) (lines []string) {
	if p.tied {
		slices.Sort(sent)
	}
	for _, line := range p.m.lines {
		word, optional := strings.CutPrefix(line, "?")
		if !optional || slices.Contains(sent, word) {
			lines = append(lines, word)
		}
	}
	if p.tied {
		slices.Sort(lines)
	}
	return lines
}

// checkCallbacks compares which callbacks were started and which have been told that nobody waits
// for them.
func (p *modelPlay) checkCallbacks(rt *rapid.T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var want, got []string
	for _, ask := range p.m.asks {
		want = append(want, fmt.Sprint(ask.id, " over: ", ask.over))
	}
	for _, c := range p.callbacks {
		got = append(got, fmt.Sprint(RequestID(c.ctx), " over: ", c.ctx.Err() != nil))
	}
	p.compare(rt, "callbacks", want, got)
}

// checkEnd checks that nothing of a closed session is open, and what its messages came to.
func (p *modelPlay) checkEnd(rt *rapid.T) {
	select {
	case <-p.s.Done():
	default:
		rt.Fatal("Close returned before the end")
	}
	for i, op := range p.ops {
		if op.got == "" {
			rt.Fatalf("operation %d, %s, has not ended", i, op.what)
		}
	}
	messages, ending := 0, "ok"
	for _, err := range p.s.Messages() {
		if err != nil {
			ending = errorWord(err)
			break
		}
		messages++
	}
	if messages != p.m.messages || ending != p.m.ending {
		rt.Fatalf("%d messages, then %q; model %d, then %q", messages, ending, p.m.messages, p.m.ending)
	}
}
