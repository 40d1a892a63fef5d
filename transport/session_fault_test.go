package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

// exitDelay is how soon after the exit a pending call must have failed.
const exitDelay = 100 * time.Millisecond

func TestPendingCallsFailSoonAfterTheExit(t *testing.T) {
	tests := []struct {
		name, command string
		code          int
		signal        string
		stderr        string
	}{
		{"exit", "exit 7", 7, "", "last words\n"},
		{"exit with code 0", "exit 0", 0, "", "last words\n"},
		{"killed", "die", -1, syscall.SIGKILL.String(), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var delay time.Duration
			for range 5 { // a busy machine may be late now and then
				s := openScripted(t, scriptedOptions(t))
				prompt(t, s, "mute")
				var calls []<-chan callResult
				for range 3 {
					calls = append(calls, goCall(t.Context(), s, &wire.MCPStatusRequest{}))
				}
				for range calls {
					nextMark(t, s)
				}
				prompt(t, s, "%s", test.command)
				var ended time.Time
				for _, done := range calls {
					r := <-done
					ended = time.Now()
					var exit *ExitError
					if !errors.As(r.err, &exit) || exit.Code != test.code || exit.Signal != test.signal || exit.Stderr != test.stderr {
						t.Fatalf("call = %+v", r.err)
					}
				}
				nanos, err := strconv.ParseInt(nextMark(t, s), 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				if delay = ended.Sub(time.Unix(0, nanos)); delay < exitDelay {
					return
				}
			}
			t.Errorf("the calls failed %v after the exit", delay)
		})
	}
}

func TestExitInTheMiddleOfALine(t *testing.T) {
	s := openScripted(t, scriptedOptions(t))
	prompt(t, s, "raw %s", peertest.ResultLine("whole")+"\n"+`{"type":"result","subty`)
	if got := nextResult(t, s); got != "whole" {
		t.Errorf("result = %q", got)
	}
	if err := s.CloseInput(t.Context()); err != nil {
		t.Error(err)
	}
	half, err := s.Receive(patient(t))
	if f, ok := half.(*wire.UnknownFrame); err != nil || !ok || f.Type() != "result" || !errors.Is(f.Err, codec.Syntax) {
		t.Errorf("Receive = %+v, %v, want the half line", half, err)
	}
	if _, err := s.Receive(patient(t)); err != io.EOF {
		t.Errorf("Receive = %v", err)
	}
	<-s.Done()
	found := false
	for e := range s.Events() {
		if e, ok := e.(*UndecodableEvent); ok {
			found = strings.HasPrefix(e.Text, `{"type":"result","subty`)
		}
	}
	if !found {
		t.Error("no event tells of the half line")
	}
}

func TestOutputThatWasNotReadBeforeTheExitIsDelivered(t *testing.T) {
	const count = 10_000
	s := openScripted(t, scriptedOptions(t))
	prompt(t, s, "many %d", count)
	<-s.Done()
	for i := range count {
		if got := nextMark(t, s); got != fmt.Sprint(i) {
			t.Fatalf("message %d is %s", i, got)
		}
	}
	if got := nextResult(t, s); got != "many" {
		t.Errorf("result = %q", got)
	}
	if _, err := s.Receive(patient(t)); err != io.EOF {
		t.Errorf("the end = %v", err)
	}
}

// Whoever has seen the exit in the messages finds it in the session too, however soon it is closed.
func TestACrashIsNotForgottenWhenCloseFollowsAtOnce(t *testing.T) {
	for range 20 {
		s := openScripted(t, scriptedOptions(t))
		prompt(t, s, "exit 3")
		var seen error
		for _, err := range s.Messages() {
			seen = err
		}
		s.Close()
		var exit *ExitError
		if !errors.As(seen, &exit) || s.State() != Failed || s.Err() != seen {
			t.Fatalf("the messages ended with %v; the session is %v, %v", seen, s.State(), s.Err())
		}
		var last Event
		for e := range s.Events() {
			last = e
		}
		if failed, ok := last.(*FailedEvent); !ok || failed.Reason != seen {
			t.Fatalf("the last event is %+v", last)
		}
	}
}

func TestStdoutClosedButAlive(t *testing.T) {
	o := scriptedOptions(t)
	o.InputGrace = time.Millisecond
	s := openScripted(t, o)
	prompt(t, s, "mute")
	done := goCall(t.Context(), s, &wire.MCPStatusRequest{})
	nextMark(t, s)
	prompt(t, s, "close-stdout")
	if r := <-done; !errors.Is(r.err, ErrOutputClosed) {
		t.Errorf("call = %v", r.err)
	}
	<-s.Done()
	if s.proc.Exit() == nil {
		t.Error("the process is still there")
	}
}

func TestStdinBrokenPipe(t *testing.T) {
	s := openScripted(t, scriptedOptions(t))
	prompt(t, s, "close-stdin")
	if got := nextMark(t, s); got != "closed" {
		t.Fatal(got)
	}
	start := time.Now()
	if _, err := s.Client.MCPStatus(patient(t), &wire.MCPStatusRequest{}); !errors.Is(err, ErrBrokenPipe) {
		t.Errorf("call = %v", err)
	}
	if err := s.Prompt(patient(t), "x"); !errors.Is(err, ErrBrokenPipe) {
		t.Errorf("prompt = %v", err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
	if got := nextResult(t, s); got != "after" { // the output still comes
		t.Errorf("result = %q", got)
	}
}

func TestStderrFloodStopsNothing(t *testing.T) {
	o := scriptedOptions(t)
	o.StderrLimit = 8 << 10
	s := openScripted(t, o)
	prompt(t, s, "flood %d", 8<<10) // 8 MiB
	if _, err := s.Client.MCPStatus(patient(t), &wire.MCPStatusRequest{}); err != nil {
		t.Error(err)
	}
	if got := nextResult(t, s); got != "flooded" {
		t.Errorf("result = %q", got)
	}
	s.Close()
	if tail := s.proc.Exit().Stderr; len(tail) == 0 || len(tail) > 8<<10 {
		t.Errorf("%d bytes of stderr are kept", len(tail))
	}
}

// A CLI that does not read for a while: a prompt that does not fit into the pipe waits, the reader
// and the callbacks do not.
func TestSlowWriter(t *testing.T) {
	asked := make(chan struct{})
	o := scriptedOptions(t)
	o.CanUseTool = func(_ context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
		close(asked)
		return r.Allow(), nil
	}
	s := openScripted(t, o)
	prompt(t, s, "deaf")
	text := strings.Repeat("x", 1<<20)
	sent := make(chan error, 1)
	go func() { sent <- s.Prompt(t.Context(), "echo "+text) }()
	if got := nextMark(t, s); got != "deaf" {
		t.Fatal(got)
	}
	<-asked
	if err := <-sent; err != nil {
		t.Error(err)
	}
	if got := nextResult(t, s); got != text {
		t.Errorf("result of %d bytes", len(got))
	}
}

func TestLongLines(t *testing.T) {
	s := openScripted(t, scriptedOptions(t))
	for _, test := range []struct {
		length    int
		delivered bool
	}{{16 << 20, true}, {16<<20 + 1, false}, {1 << 20, true}} {
		prompt(t, s, "long %d", test.length)
		f, err := s.Receive(patient(t))
		if err != nil {
			t.Fatal(err)
		}
		switch m := f.(type) {
		case *wire.KeepAlive:
			if got := len(peertest.MarkLine(*m.StartupMark)); got != test.length || !test.delivered {
				t.Errorf("line of %d bytes has %d", test.length, got)
			}
		case *wire.UnknownFrame:
			if m.Type() != "keep_alive" || !errors.Is(m.Err, codec.TooLong) || test.delivered {
				t.Errorf("line of %d bytes: got %+v", test.length, m)
			}
		default:
			t.Errorf("line of %d bytes: got a %T", test.length, f)
		}
		nextResult(t, s)
	}
	s.Close()
	oversize := 0
	for e := range s.Events() {
		if e, ok := e.(*OversizeEvent); ok {
			oversize++
			if e.Len != 16<<20+1 {
				t.Errorf("event = %+v", e)
			}
		}
	}
	if oversize != 1 {
		t.Errorf("%d events for one line", oversize)
	}
}

func TestNoiseBetweenFrames(t *testing.T) {
	s := openScripted(t, scriptedOptions(t))
	prompt(t, s, "raw %s", "Warning: x\n\n\r\n"+peertest.ResultLine("one")+"\n[1]\n{broken\n"+peertest.ResultLine("two")+"\n")
	for _, want := range []string{"one", "two"} {
		if got := nextResult(t, s); got != want {
			t.Errorf("result = %q, want %q", got, want)
		}
	}
	if _, err := s.Client.MCPStatus(patient(t), &wire.MCPStatusRequest{}); err != nil {
		t.Error(err)
	}
}

func TestHalfWrittenUTF8(t *testing.T) {
	s := openScripted(t, scriptedOptions(t))
	prompt(t, s, "split price: 5 €")
	if got := nextResult(t, s); got != "price: 5 €" {
		t.Errorf("result = %q", got)
	}
	// A line that is cut inside a character for good costs that line only.
	prompt(t, s, "half-utf8")
	if got := nextResult(t, s); got != "next" {
		t.Errorf("result = %q", got)
	}
}

func TestDuplicatedAndReorderedResponses(t *testing.T) {
	s := openScripted(t, scriptedOptions(t))
	prompt(t, s, "mute")
	var calls []<-chan callResult
	for range 5 {
		calls = append(calls, goCall(t.Context(), s, &wire.MCPStatusRequest{}))
		nextMark(t, s) // so that the order is known
	}
	prompt(t, s, "answer")
	for i, done := range calls {
		if r := <-done; r.err != nil || string(r.body) != fmt.Sprintf(`{"mcpServers":[],"n":%d}`, i) {
			t.Errorf("call %d = %s, %v", i, r.body, r.err)
		}
	}
	if got := nextResult(t, s); got != "answered" {
		t.Errorf("result = %q", got)
	}
	s.Close()
	late := 0
	for e := range s.Events() {
		if e, ok := e.(*OrphanEvent); ok && e.Late {
			late++
		}
	}
	if late != 5 {
		t.Errorf("%d late responses", late)
	}
}

func TestCallbacksOverARealPipe(t *testing.T) {
	o := scriptedOptions(t)
	o.CanUseTool = allow
	o.Hooks = preToolUse(hookNothing)
	o.MCPServers = map[string]MCPServer{"srv": echoServer}
	s := openScripted(t, o)
	for body, want := range map[string]string{
		peertest.PermissionBody: peertest.SuccessLine("ask", echoedAllow),
		peertest.HookBody:       peertest.SuccessLine("ask", `{}`),
		peertest.MCPBody:        peertest.SuccessLine("ask", `{"mcp_response":{"jsonrpc":"2.0","id":7,"result":{"method":"tools/list"}}}`),
	} {
		prompt(t, s, "ask %s", body)
		if got := nextMark(t, s); got != want {
			t.Errorf("answered %s\nwant %s", got, want)
		}
	}
}

// User code that a session calls may close it, whichever it is.
func TestCloseInsideUserCodeDoesNotDeadlock(t *testing.T) {
	var s *Session
	var ready chan struct{}
	var once *sync.Once
	closed := make(chan error, 1)
	closeIt := func() {
		once.Do(func() {
			<-ready
			closed <- s.Close()
		})
	}
	tests := []struct {
		name, command string
		change        func(*Options)
	}{
		{"OnStderr", "stderr x\n", func(o *Options) { o.OnStderr = func(string, int) { closeIt() } }},
		{"logger", "raw noise\n", func(o *Options) { o.Logger = slog.New(hostileHandler{do: closeIt}) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ready, once = make(chan struct{}), new(sync.Once)
			o := scriptedOptions(t)
			test.change(o)
			s = openScripted(t, o)
			close(ready)
			prompt(t, s, "%s", test.command)
			select {
			case err := <-closed:
				if err != nil {
					t.Error(err)
				}
			case <-patient(t).Done():
				t.Fatal("Close does not return")
			}
		})
	}
}
