package transport

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
	"github.com/google/go-cmp/cmp"
)

func TestSessionRunsWhenInitializeIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, nil)
		id := f.RequestID("initialize")
		wantState(t, s, InitSent)
		if s.Initialized() != nil {
			t.Error("there is an answer before the answer")
		}
		f.Say(peertest.SuccessLine(id, `{"commands":[],"claude_code_version":"2.1.325","new_member":1}`))
		wantState(t, s, Running)
		if err := s.WaitReady(t.Context()); err != nil {
			t.Error(err)
		}
		if r := s.Initialized(); r == nil || *r.ClaudeCodeVersion != "2.1.325" {
			t.Errorf("answer = %+v", r)
		}
		s.Close()
		wantState(t, s, Stopped)
		if diff := cmp.Diff([]State{InitSent, Running, Stopped}, states(drain(s.events))); diff != "" {
			t.Error(diff)
		}
	})
}

// Older CLIs answer with less, or with nothing; that is no reason to fail.
func TestSessionRunsWhateverTheAnswerSays(t *testing.T) {
	for _, body := range []string{``, `{}`, `{"supported_commands":["interrupt"],"capabilities":{"hooks":true}}`, `{"commands":5}`, `[]`, `null`} {
		t.Run(body, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f := newTestSession(t, nil)
				f.Say(peertest.SuccessLine(f.RequestID("initialize"), body))
				wantState(t, s, Running)
				if s.Initialized() == nil {
					t.Error("no answer")
				}
			})
		})
	}
}

func TestRequestsOfTheCLIConfirmTheInitialisation(t *testing.T) {
	for _, body := range []string{peertest.HookBody, peertest.PermissionBody, peertest.MCPBody, strings.Replace(peertest.HookBody, "hook_0", "unknown", 1)} {
		t.Run(body, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f := newTestSession(t, nil)
				id := f.RequestID("initialize")
				op := goCall(t.Context(), s, &wire.InterruptRequest{})
				synctest.Wait()
				f.Say(peertest.RequestLine("r", body))
				wantState(t, s, Running)
				lines := f.Sent() // the queued operation, and the answer
				if len(lines) != 2 {
					t.Fatalf("sent %q", lines)
				}
				// A late answer still tells about the CLI; a late error changes nothing.
				f.Say(peertest.SuccessLine(id, `{"pid":5}`))
				synctest.Wait()
				if r := s.Initialized(); r == nil || *r.PID != 5 {
					t.Errorf("answer = %+v", r)
				}
				s.Close()
				settled(t, op)
			})
		})
	}
}

func TestErrorAfterImplicitConfirmationDoesNotStopTheSession(t *testing.T) {
	for _, late := range []string{"error", "timeout"} {
		t.Run(late, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f := newTestSession(t, nil)
				id := f.RequestID("initialize")
				f.Say(peertest.RequestLine("r", peertest.HookBody))
				f.One()
				if late == "error" {
					f.Say(peertest.ErrorLine(id, "no"))
				} else {
					time.Sleep(time.Minute)
				}
				wantState(t, s, Running)
				f.Sent()
				op := goCall(t.Context(), s, &wire.InterruptRequest{})
				f.Say(peertest.SuccessLine(f.RequestID("interrupt"), ""))
				if r := settled(t, op); r.err != nil {
					t.Error(r.err)
				}
			})
		})
	}
}

func TestMessagesDoNotConfirmTheInitialisation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, nil)
		f.RequestID("initialize")
		f.Say(
			`{"type":"system","subtype":"session_title_changed","title":"x","session_id":"s","uuid":"u"}`,
			`{"type":"assistant","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}},"parent_tool_use_id":null,"session_id":"s","uuid":"u"}`,
			peertest.PromptLine("x"), peertest.KeepAliveLine, `{"type":"brand_new"}`, "text",
			peertest.CancelLine("x"), peertest.SuccessLine("x", ""),
			peertest.RequestLine("e", `{"subtype":"elicitation","mcp_server_name":"s","message":"?"}`),
			peertest.RequestLine("u", `{"subtype":"brand_new"}`),
		)
		wantState(t, s, InitSent)
		time.Sleep(10 * time.Second)
		wantState(t, s, Failed)
	})
}

func TestInitializeTimeoutFailsTheSession(t *testing.T) {
	for _, timeout := range []time.Duration{0, 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			s, f := newTestSession(t, &Options{Timeouts: CallTimeouts{Initialize: timeout}})
			f.RequestID("initialize")
			f.complain("warming up\n")
			f.Say("not JSON")
			start := time.Now()
			err := s.WaitReady(t.Context())
			want := max(timeout, 3*time.Second)
			if timeout == 0 {
				want = 10 * time.Second
			}
			if took := time.Since(start); took != want {
				t.Errorf("took %v, want %v", took, want)
			}
			var late *InitTimeoutError
			if !errors.As(err, &late) || late.After != want || late.Output != "warming up\nnot JSON\n" {
				t.Errorf("error = %#v", err)
			}
			<-s.Done()
			wantState(t, s, Failed)
			if f.stopped() == 0 {
				t.Error("the process was not stopped")
			}
			if reason := failedReason(drain(s.events)); reason != err {
				t.Errorf("event says %v", reason)
			}
		})
	}
}

func TestInitializeErrorFailsTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, nil)
		f.Say(peertest.ErrorLine(f.RequestID("initialize"), "hooks must map"))
		err := s.WaitReady(t.Context())
		var refused *InitError
		if !errors.As(err, &refused) || refused.Refusal.Response.Error != "hooks must map" {
			t.Errorf("error = %#v", err)
		}
		<-s.Done()
		wantState(t, s, Failed)
		if _, err := s.Interrupt(t.Context(), &wire.InterruptRequest{}); !errors.Is(err, ErrNotInitialized) {
			t.Errorf("a call afterwards = %v", err)
		}
		if diff := cmp.Diff([]State{InitSent, Failed}, states(drain(s.events))); diff != "" {
			t.Error(diff)
		}
	})
}

func TestExitDuringInitialisationFailsTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, nil)
		f.RequestID("initialize")
		op := goCall(t.Context(), s, &wire.InterruptRequest{})
		synctest.Wait()
		f.Say("some text")
		start := time.Now()
		f.die(1, "no key\n")
		err := s.WaitReady(t.Context())
		var exit *InitExitError
		if !errors.As(err, &exit) || exit.Exit.Code != 1 || exit.Exit.Stderr != "no key\n" || exit.Output != "some text\n" {
			t.Errorf("error = %#v", err)
		}
		if r := settled(t, op); !errors.Is(r.err, ErrNotInitialized) || !errors.As(r.err, &exit) {
			t.Errorf("queued operation = %v", r.err)
		}
		if time.Since(start) != 0 {
			t.Errorf("took %v", time.Since(start))
		}
		<-s.Done()
		wantState(t, s, Failed)
	})
}

func TestExitWhileRunningStopsTheSession(t *testing.T) {
	for _, code := range []int{0, 1} {
		synctest.Test(t, func(t *testing.T) {
			s, f := running(t, nil)
			f.Say(peertest.KeepAliveLine)
			f.die(code, "words\n")
			<-s.Done()
			wantState(t, s, Stopped)
			events := drain(s.events)
			switch e := events[len(events)-1].(type) {
			case *CompletedEvent:
				if code != 0 || e.Exit.Code != 0 {
					t.Errorf("event = %+v", e)
				}
			case *FailedEvent:
				if code == 0 || e.Exit.Code != code || e.Exit.Stderr != "words\n" || e.Reason != e.Exit {
					t.Errorf("event = %+v", e)
				}
			default:
				t.Errorf("event = %+v", e)
			}
			count := 0
			var end error
			for f, err := range s.Messages() {
				if f != nil {
					count++
				}
				end = err
			}
			var exit *ExitError
			if count != 1 || (code == 0) != (end == nil) || code != 0 && (!errors.As(end, &exit) || exit.Code != code) {
				t.Errorf("%d messages, end %v", count, end)
			}
			_, err := s.Interrupt(t.Context(), &wire.InterruptRequest{})
			if !errors.As(err, &exit) || exit.Code != code {
				t.Errorf("a call afterwards = %v", err)
			}
		})
	}
}

func TestOperationsAreQueuedDuringInitialisationAndFlushedInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, nil)
		id := f.RequestID("initialize")
		var want []string
		var ops []<-chan callResult
		var prompts []<-chan error
		for i := range 16 {
			if i%4 == 3 {
				text := fmt.Sprint("prompt ", i)
				prompts = append(prompts, goPrompt(t, s, text))
				want = append(want, text)
			} else {
				server := fmt.Sprint("server ", i)
				ops = append(ops, goCall(t.Context(), s, &wire.MCPReconnectRequest{ServerName: server}))
				want = append(want, server)
			}
			synctest.Wait()
		}
		f.Nothing()
		if _, err := s.Interrupt(t.Context(), &wire.InterruptRequest{}); !errors.Is(err, ErrInitQueueOverflow) || !strings.Contains(err.Error(), "16") {
			t.Errorf("the 17th = %v", err)
		}
		f.Say(peertest.SuccessLine(id, `{}`))
		lines := f.Sent() // all of them, although none is answered
		if len(lines) != 16 {
			t.Fatalf("sent %d lines", len(lines))
		}
		for i, line := range lines {
			if !strings.Contains(line, peertest.Quote(want[i])) {
				t.Errorf("line %d is %s, want %s", i, line, want[i])
			}
		}
		for _, done := range prompts {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		for i := len(lines) - 1; i >= 0; i-- {
			if r, ok := peertest.Decode(t, lines[i]).(*wire.ControlRequest); ok {
				f.Say(peertest.SuccessLine(r.RequestID, ""))
			}
		}
		for _, op := range ops {
			if r := settled(t, op); r.err != nil {
				t.Error(r.err)
			}
		}
	})
}

func TestQueuedOperationsFailWithTheInitialisation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, nil)
		id := f.RequestID("initialize")
		op := goCall(t.Context(), s, &wire.InterruptRequest{})
		prompt := goPrompt(t, s, "x")
		stillOpen(t, op)
		f.Say(peertest.ErrorLine(id, "no"))
		if r := settled(t, op); !errors.Is(r.err, ErrNotInitialized) {
			t.Errorf("call = %v", r.err)
		}
		if err := <-prompt; !errors.Is(err, ErrNotInitialized) {
			t.Errorf("prompt = %v", err)
		}
		f.Nothing()
	})
}

func TestQueuedOperationCanBeCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, nil)
		id := f.RequestID("initialize")
		ctx, cancel := context.WithCancel(t.Context())
		op := goCall(ctx, s, &wire.InterruptRequest{})
		synctest.Wait()
		cancel()
		if r := settled(t, op); !errors.Is(r.err, context.Canceled) {
			t.Errorf("call = %v", r.err)
		}
		f.Say(peertest.SuccessLine(id, ""))
		f.Nothing()
	})
}

func TestTimeOfAQueuedOperationBeginsWhenItIsSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, nil)
		id := f.RequestID("initialize")
		op := goCall(t.Context(), s, &wire.InterruptRequest{})
		time.Sleep(9 * time.Second) // longer than the timeout of interrupt
		stillOpen(t, op)
		f.Say(peertest.SuccessLine(id, ""))
		f.RequestID("interrupt")
		start := time.Now()
		r := <-op
		if took := time.Since(start); took != 5*time.Second || !errors.Is(r.err, context.DeadlineExceeded) {
			t.Errorf("ended after %v by %v", took, r.err)
		}
	})
}

func TestQueueLimitIsConfigurable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, &Options{Limits: Limits{Queued: 1}})
		f.RequestID("initialize")
		op := goCall(t.Context(), s, &wire.InterruptRequest{})
		synctest.Wait()
		if _, err := s.Interrupt(t.Context(), &wire.InterruptRequest{}); !errors.Is(err, ErrInitQueueOverflow) {
			t.Errorf("error = %v", err)
		}
		s.Close()
		if r := settled(t, op); !errors.Is(r.err, ErrClosed) {
			t.Errorf("error = %v", r.err)
		}
	})
}

func TestStatesHaveNames(t *testing.T) {
	var names []string
	for s := Starting; s <= Failed; s++ {
		names = append(names, s.String())
	}
	if diff := cmp.Diff([]string{"starting", "init sent", "running", "stopped", "failed"}, names); diff != "" {
		t.Error(diff)
	}
}
