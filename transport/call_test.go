package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

func TestRequestIDsAreCounterAndHex(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		form := regexp.MustCompile(`^req_([0-9]+)_[0-9a-f]{8}$`)
		for i := 1; i <= 3; i++ {
			done := goCall(t.Context(), c, &wire.InterruptRequest{})
			id := p.RequestID("interrupt")
			if m := form.FindStringSubmatch(id); m == nil || m[1] != fmt.Sprint(i) {
				t.Errorf("id %d = %q", i, id)
			}
			p.Say(peertest.SuccessLine(id, ""))
			settled(t, done)
		}
	})
}

func TestCallReturnsTheBodyOfItsAnswer(t *testing.T) {
	tests := []struct {
		name   string
		answer func(id string) string
		body   string
		err    string
	}{
		{"success", func(id string) string { return peertest.SuccessLine(id, `{"mode":"plan"}`) }, `{"mode":"plan"}`, ""},
		{"success without a body", func(id string) string { return peertest.SuccessLine(id, "") }, "", ""},
		{"error", func(id string) string { return peertest.ErrorLine(id, "no") }, "", "interrupt: no"},
		{"flat form of older peers", func(id string) string {
			return `{"type":"control_response","request_id":` + peertest.Quote(id) + `,"response":{"subtype":"success","response":{"a":1}}}`
		}, `{"a":1}`, ""},
		{"a subtype that nobody knows counts as success", func(id string) string {
			return `{"type":"control_response","response":{"subtype":"other","request_id":` + peertest.Quote(id) + `,"response":{"a":1}}}`
		}, `{"a":1}`, ""},
		{"a refusal without a reason", func(id string) string {
			return `{"type":"control_response","response":{"subtype":"error","request_id":` + peertest.Quote(id) + `}}`
		}, "", "interrupt: refused without a reason"},
		{"a response that does not decode fails its call", func(id string) string {
			return `{"type":"control_response","response":{"request_id":` + peertest.Quote(id) + `,"subtype":7}}`
		}, "", "interrupt: wrong kind at /response/subtype"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, p := newPeer(t, nil)
				done := goCall(t.Context(), c, &wire.InterruptRequest{})
				p.Say(test.answer(p.RequestID("interrupt")))
				r := settled(t, done)
				if string(r.body) != test.body {
					t.Errorf("body = %s, want %s", r.body, test.body)
				}
				if got := fmt.Sprint(r.err); test.err != "" && !strings.HasPrefix(got, test.err) || test.err == "" && r.err != nil {
					t.Errorf("error = %v, want %q", r.err, test.err)
				}
			})
		})
	}
}

func TestRefusalIsTyped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		done := goCall(t.Context(), c, &wire.SetPermissionModeRequest{Mode: "x"})
		id := p.RequestID("set_permission_mode")
		p.Say(`{"type":"control_response","response":{"subtype":"error","request_id":` + peertest.Quote(id) + `,"error":"bad","error_code":"invalid_mode"}}`)
		r := settled(t, done)
		var refusal *CallError
		if !errors.As(r.err, &refusal) || refusal.Subtype != "set_permission_mode" || *refusal.Response.ErrorCode != wire.ErrorResponseErrorCodeInvalidMode {
			t.Errorf("error = %#v", r.err)
		}
	})
}

func TestTypedCallsRunOverConn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		done := make(chan *wire.SetModelResponse, 1)
		go func() {
			r, err := wire.Client{Caller: c}.SetModel(t.Context(), &wire.SetModelRequest{Model: codec.Some("m")})
			if err != nil {
				t.Error(err)
			}
			done <- r
		}()
		p.Say(peertest.SuccessLine(p.RequestID("set_model"), `{"model":"m-1"}`))
		if r := <-done; r.Model != "m-1" {
			t.Errorf("response = %+v", r)
		}
	})
}

// TestARequestThatWasServedDoesNotFail: what its answer lacks is an event, and an answer that does
// not decode is an error of its own.
func TestARequestThatWasServedDoesNotFail(t *testing.T) {
	for _, test := range []struct {
		subtype, lacks string
		call           func(ctx context.Context, c wire.Client) error
	}{
		{"set_model", "/model", func(ctx context.Context, c wire.Client) error {
			_, err := c.SetModel(ctx, &wire.SetModelRequest{})
			return err
		}},
		{"interrupt", "/still_queued", func(ctx context.Context, c wire.Client) error {
			_, err := c.Interrupt(ctx, &wire.InterruptRequest{})
			return err
		}},
		{"rewind_files", "/canRewind", func(ctx context.Context, c wire.Client) error {
			_, err := c.RewindFiles(ctx, &wire.RewindFilesRequest{UserMessageID: "u"})
			return err
		}},
	} {
		t.Run(test.subtype, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, p := newPeer(t, nil)
				answered := func(body string) error {
					done := make(chan error, 1)
					go func() { done <- test.call(t.Context(), wire.Client{Caller: c}) }()
					p.Say(peertest.SuccessLine(p.RequestID(test.subtype), body))
					return <-done
				}
				if err := answered(`{}`); err != nil {
					t.Error(err)
				}
				if e := only[*DeviationEvent](t, c.events); e.Path != test.lacks || e.AnswerTo != test.subtype {
					t.Errorf("event %+v", e)
				}
				var unread *wire.AnswerError
				if err := answered(`7`); !errors.As(err, &unread) || unread.Subtype != test.subtype || string(unread.Body) != "7" || !errors.Is(err, codec.WrongKind) {
					t.Errorf("error %v", err)
				}
			})
		})
	}
}

// answeringWriter answers each request before its Write returns.
type answeringWriter struct {
	t      testing.TB
	answer io.Writer
}

func (w *answeringWriter) Write(line []byte) (int, error) {
	r, ok := peertest.Decode(w.t, strings.TrimSpace(string(line))).(*wire.ControlRequest)
	if ok {
		io.WriteString(w.answer, peertest.SuccessLine(r.RequestID, `{"early":true}`)+"\n")
	}
	return len(line), nil
}

func TestAnswerThatComesBeforeTheWriteReturnsIsNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, answer := io.Pipe()
		c := NewConn(r, &answeringWriter{t, answer}, &ConnOptions{Logger: peertest.Quiet})
		defer c.Close()
		for range 100 {
			body, err := c.Call(t.Context(), &wire.InterruptRequest{})
			if err != nil || string(body) != `{"early":true}` {
				t.Fatalf("Call = %s, %v", body, err)
			}
		}
	})
}

func TestAnswersInAnyOrderFindTheirCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		const count = 64
		var calls [count]<-chan callResult
		var ids [count]string
		for i := range calls {
			calls[i] = goCall(t.Context(), c, &wire.InterruptRequest{})
			ids[i] = p.RequestID("interrupt")
		}
		for i := range calls {
			j := (i*37 + 11) % count
			p.Say(peertest.SuccessLine(ids[j], fmt.Sprintf(`{"n":%d}`, j)))
		}
		for i, done := range calls {
			if r := settled(t, done); string(r.body) != fmt.Sprintf(`{"n":%d}`, i) {
				t.Errorf("call %d = %s, %v", i, r.body, r.err)
			}
		}
	})
}

func TestTimeoutsDependOnTheSubtype(t *testing.T) {
	tests := []struct {
		request wire.Request
		opts    CallTimeouts
		want    time.Duration
	}{
		{&wire.InitializeRequest{}, CallTimeouts{}, 60 * time.Second},
		{&wire.InterruptRequest{}, CallTimeouts{}, 5 * time.Second},
		{&wire.SetModelRequest{}, CallTimeouts{}, 5 * time.Second},
		{&wire.SetPermissionModeRequest{Mode: "plan"}, CallTimeouts{}, 5 * time.Second},
		{&wire.SetMaxThinkingTokensRequest{}, CallTimeouts{}, 5 * time.Second},
		{&wire.RewindFilesRequest{UserMessageID: "u"}, CallTimeouts{}, 30 * time.Second},
		{&wire.MCPStatusRequest{}, CallTimeouts{}, 60 * time.Second},
		{&wire.UnknownRequest{Raw: codec.Raw(`{"subtype":"set_x"}`)}, CallTimeouts{}, 5 * time.Second},
		{&wire.InitializeRequest{}, CallTimeouts{Initialize: time.Second}, time.Second},
		{&wire.InterruptRequest{}, CallTimeouts{Interrupt: 2 * time.Second}, 2 * time.Second},
		{&wire.SetModelRequest{}, CallTimeouts{Set: 3 * time.Second}, 3 * time.Second},
		{&wire.RewindFilesRequest{UserMessageID: "u"}, CallTimeouts{Rewind: 4 * time.Second}, 4 * time.Second},
		{&wire.MCPStatusRequest{}, CallTimeouts{Other: time.Hour}, time.Hour},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%s %v", test.request.Subtype(), test.want), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, p := newPeer(t, &ConnOptions{Timeouts: test.opts})
				start := time.Now()
				_, err := c.Call(t.Context(), test.request)
				var timeout *TimeoutError
				if !errors.As(err, &timeout) || timeout.Subtype != test.request.Subtype() || timeout.After != test.want {
					t.Fatalf("error = %v", err)
				}
				if took := time.Since(start); took != test.want {
					t.Errorf("took %v, want %v", took, test.want)
				}
				if !errors.Is(err, context.DeadlineExceeded) || !timeout.Timeout() {
					t.Error("not a timeout for those who ask by interface")
				}
				lines := p.Sent()
				if len(lines) != 2 || lines[1] != peertest.CancelLine(timeout.RequestID) {
					t.Errorf("sent %q, want the request and its cancellation", lines)
				}
			})
		})
	}
}

func TestNegativeTimeoutMeansNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, &ConnOptions{Timeouts: CallTimeouts{Other: -1}})
		done := goCall(t.Context(), c, &wire.MCPStatusRequest{})
		id := p.RequestID("mcp_status")
		time.Sleep(1000 * time.Hour)
		stillOpen(t, done)
		p.Say(peertest.SuccessLine(id, ""))
		settled(t, done)
	})
}

func TestCancelledCallSendsCancelRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		ctx, cancel := context.WithCancel(t.Context())
		done := goCall(ctx, c, &wire.SideQuestionRequest{Question: "?"})
		id := p.RequestID("side_question")
		cancel()
		if r := settled(t, done); !errors.Is(r.err, context.Canceled) {
			t.Errorf("error = %v", r.err)
		}
		if line := p.One(); line != peertest.CancelLine(id) {
			t.Errorf("sent %s", line)
		}
	})
}

func TestNoCancelSendsNoCancelRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, &ConnOptions{NoCancel: true})
		ctx, cancel := context.WithCancel(t.Context())
		done := goCall(ctx, c, &wire.InterruptRequest{})
		p.RequestID("interrupt")
		cancel()
		settled(t, done)
		p.Nothing()
	})
}

func TestCallWithEndedContextSendsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.Call(ctx, &wire.InterruptRequest{}); !errors.Is(err, context.Canceled) {
			t.Errorf("error = %v", err)
		}
		p.Nothing()
	})
}

func TestRequestThatCannotBeEncodedIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		_, err := c.Call(t.Context(), &wire.MCPMessageRequest{ServerName: "s", Message: codec.Raw(`{`)})
		var broken *codec.Error
		if !errors.As(err, &broken) {
			t.Errorf("error = %v", err)
		}
		if n := c.pending.size(); n != 0 {
			t.Errorf("%d calls are pending", n)
		}
		p.Nothing()
	})
}

func TestLateAndOrphanResponsesAreLoggedAndDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logged := &peertest.Recorder{}
		c, p := newPeer(t, &ConnOptions{Logger: logged.Logger()})
		_, err := c.Call(t.Context(), &wire.InterruptRequest{})
		var timeout *TimeoutError
		if !errors.As(err, &timeout) {
			t.Fatal(err)
		}
		p.Say(peertest.SuccessLine(timeout.RequestID, ""))
		if e := only[*OrphanEvent](t, c.events); !e.Late || e.RequestID != timeout.RequestID {
			t.Errorf("event = %+v", e)
		}
		p.Say(peertest.SuccessLine("somebody's", ""))
		if e := only[*OrphanEvent](t, c.events); e.Late || e.RequestID != "somebody's" {
			t.Errorf("event = %+v", e)
		}
		if n := logged.Count("nobody waits for"); n != 2 {
			t.Errorf("logged %d times: %s", n, logged)
		}
		// The connection goes on.
		p.Sent()
		done := goCall(t.Context(), c, &wire.InterruptRequest{})
		p.Say(peertest.SuccessLine(p.RequestID("interrupt"), ""))
		if r := settled(t, done); r.err != nil {
			t.Error(r.err)
		}
	})
}

// CLIs from 1.0.128 to 2.1.30 answer set_permission_mode twice; for bypassPermissions 1.0.128 sends
// an error and then a success.
func TestSecondResponseIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		done := goCall(t.Context(), c, &wire.SetPermissionModeRequest{Mode: "bypassPermissions"})
		id := p.RequestID("set_permission_mode")
		p.Say(peertest.ErrorLine(id, "not launched with it"), peertest.SuccessLine(id, `{"mode":"bypassPermissions"}`))
		r := settled(t, done)
		var refusal *CallError
		if !errors.As(r.err, &refusal) {
			t.Errorf("error = %v, want the first answer", r.err)
		}
		if e := only[*OrphanEvent](t, c.events); !e.Late {
			t.Errorf("event = %+v", e)
		}
	})
}

func TestSixtyFifthPendingRequestIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		var calls []<-chan callResult
		for range 64 {
			calls = append(calls, goCall(t.Context(), c, &wire.MCPStatusRequest{}))
		}
		lines := p.Sent()
		if len(lines) != 64 {
			t.Fatalf("sent %d requests", len(lines))
		}
		_, err := c.Call(t.Context(), &wire.MCPStatusRequest{})
		if !errors.Is(err, ErrTooManyPending) || !strings.Contains(err.Error(), "64") {
			t.Errorf("error = %v", err)
		}
		p.Nothing()
		// An answer makes room.
		p.Say(peertest.SuccessLine(peertest.Decode(t, lines[0]).(*wire.ControlRequest).RequestID, ""))
		synctest.Wait()
		calls = append(calls, goCall(t.Context(), c, &wire.MCPStatusRequest{}))
		p.RequestID("mcp_status")
		c.Close()
		for _, done := range calls {
			settled(t, done)
		}
	})
}

func TestPendingLimitIsConfigurable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, &ConnOptions{Limits: Limits{Pending: 1}})
		done := goCall(t.Context(), c, &wire.InterruptRequest{})
		p.RequestID("interrupt")
		if _, err := c.Call(t.Context(), &wire.InterruptRequest{}); !errors.Is(err, ErrTooManyPending) {
			t.Errorf("error = %v", err)
		}
		c.Close()
		settled(t, done)
	})
}

func TestPendingCallsFailWhenTheStreamEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		var calls []<-chan callResult
		for range 10 {
			calls = append(calls, goCall(t.Context(), c, &wire.MCPStatusRequest{}))
		}
		p.Sent()
		start := time.Now()
		p.End()
		for _, done := range calls {
			if r := settled(t, done); !errors.Is(r.err, ErrPeerClosed) {
				t.Errorf("error = %v", r.err)
			}
		}
		if _, err := c.Call(t.Context(), &wire.MCPStatusRequest{}); !errors.Is(err, ErrPeerClosed) {
			t.Errorf("a new call = %v", err)
		}
		if time.Since(start) != 0 {
			t.Errorf("took %v", time.Since(start))
		}
	})
}

func TestReadErrorFailsPendingCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		done := goCall(t.Context(), c, &wire.MCPStatusRequest{})
		p.Sent()
		boom := errors.New("boom")
		p.Fail(boom)
		if r := settled(t, done); !errors.Is(r.err, boom) {
			t.Errorf("error = %v", r.err)
		}
		if _, err := c.Receive(t.Context()); err != boom {
			t.Errorf("Receive = %v", err)
		}
	})
}

func TestSlowWriterDelaysNeitherTimeoutNorCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, r, w := peertest.NewDeafPeer(t)
		c := NewConn(r, w, &ConnOptions{Logger: peertest.Quiet})
		defer c.Close()
		first := goCall(t.Context(), c, &wire.InterruptRequest{})
		ctx, cancel := context.WithCancel(t.Context())
		second := goCall(ctx, c, &wire.InterruptRequest{})
		synctest.Wait()
		cancel()
		if r := settled(t, second); !errors.Is(r.err, context.Canceled) {
			t.Errorf("error = %v", r.err)
		}
		stillOpen(t, first)
		time.Sleep(5 * time.Second)
		if r := settled(t, first); !errors.Is(r.err, context.DeadlineExceeded) {
			t.Errorf("error = %v", r.err)
		}
		// The reader does not wait either.
		p.Say(peertest.KeepAliveLine)
		if _, err := c.Receive(t.Context()); err != nil {
			t.Error(err)
		}
		// The request that was stuck goes out with its cancellation, the one that was withdrawn
		// does not.
		p.Resume()
		if lines := p.Sent(); len(lines) != 2 || peertest.Decode(t, lines[0]).(*wire.ControlRequest).RequestID != peertest.Decode(t, lines[1]).(*wire.ControlCancelRequest).RequestID {
			t.Errorf("sent %q", lines)
		}
	})
}

// failingWriter fails once it is told to.
type failingWriter struct {
	mu  sync.Mutex
	err error
}

func (w *failingWriter) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = err
}

func (w *failingWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(p), w.err
}

func TestWriteErrorFailsTheCallButNotThoseThatWereSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, answers := io.Pipe()
		w := &failingWriter{}
		c := NewConn(r, w, &ConnOptions{Logger: peertest.Quiet})
		defer c.Close()
		sent := goCall(t.Context(), c, &wire.MCPStatusRequest{})
		stillOpen(t, sent)
		w.fail(ErrBrokenPipe)
		start := time.Now()
		for range 2 {
			_, err := c.Call(t.Context(), &wire.MCPStatusRequest{})
			if !errors.Is(err, ErrBrokenPipe) {
				t.Errorf("error = %v", err)
			}
		}
		if took := time.Since(start); took != 2*settleTime {
			t.Errorf("took %v", took)
		}
		if err := c.Send(t.Context(), &wire.KeepAlive{}); !errors.Is(err, ErrBrokenPipe) {
			t.Errorf("Send = %v", err)
		}
		var id string
		for id = range c.pending.calls {
		}
		io.WriteString(answers, peertest.SuccessLine(id, "")+"\n")
		if r := settled(t, sent); r.err != nil {
			t.Error(r.err)
		}
	})
}

func TestEndOfTheStreamExplainsAWriteError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, answers := io.Pipe()
		w := &failingWriter{err: ErrBrokenPipe}
		c := NewConn(r, w, &ConnOptions{Logger: peertest.Quiet})
		defer c.Close()
		done := goCall(t.Context(), c, &wire.MCPStatusRequest{})
		time.Sleep(settleTime / 2)
		stillOpen(t, done)
		answers.Close()
		if r := settled(t, done); !errors.Is(r.err, ErrPeerClosed) {
			t.Errorf("error = %v", r.err)
		}
	})
}
